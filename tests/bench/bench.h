/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/bench/bench.h: the start of a benchmark, clocks, and the end when it cannot go on. */
#ifndef PM_BENCH_H
#define PM_BENCH_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/isa.h"
#include "pm/settings.h"
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

/* Sets PM_ISA, as the programs do, which the library does not read itself.  For the first line of
 * main. */
static inline void bench_start(void)
{
    pm_error err;
    pm_settings_set(&(pm_settings){.isa = getenv("PM_ISA")});
    if (pm_isa_is_misnamed())
        must(pm_fail(&err, PM_EUSAGE, "PM_ISA: expected portable, avx2, avx512 or avx512ifma"),
             &err);
}

#endif
