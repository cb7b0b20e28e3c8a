/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/idle_modules.h"

#include <string.h>

#include "gpu/gpu.h"

/* One list for the process, as devices belong to the process.  The most recently used module is
 * last. */
static struct {
    pm_module module[PM_GPU_MAX * PM_IDLE_MODULES];
    int count;
} idle;

static pm_module take_out(int at)
{
    pm_module m = idle.module[at];
    --idle.count;
    memmove(&idle.module[at], &idle.module[at + 1],
            (size_t)(idle.count - at) * sizeof *idle.module);
    return m;
}

bool pm_idle_take(int device, const char *text, pm_module *out)
{
    bool is_there = false;
#pragma omp critical(pm_idle_modules)
    for (int i = 0; i < idle.count && !is_there; ++i) {
        const pm_module *m = &idle.module[i];
        is_there = m->device == device && strcmp(m->text, text) == 0;
        if (is_there)
            *out = take_out(i);
    }
    return is_there;
}

bool pm_idle_put(pm_module m, pm_module *out)
{
    int same = 0, oldest = 0;
    bool is_full;
#pragma omp critical(pm_idle_modules)
    {
        for (int i = idle.count; i-- > 0;)
            if (idle.module[i].device == m.device) {
                ++same;
                oldest = i;
            }
        is_full = same == PM_IDLE_MODULES;
        if (is_full)
            *out = take_out(oldest);
        idle.module[idle.count++] = m;
    }
    return is_full;
}

bool pm_idle_take_any(pm_module *out)
{
    bool is_there;
#pragma omp critical(pm_idle_modules)
    {
        is_there = idle.count > 0;
        if (is_there)
            *out = take_out(idle.count - 1);
    }
    return is_there;
}
