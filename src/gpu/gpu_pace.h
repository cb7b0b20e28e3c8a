/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_pace.h: how many blocks a launch of a sweep has: as many as last about
 * PM_LAUNCH_SECONDS by the clock, so that a signal is soon seen; but no fewer than fill the device,
 * since those go on side by side and fewer end no sooner. */
#ifndef PM_GPU_PACE_H
#define PM_GPU_PACE_H

#include <stdint.h>

typedef struct {
    int64_t wanted, least, most; /* powers of two */
} pm_gpu_pace;

/* For a device that runs `resident` blocks side by side and gets at most `most`, a power of two, in a
 * launch.  Begins with the fewest: a card may be slower than any prediction. */
pm_gpu_pace pm_gpu_pace_begin(int64_t resident, int64_t most);

/* A launch of count blocks ended, `seconds` after the one before. */
void pm_gpu_pace_keep(pm_gpu_pace *p, int64_t count, double seconds);

#endif
