/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_context.h: the contexts of devices.  A device has one, its primary context, made when it is
 * first entered and kept until the end, since to make one takes some tenths of a second. */
#ifndef PM_GPU_CONTEXT_H
#define PM_GPU_CONTEXT_H

#include "gpu/cuda_driver.h"

/* The context of the device, which is this thread's from now on.  Fails: PM_ENODEV. */
pm_status pm_gpu_enter(const pm_cuda_driver *cu, int device, CUcontext *out, pm_error *err);

/* Lets go of all of them.  No other thread is at the door. */
void pm_gpu_leave_all(void);

#endif
