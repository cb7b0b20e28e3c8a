/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_use.h: how a job uses devices 0 .. gpus - 1. */
#ifndef PM_GPU_USE_H
#define PM_GPU_USE_H

#include "gpu/gpu.h"
#include "pm/run.h"

/* For one device of a job; what several have in common is in *context. */
typedef pm_status pm_gpu_task(void *context, int gpu, pm_error *err);

/* A thread a device, so that they start, load kernels and work at the same time; only what they have in
 * common is compiled by one, while the others wait.  Waits for all of them.  The first failure is
 * told. */
pm_status pm_gpu_on_each(int gpus, pm_gpu_task *what, void *context, pm_error *err);

/* A new array of the session (one of PM_GPU_ARRAYS) with room for `bytes` bytes, at least 8, and a copy
 * of `from` in it; from: NULL or `bytes` bytes; NULL leaves the contents undefined.
 * Fails: as pm_gpu_session_array and pm_gpu_session_put. */
pm_status pm_gpu_session_fill(pm_gpu_session *s, const void *from, int64_t bytes, pm_gpu_array *out,
                              pm_error *err);

/* Bytes that arrays may take on each device: what the one with the least has free, but for a
 * reserve, and at most run->max_memory where that is set; 0 where others have it all.  Starts them.
 * Fails: PM_ENODEV. */
pm_status pm_gpu_allowed(int gpus, const pm_run *run, double *out, pm_error *err);

/* The same for planning, where arrays would take `wanted` bytes if there was room; a little less, since
 * kernels are loaded before it comes to run.  Devices that have
 * four times as much, used or not, are taken to have it free and are not started: that takes some tenths
 * of a second, for a plan that another one may beat. */
pm_status pm_gpu_expected(int gpus, double wanted, const pm_run *run, double *out, pm_error *err);

#endif
