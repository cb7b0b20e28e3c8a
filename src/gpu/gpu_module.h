/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_module.h: a text loaded on a device as a module of kernels.  The device's context
 * (gpu_context.h), the compiled code and the module (idle_modules.h) are kept until
 * pm_gpu_end, because the next block of a graph most often needs the same. */
#ifndef PM_GPU_MODULE_H
#define PM_GPU_MODULE_H

#include "gpu/cuda_driver.h"
#include "gpu/gpu.h"
#include "gpu/idle_modules.h"

typedef struct {
    const pm_cuda_driver *cu;
    CUcontext context;
    CUmodule module;
    pm_module kept; /* the same module, with its text, for the list of idle modules */
} pm_gpu_module;

/* Loads the text; the device's context becomes the current one of this thread.  Thread-safe for
 * different *out.  Fails: as pm_gpu_compile; *out is zeroed then. */
pm_status pm_gpu_module_open(int device, const char *text, pm_gpu_module *out, pm_error *err);
/* No kernel of it may be running.  m may be zeroed. */
void pm_gpu_module_close(pm_gpu_module *m);

#endif
