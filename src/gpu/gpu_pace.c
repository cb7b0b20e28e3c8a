/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_pace.h"

#include "core/machine.h"

/* Doublings after one launch, at most: later blocks may take longer than earlier ones. */
#define GROWTH 3

pm_gpu_pace pm_gpu_pace_begin(int64_t resident, int64_t most)
{
    pm_gpu_pace p = {.least = 1, .most = most};
    while (2 * p.least <= resident && 2 * p.least <= most)
        p.least *= 2;
    p.wanted = p.least;
    return p;
}

void pm_gpu_pace_update(pm_gpu_pace *p, int64_t count, double seconds)
{
    if (seconds > 2 * PM_LAUNCH_SECONDS && p->wanted > p->least)
        p->wanted /= 2;
    if (count != p->wanted)
        return;
    for (int k = 0; k < GROWTH && seconds < PM_LAUNCH_SECONDS / 2; ++k, seconds *= 2)
        if (2 * p->wanted <= p->most)
            p->wanted *= 2;
}
