/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/gpu_seats.h"

#include <stdlib.h>

/* Devices of one kind mostly: what they share is compiled once, and then taken from the cache. */
static pm_status load(const char *text, int device, pm_gpu_session **out, pm_error *err)
{
    pm_gpu_info info;
    pm_gpu_image image = {0};
    pm_status rc = pm_gpu_look(device, &info, err);
    if (!rc)
        rc = pm_gpu_compile(text, info.major, info.minor, &image, err);
    if (!rc)
        rc = pm_gpu_session_open(device, &image, out, err);
    free(image.data);
    return rc;
}

pm_status pm_gpu_seats_open(const char *text, int gpus, pm_gpu_seats *out, pm_error *err)
{
    pm_status rc = PM_OK;
    *out = (pm_gpu_seats){0};
    if (2 * gpus > PM_GPU_SEATS_MOST)
        return pm_fail(err, PM_EINTERNAL, "GPU: too many devices");
    for (; out->count < 2 * gpus && !rc; out->count += !rc)
        rc = load(text, out->count % gpus, &out->seat[out->count], err);
    return rc;
}

void pm_gpu_seats_close(pm_gpu_seats *s)
{
    for (int i = 0; i < s->count; ++i)
        pm_gpu_session_close(s->seat[i]);
    *s = (pm_gpu_seats){0};
}
