/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_sessions.h: kernels loaded on devices, on each of them twice, so that one seat can have a
 * launch under way while the results of the other are read. */
#ifndef PM_GPU_SESSIONS_H
#define PM_GPU_SESSIONS_H

#include "gpu/gpu.h"

enum { PM_GPU_SESSIONS_MOST = 2 * PM_GPU_MOST };

/* Launches dealt out to seats 0, 1, ... in turn go to all devices in turn. */
typedef struct {
    int count;
    pm_gpu_session *seat[PM_GPU_SESSIONS_MOST];
} pm_gpu_sessions;

/* Devices 0 .. gpus - 1.  What is open goes to pm_gpu_sessions_close, after a failure too.
 * Fails: PM_ENODEV, PM_EINTERNAL, PM_ENOMEM. */
pm_status pm_gpu_sessions_open(const char *text, int gpus, pm_gpu_sessions *out, pm_error *err);
void pm_gpu_sessions_close(pm_gpu_sessions *s);

#endif
