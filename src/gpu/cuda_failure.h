/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/cuda_failure.h: the error codes of the driver.  After some failures, of a kernel or of the
 * hardware, the driver answers every later call of this process with the same error.  Such a
 * failure is recorded here, so that later users of a device get its message and make no calls. */
#ifndef PM_CUDA_FAILURE_H
#define PM_CUDA_FAILURE_H

#include "gpu/cuda_driver.h"

/* Turns the result e of a driver call into a status.  what: the action, for the message.
 * Fails: PM_ENODEV. */
pm_status pm_cuda_check(CUresult e, const char *what, pm_error *err);

/* The driver, for code that begins to use a device.  Code that only frees what it has uses
 * pm_cuda_driver_get, which does not fail at that point.
 * Returns NULL, with PM_ENODEV in *err, when pm_cuda_driver_get does and after a recorded
 * failure. */
const pm_cuda_driver *pm_cuda_driver_use(pm_error *err);

/* Whether a failure is recorded. */
bool pm_cuda_has_failed(void);

/* Forgets the recorded failure.  Not thread-safe: no other thread may use the device interface
 * during the call. */
void pm_cuda_failure_forget(void);

#endif
