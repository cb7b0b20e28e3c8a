/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_queue.h: launches of a programme go out one after the other, and when those under way last
 * about PM_LAUNCH_SECONDS the host waits for them, so that a signal is soon seen.  How long that is
 * the clock tells: nominal seconds at first, and then what the device proves to take for one. */
#ifndef PM_GPU_QUEUE_H
#define PM_GPU_QUEUE_H

#include "gpu/gpu.h"
#include "pm/run.h"

typedef struct {
    pm_gpu_session *session;
    double pace;   /* seconds for a nominal one; 1 at first */
    double queued; /* seconds launched since the last wait */
    double looked; /* when that was */
} pm_gpu_queue;

/* Nothing is under way. */
void pm_gpu_queue_begin(pm_gpu_queue *q);

/* A launch of so many nominal seconds has gone out.
 * Fails: PM_ENODEV what was under way failed; PM_ESTOPPED. */
pm_status pm_gpu_queue_add(pm_gpu_queue *q, double nominal, const pm_run *run, pm_error *err);

#endif
