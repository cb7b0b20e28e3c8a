/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_queue.h: how many launches of a session are sent before the host waits for them.
 *
 * The host waits when the launches since its last wait are expected to take PM_LAUNCH_SECONDS, so
 * that it checks the stop flag often enough.  The expectation is nominal seconds times a factor;
 * the factor is measured at each wait. */
#ifndef PM_GPU_QUEUE_H
#define PM_GPU_QUEUE_H

#include "gpu/gpu.h"
#include "pm/run.h"

typedef struct {
    pm_gpu_session *session;
    double pace;   /* measured seconds for one nominal second; the caller sets it to 1 at first */
    double queued; /* expected seconds of the launches since the last wait */
    double waited_at; /* the time of the last wait, pm_clock() */
} pm_gpu_queue;

/* Starts counting; no launch is under way. */
void pm_gpu_queue_begin(pm_gpu_queue *q);

/* Records a launch of `nominal` seconds that was just sent, and waits if it is time.
 * Fails: PM_ENODEV a launch failed; PM_ESTOPPED. */
pm_status pm_gpu_queue_add(pm_gpu_queue *q, double nominal, const pm_run *run, pm_error *err);

#endif
