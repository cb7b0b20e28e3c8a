/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/cuda_failure.h: what calls of the driver answer.  After some failures, of a kernel or of the
 * hardware, it serves this process no more and answers whatever is asked with the same failure.  So it
 * is not asked: who wants to use a device is told what happened first. */
#ifndef PM_CUDA_FAILURE_H
#define PM_CUDA_FAILURE_H

#include "gpu/cuda_driver.h"

/* PM_OK, or PM_ENODEV: the failure of what, which a call answered e to. */
pm_status pm_cuda_check(CUresult e, const char *what, pm_error *err);

/* The driver, for who begins to use it.  To give back, take pm_cuda_driver_get, which does not fail then.
 * Fails (NULL): as pm_cuda_driver_get; PM_ENODEV after such a failure, with its message. */
const pm_cuda_driver *pm_cuda_begin(pm_error *err);

/* The driver may be asked again.  No other thread is at the door. */
void pm_cuda_failure_forget(void);

#endif
