/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "hafnian/hafnian_gpu_kernel.h"

#include "gpu/kernel_text.h"

char *pm_hafnian_text(int pairs)
{
    return pm_kernel_text_make("#define PM_THREADS %d\n#define PM_TERMS 0\n#define PM_PAIRS %d\n"
                               "%s%s%s",
                               PM_HAFNIAN_THREADS, pairs, pm_text_prelude, pm_text_hafnian_task,
                               pm_text_hafnian);
}
