/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/estimate.h: the value of an item of an input, exact where that is cheap, else estimated
 * until it is as accurate as asked for, or a limit is met. */
#ifndef PM_ESTIMATE_H
#define PM_ESTIMATE_H

#include "estimate/expression_tree.h"
#include "pm/count.h"
#include "pm/run.h"
#include "sampler/sampler_backend.h"

struct pm_estimate;

typedef struct {
    const pm_sampler_method *method; /* of every block; NULL: what pilots choose */
    pm_sampler_options sampler;
    pm_sampler_backend place; /* the CPU by default */
    uint64_t seed;
    double level;           /* of the interval, in (0, 1) */
    double rel_err;         /* stop at this half-width relative to the estimate; 0: not */
    int64_t samples;        /* stop when every block has so many; 0: not */
    double seconds;         /* stop after so many of the clock: a quarter at most for exact counts,
                             * and another for pilots; 0: not */
    double exact_seconds;   /* count a block where one core is predicted to take less; 0: never */
    double planar_seconds;  /* the same of planar blocks, if it is more: those that take long are
                             * too large for any sampler */
    pm_count_options count; /* how */
    /* Told whenever there is news of an item; may be NULL. */
    void (*watch)(void *watcher, const struct pm_estimate *so_far);
    void *watcher;
} pm_estimate_options;

/* 1 % at 95 %, at most a minute; exact up to two seconds. */
pm_estimate_options pm_estimate_defaults(void);

typedef enum {
    PM_STOP_NOTHING, /* nothing was sampled */
    PM_STOP_REL_ERR,
    PM_STOP_SAMPLES,
    PM_STOP_TIME,
    PM_STOP_SIGNAL
} pm_stop_reason;

typedef struct pm_estimate {
    pm_value value; /* exact, or the estimate; its error is not set */
    bool is_exact;
    bool is_certified;      /* the interval is a theorem, no statistics */
    pm_interval interval;   /* in units */
    pm_xreal unit;          /* the value, or what terms that nearly cancel come to */
    pm_xreal low, high;     /* the interval itself, low <= high */
    bool has_low, has_high; /* else that end is infinite, and 0 here */
    double relative_error;  /* standard error over the estimate */
    double tail_k;          /* the worst of the blocks; NAN: too few samples */
    double effective;       /* the least effective number of samples of a block */
    int64_t samples, dead;  /* of all blocks */
    const char *method;     /* "exact", that of all sampled blocks, or "several" */
    const char *device;     /* that drew: "cpu", "cuda", or "several" where both did */
    pm_stop_reason stopped_by;
    double seconds;   /* of the clock, drawing samples */
    double tail_free; /* log10 of a lower bound at the same level whatever the tail; NAN: none */
} pm_estimate;

void pm_estimate_init(pm_estimate *e);
void pm_estimate_clear(pm_estimate *e);
/* low and high from the interval and its unit. */
void pm_estimate_set_ends(pm_estimate *e);

/* x: closed.  A stop after the first samples of every block is no failure; a sample that has begun
 * is finished.
 * Fails: PM_UNABLE no method takes a block (negative or complex entries, ...), or no sample came
 * through; PM_ESTOPPED before there was anything to tell; PM_ENOMEM. */
pm_status pm_estimate_item(pm_expression *x, const pm_estimate_options *o, const pm_run *run,
                           pm_estimate *out, pm_error *err);

#endif
