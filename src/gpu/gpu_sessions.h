/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_sessions.h: one kernel text loaded on several devices, in two sessions on each, so that a
 * device computes for one session while the host reads the results of the other. */
#ifndef PM_GPU_SESSIONS_H
#define PM_GPU_SESSIONS_H

#include "gpu/gpu.h"

enum { PM_GPU_SESSIONS_MOST = 2 * PM_GPU_MOST };

/* Session i is on device i mod count/2, so launches in sessions 0, 1, 2, ... use all devices. */
typedef struct {
    int count;
    pm_gpu_session *session[PM_GPU_SESSIONS_MOST];
} pm_gpu_sessions;

/* Two sessions on each of the devices 0 .. gpus - 1.  The caller calls pm_gpu_sessions_close, also
 * after a failure.  Fails: PM_ENODEV, PM_EINTERNAL, PM_ENOMEM. */
pm_status pm_gpu_sessions_open(const char *text, int gpus, pm_gpu_sessions *out, pm_error *err);
void pm_gpu_sessions_close(pm_gpu_sessions *s);

#endif
