/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_module.h: kernels on a device, from their text.  What it takes to have them, the device's
 * context (gpu_context.h), compiled code (gpu_code.h) and the module (idle_modules.h), is kept until
 * pm_gpu_end, since the next block of a graph most often wants the same. */
#ifndef PM_GPU_MODULE_H
#define PM_GPU_MODULE_H

#include "gpu/cuda_driver.h"
#include "gpu/gpu.h"
#include "gpu/idle_modules.h"

typedef struct {
    const pm_cuda_driver *cu;
    CUcontext context;
    CUmodule module;
    pm_module kept; /* the same, with its text */
} pm_gpu_module;

/* Enters the device.  Devices load side by side.  Fails as pm_gpu_compile; *out is zeroed then. */
pm_status pm_gpu_module_open(int device, const char *text, pm_gpu_module *out, pm_error *err);
/* Nothing of it runs any more.  Zeroed is fine. */
void pm_gpu_module_close(pm_gpu_module *m);

#endif
