/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/gpu_seats.h"

#include <stdlib.h>

/* What was compiled last; most devices are of one kind. */
typedef struct {
    int major, minor;
    pm_gpu_image image;
} compiled;

static pm_status load(const char *text, int device, compiled *c, pm_gpu_session **out,
                      pm_error *err)
{
    pm_gpu_info info;
    pm_status rc = pm_gpu_look(device, &info, err);
    if (!rc && (!c->image.data || c->major != info.major || c->minor != info.minor)) {
        free(c->image.data);
        *c = (compiled){info.major, info.minor, {0}};
        rc = pm_gpu_compile(text, info.major, info.minor, &c->image, err);
    }
    return rc ? rc : pm_gpu_session_open(device, &c->image, out, err);
}

pm_status pm_gpu_seats_open(const char *text, int gpus, pm_gpu_seats *out, pm_error *err)
{
    pm_status rc = PM_OK;
    compiled c = {0};
    *out = (pm_gpu_seats){0};
    if (2 * gpus > PM_GPU_SEATS_MOST)
        return pm_fail(err, PM_EINTERNAL, "GPU: too many devices");
    for (; out->count < 2 * gpus && !rc; out->count += !rc)
        rc = load(text, out->count % gpus, &c, &out->seat[out->count], err);
    free(c.image.data);
    return rc;
}

void pm_gpu_seats_close(pm_gpu_seats *s)
{
    for (int i = 0; i < s->count; ++i)
        pm_gpu_session_close(s->seat[i]);
    *s = (pm_gpu_seats){0};
}
