/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_queue.h"

#include <math.h>

#include "core/clock.h"
#include "core/machine.h"

#define PACE_CHANGE 4.0 /* the largest change of the factor at one wait */

void pm_gpu_queue_begin(pm_gpu_queue *q)
{
    q->queued = 0;
    q->waited_at = pm_clock();
}

static pm_status wait(pm_gpu_queue *q, pm_error *err)
{
    pm_status status = pm_gpu_session_wait(q->session, err);
    double change = (pm_clock() - q->waited_at) / q->queued;
    q->pace *= fmin(fmax(change, 1 / PACE_CHANGE), PACE_CHANGE);
    pm_gpu_queue_begin(q);
    return status;
}

pm_status pm_gpu_queue_add(pm_gpu_queue *q, double nominal, const pm_run *run, pm_error *err)
{
    pm_status status = PM_OK;
    q->queued += nominal * q->pace;
    if (q->queued >= PM_LAUNCH_SECONDS)
        status = wait(q, err);
    if (!status && pm_run_stopped(run))
        status = pm_fail(err, PM_ESTOPPED, "stopped");
    return status;
}
