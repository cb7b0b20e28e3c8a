/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/clock.h: the monotonic clock. */
#ifndef PM_CLOCK_H
#define PM_CLOCK_H

#include <time.h>

/* Seconds of CLOCK_MONOTONIC.  pm_run.deadline is a time of this clock. */
static inline double pm_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
