/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/run.h: the settings of one computation: threads, memory, limits of time, and callbacks.
 * A zeroed pm_run has the defaults.  Functions that take a const pm_run * accept NULL for them. */
#ifndef PM_RUN_H
#define PM_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

typedef struct pm_run pm_run;

struct pm_run {
    int threads;        /* 0: omp_get_max_threads() */
    int64_t max_memory; /* bytes that the arrays of an algorithm may take; 0: three quarters of the
                         * available memory.  pm/memory.h has the bound of the process */
    double max_cost;    /* seconds: what is predicted to take longer is refused; 0: no limit */
    const volatile sig_atomic_t *stop; /* computations stop early (PM_ESTOPPED) when *stop is not 0;
                                        * may be NULL */
    double deadline; /* computations also stop at this time, seconds of CLOCK_MONOTONIC; 0: none */
    /* Called from time to time, by one thread at a time.  fraction: the part of the current item
     * that is done, 0 to 1; text: a short description, or NULL.  May be NULL. */
    void (*progress)(void *context, double fraction, const char *text);
    /* Called with a remark of one line.  level 0: a warning; 1 to 3: more and more
     * details.  May be NULL. */
    void (*note)(void *context, int level, const char *line);
    int quiet;     /* remarks of this level and above are not made; 0: all are */
    void *context; /* of the callbacks */
};

/* True when run->stop is set or the deadline has passed. */
bool pm_run_stopped(const pm_run *run);
/* True when the deadline has passed and run->stop is not set. */
bool pm_run_is_late(const pm_run *run);
/* A copy whose deadline is at most this many seconds from now; seconds = 0: a plain copy.
 * run is not NULL. */
pm_run pm_run_within(const pm_run *run, double seconds);

/* The number of threads to use, at least 1. */
int pm_run_threads(const pm_run *run);
/* The bytes that may be used: run->max_memory, or three quarters of the available memory. */
int64_t pm_run_memory(const pm_run *run);
/* False when pm_run_note does nothing. */
bool pm_run_wants_note(const pm_run *run, int level);
/* Calls run->note with a printf-style line of at most 1023 characters. */
void pm_run_note(const pm_run *run, int level, const char *fmt, ...) PM_PRINTF(3, 4);
/* Calls run->progress. */
void pm_run_progress(const pm_run *run, double fraction, const char *text);

/* A run for a part of a computation: its progress 0 to 1 is reported as `before` to `before +
 * share` of the whole.  *part must outlive the returned run.  Returns NULL when whole is NULL. */
typedef struct {
    pm_run run;
    const pm_run *whole;
    double before, share;
} pm_run_part;
const pm_run *pm_run_part_of(pm_run_part *part, const pm_run *whole, double before, double share);

#endif
