/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/run.h: how a computation may use the machine, and how it talks to its caller. */
#ifndef PM_RUN_H
#define PM_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

typedef struct pm_run pm_run;

struct pm_run {
    int threads;        /* 0: as many as OpenMP offers */
    int64_t max_memory; /* bytes for the engine's arrays; 0: three quarters of what is available */
    double max_cost;    /* refuse what is predicted to take more seconds; 0: no limit */
    const volatile sig_atomic_t *stop; /* nonzero: give up soon (PM_ESTOPPED); may be NULL */
    double deadline;                   /* the same from this second of core/clock.h on; 0: none */
    /* Called now and then from one thread: fraction 0..1 of the current item done. May be NULL. */
    void (*progress)(void *context, double fraction, const char *what);
    /* A line for people at verbosity >= level; NULL: drop. */
    void (*note)(void *context, int level, const char *line);
    void *context;
};

/* Is it to give up?  run may be NULL. */
bool pm_run_stopped(const pm_run *run);
/* Is the deadline alone the reason for that? */
bool pm_run_is_late(const pm_run *run);
/* A copy that has at most so many seconds from now on; 0: as many as run. */
pm_run pm_run_within(const pm_run *run, double seconds);

int pm_run_threads(const pm_run *run);
/* Bytes: run->max_memory, or three quarters of MemAvailable. */
int64_t pm_run_memory(const pm_run *run);
void pm_run_note(const pm_run *run, int level, const char *fmt, ...) PM_PRINTF(3, 4);
void pm_run_progress(const pm_run *run, double fraction, const char *what);

/* A run that is the part from `before` to `before + share` of another: what it reports as 0..1 the
 * other one's caller sees there.  NULL stays NULL. */
typedef struct {
    pm_run run;
    const pm_run *whole;
    double before, share;
} pm_run_part;
const pm_run *pm_run_part_of(pm_run_part *part, const pm_run *whole, double before, double share);

#endif
