/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/gpu_seats.h"

pm_status pm_gpu_seats_open(const char *text, int gpus, pm_gpu_seats *out, pm_error *err)
{
    pm_status rc = PM_OK;
    *out = (pm_gpu_seats){0};
    for (; out->count < 2 * gpus && !rc; out->count += !rc)
        rc = pm_gpu_session_open(out->count % gpus, text, &out->seat[out->count], err);
    return rc;
}

void pm_gpu_seats_close(pm_gpu_seats *s)
{
    for (int i = 0; i < s->count; ++i)
        pm_gpu_session_close(s->seat[i]);
    *s = (pm_gpu_seats){0};
}
