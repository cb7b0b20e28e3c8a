/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/estimate.h: estimates the value of an item.  Blocks that are cheap to count are counted
 * exactly; the others are sampled until the interval is as narrow as requested or a limit is
 * reached. */
#ifndef PM_ESTIMATE_H
#define PM_ESTIMATE_H

#include "estimate/expression_tree.h"
#include "pm/count.h"
#include "pm/run.h"
#include "sampler/sampler_backend.h"

struct pm_estimate;

typedef struct {
    const pm_sampler_method *method; /* for every block; NULL: chosen by pilot samples */
    pm_sampler_options sampler;
    pm_sampler_backend backend; /* the CPU by default */
    uint64_t seed;
    double level;          /* confidence level of the interval, in (0, 1) */
    double rel_err;        /* stop when the half-width relative to the estimate is at most this; 0:
                            * no such limit */
    int64_t samples;       /* stop when every block has this number of samples; 0: no limit */
    double seconds;        /* stop after this time on the clock, of which exact counts get at most a
                            * quarter, and pilot samples another quarter; 0: no limit */
    double exact_seconds;  /* count a block when the predicted seconds of one core are at most this;
                            * 0: never */
    double planar_seconds; /* the same for planar blocks, when it is larger: planar blocks that
                            * take long are too large for any sampler */
    double most_seconds;   /* fail with PM_UNABLE where a block is to be counted or sampled and one
                            * core is predicted to take longer for it, or pilot samples are
                            * needed; 0: no such limit.  It changes no digit. */
    pm_count_options count; /* of exact counts; samples are recorded in its ledger too */
    /* Called after each update of the estimate of an item; may be NULL. */
    void (*watch)(void *watcher, const struct pm_estimate *so_far);
    void *watcher;
} pm_estimate_options;

/* rel_err 1 %, level 95 %, at most a minute, exact_seconds 2. */
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
    bool is_certified;      /* the interval is a theorem */
    pm_interval interval;   /* relative to `unit` */
    pm_xreal unit;          /* the value; when terms of both signs nearly cancel, their size */
    pm_xreal low, high;     /* the ends of the interval, low <= high */
    bool has_low, has_high; /* false: this end is infinite, and is 0 here */
    double relative_error;  /* standard error divided by the estimate */
    double tail_k;          /* the largest tail index of the blocks; NAN: too few samples */
    double effective;       /* the smallest effective number of samples of a block */
    int64_t samples, dead;  /* samples, and dead ends among them, of all blocks */
    const char *method;     /* "exact", the method of all sampled blocks, or "several" */
    const char *device;     /* that has drawn samples: "cpu", "cuda", or "several" for both */
    pm_stop_reason stopped_by;
    double seconds;   /* on the clock, for drawing samples */
    double tail_free; /* log10 of a lower bound at the same level; valid for any tail; NAN: none */
} pm_estimate;

void pm_estimate_init(pm_estimate *e);
void pm_estimate_clear(pm_estimate *e);
/* Sets low and high from the interval and its unit. */
void pm_estimate_set_ends(pm_estimate *e);

/* Estimates the value of x.  Stops early when run->stop is set: when every block has samples by
 * then, this is not a failure and *out is the estimate so far.  A sample that has begun is
 * completed.
 * out: pm_estimate_init by the caller.
 * With a ledger an estimation that was stopped goes on to the same bits, and a part draws its share of
 * o->samples, which it needs: no rel_err and no seconds.
 * Fails: PM_UNABLE no method is able to sample a block (negative or complex entries, ...), or all
 * samples of a block were dead ends; PM_ESTOPPED before the first estimate; PM_ENOMEM; with a ledger
 * PM_PARTIAL other parts have to do the rest, and PM_EDATA. */
pm_status pm_estimate_item(pm_expression *x, const pm_estimate_options *o, const pm_run *run,
                           pm_estimate *out, pm_error *err);

#endif
