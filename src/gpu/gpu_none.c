/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu.h"

#include <stdio.h>

pm_status pm_gpu_describe(char *text, size_t size, pm_error *err)
{
    snprintf(text, size, "CUDA: not built in");
    return pm_fail(err, PM_ENODEV, "this build has no CUDA");
}
