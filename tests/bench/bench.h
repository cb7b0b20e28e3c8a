/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/bench/bench.h: clocks, and the end of a benchmark that cannot go on. */
#ifndef PM_BENCH_H
#define PM_BENCH_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pm/status.h"

static inline double clock_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double wall_seconds(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

static inline double processor_seconds(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static inline void must(pm_status s, const pm_error *err)
{
    if (s != PM_OK) {
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, err->msg);
        exit(pm_exit_status(s));
    }
}

#endif
