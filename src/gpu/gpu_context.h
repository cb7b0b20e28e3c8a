/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_context.h: the contexts of the devices.  Each device has one, its primary context.  It is
 * made at the first use, which takes some tenths of a second, and kept until
 * pm_gpu_context_release_all. */
#ifndef PM_GPU_CONTEXT_H
#define PM_GPU_CONTEXT_H

#include "gpu/cuda_driver.h"

/* *out: the context of the device; it becomes the current context of this thread.  Thread-safe.
 * Fails: PM_ENODEV. */
pm_status pm_gpu_context_enter(const pm_cuda_driver *cu, int device, CUcontext *out, pm_error *err);

/* Releases all contexts.  Not thread-safe: no other thread may use the device interface during the
 * call. */
void pm_gpu_context_release_all(void);

#endif
