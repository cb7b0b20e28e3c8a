/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_pace.h: how many thread blocks a launch of a sweep has.  A launch should take about
 * PM_LAUNCH_SECONDS, so that the stop flag is checked often enough; but `wanted` is never below
 * `least`, the largest power of two of blocks that the device runs at the same time, since fewer
 * would not end sooner. */
#ifndef PM_GPU_PACE_H
#define PM_GPU_PACE_H

#include <stdint.h>

typedef struct {
    int64_t wanted;      /* blocks of the next launch */
    int64_t least, most; /* bounds of wanted; all three are powers of two */
} pm_gpu_pace;

/* For a device that runs `resident` blocks at the same time; most: blocks of a launch at most, a
 * power of two.  Begins with the fewest blocks, because a device may be slower than any
 * prediction. */
pm_gpu_pace pm_gpu_pace_begin(int64_t resident, int64_t most);

/* Adapts p->wanted after a launch of `count` blocks that ended `seconds` after the launch before
 * it. */
void pm_gpu_pace_update(pm_gpu_pace *p, int64_t count, double seconds);

#endif
