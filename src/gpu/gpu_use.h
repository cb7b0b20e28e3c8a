/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_use.h: what jobs on the devices 0 .. gpus - 1 have in common: one host thread (worker)
 * for each device, arrays with contents, and the memory that may be used. */
#ifndef PM_GPU_USE_H
#define PM_GPU_USE_H

#include "gpu/gpu.h"
#include "pm/run.h"

/* The work for one device.  context: shared by the workers of all devices. */
typedef pm_status pm_gpu_task(void *context, int gpu, pm_error *err);

/* Runs the task for every device, each in a thread of its own, and waits for all of them.  Returns
 * the first failure. */
pm_status pm_gpu_on_each(int gpus, pm_gpu_task *what, void *context, pm_error *err);

/* A new array of the session (one of PM_GPU_ARRAYS) with room for `bytes` bytes, at least 8, and a
 * copy of `from` in it; from: NULL or `bytes` bytes; NULL leaves the contents undefined.
 * Fails: as pm_gpu_session_array and pm_gpu_session_put. */
pm_status pm_gpu_session_fill(pm_gpu_session *s, const void *from, int64_t bytes, pm_gpu_array *out,
                              pm_error *err);

/* ---- one text on several devices ---- */

enum { PM_GPU_SESSIONS_MAX = 2 * PM_GPU_MAX };

/* Two sessions on each device, so that one can have a launch under way while the results of the
 * other are read.  Session i is on device i mod (count / 2): launches given to sessions 0, 1, ...
 * in turn use all devices in turn. */
typedef struct {
    int count;
    pm_gpu_session *session[PM_GPU_SESSIONS_MAX];
} pm_gpu_sessions;

/* Opens two sessions on each of the devices 0 .. gpus - 1.  The caller calls pm_gpu_sessions_close,
 * after a failure too.
 * Fails: PM_ENODEV, PM_EINTERNAL, PM_ENOMEM. */
pm_status pm_gpu_sessions_open(const char *text, int gpus, pm_gpu_sessions *out, pm_error *err);
void pm_gpu_sessions_close(pm_gpu_sessions *s);

/* ---- memory ---- */

/* *out: the bytes that arrays may take on each device: the free memory of the device that has the
 * least, less a reserve, and at most run->max_memory where that is set; 0 if nothing is free.
 * Starts the devices.
 * Fails: PM_ENODEV. */
pm_status pm_gpu_allowed(int gpus, const pm_run *run, double *out, pm_error *err);

/* The same for planning.  wanted: the bytes that arrays would take if there were room.  The result
 * is a little smaller, because kernels are loaded between planning and running.  If every device
 * has, in total, at least four times the bytes wanted, its memory is assumed to be free and it is
 * not started: starting takes some tenths of a second, and the plan may not be chosen.
 * Fails: PM_ENODEV. */
pm_status pm_gpu_expected(int gpus, double wanted, const pm_run *run, double *out, pm_error *err);

#endif
