/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_sessions.h"

#include "gpu/gpu_use.h"

typedef struct {
    const char *text;
    int gpus;
    pm_gpu_sessions *sessions;
} opening;

static pm_status open_one(void *context, int gpu, pm_error *err)
{
    const opening *o = context;
    pm_status rc = PM_OK;
    for (int i = gpu; i < o->sessions->count && !rc; i += o->gpus)
        rc = pm_gpu_session_open(gpu, o->text, &o->sessions->session[i], err);
    return rc;
}

pm_status pm_gpu_sessions_open(const char *text, int gpus, pm_gpu_sessions *out, pm_error *err)
{
    opening o = {text, gpus, out};
    *out = (pm_gpu_sessions){.count = 2 * gpus};
    return pm_gpu_on_each(gpus, open_one, &o, err);
}

void pm_gpu_sessions_close(pm_gpu_sessions *s)
{
    for (int i = 0; i < s->count; ++i)
        pm_gpu_session_close(s->session[i]);
    *s = (pm_gpu_sessions){0};
}
