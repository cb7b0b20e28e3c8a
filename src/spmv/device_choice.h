/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/device_choice.h: whether iterations with sparse matrices run on the host or on a GPU. */
#ifndef PM_DEVICE_CHOICE_H
#define PM_DEVICE_CHOICE_H

#include "pm/backend.h"
#include "pm/run.h"

/* device: as in pm_workspace_make. */
typedef pm_status pm_device_task(void *context, int device, pm_error *err);

/* Does a task about a matrix with `entries` entries.
 * PM_BACKEND_CPU: on the host.  PM_BACKEND_CUDA: on device 0.  PM_BACKEND_AUTO: on device 0 if there is one
 * and the matrix is large enough; where the device fails the task is done again on the host, and a note of
 * level 0 gives the reason.
 * Fails: PM_ENODEV only with PM_BACKEND_CUDA; what the task fails with. */
pm_status pm_on_device(pm_backend backend, int64_t entries, pm_device_task *task, void *context,
                       const pm_run *run, pm_error *err);

/* For what may turn out to be too small for a device: fails with PM_ENODEV where PM_BACKEND_CUDA demands one and there is none. */
pm_status pm_device_demand(pm_backend backend, pm_error *err);

/* Begins to start device 0 in a thread of its own, where `backend` demands it: before its input is read.  It is followed
 * by pm_device_prepared before the process ends.  Both are for one thread at a time. */
void pm_device_prepare(pm_backend backend);
/* Ends what pm_device_prepare began. */
void pm_device_prepared(void);

#endif
