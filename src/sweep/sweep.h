/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/sweep.h: a permanent as a sum over indices, and how ranges of indices are summed.
 *
 * A method of the Ryser family prepares a sweep: a problem, the number of its indices, and a
 * function that sums any range of them.  A sweep on GPUs has a function of its own for whole ranges
 * (sweep/gpu_sweep.h).
 * A range is divided into pieces.  Their size does not depend on the number of threads, and their
 * sums are added exactly (ledger/ledger.h); so the digits depend neither on the number of threads nor
 * on the ranges in which the indices were summed.
 *
 * Errors of inexact sums.  Row sums x_i are exact for the rounded entries (sweep/square.h).  Then
 *
 *   |sum - true sum| <= rounding * absolute + spread + lost + count * 2^-1040
 *
 * where `absolute` is the sum of |terms|; `rounding` bounds the relative error of computing and
 * adding a term; `lost` what underflow changes, where numbers are not doubles; and with e_i = square.inexact[i],
 *
 *   spread = sum over terms of (prod_i (|x_i| + S e_i) - prod_i |x_i|) / S,   S = 2^20 or so.
 *
 * (The true row sum lies within e_i of x_i; f(s) = prod (|x_i| + s e_i) - prod |x_i| is convex and
 * f(0) = 0, so f(1) <= f(S) / S.  The factor S makes the difference larger than its rounding
 * error.)  Where all e_i are 0 the spread is 0.  A sweep may evaluate the spread on a sample of the
 * terms and scale it up; then `sampled` is set and the error is called estimated. */
#ifndef PM_SWEEP_H
#define PM_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "ledger/ledger.h"
#include "pm/run.h"
#include "pm/status.h"
#include "sweep/square.h"
#include "sweep/sum.h"

#define PM_SPREAD_SCALE 0x1p20

typedef struct pm_sweep pm_sweep;

struct pm_sweep {
    const char *what; /* for the progress line */
    uint64_t count;   /* indices 0 .. count - 1, at most 2^63 */
    uint64_t grain;   /* a range begins at a multiple of grain; it ends at one, or at count */
    /* a multiple of grain: the indices that one thread sums between two checks of the stop flag,
     * 1 to 50 milliseconds; depends on the problem only */
    uint64_t piece;
    uint64_t
        share; /* a multiple of piece, at multiples of which shares of parts begin; 0: of piece */
    int limbs; /* exact: of the sum; 0: inexact */
    double rounding, lost; /* inexact: see above */
    bool sampled;
    int64_t shift; /* permanent of the square's integers = 2^shift * the sum of all indices */
    void *problem;
    /* Adds the indices first .. end - 1 to *sum, which the caller has zeroed. */
    void (*range)(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);
    /* NULL, or a function that takes all ranges of the task and puts their sums into it, in place of
     * the threads. */
    pm_status (*run)(const pm_sweep *s, pm_ledger_task *task, const pm_run *run, pm_error *err);
    /* Adds to the hash all that the sums of ranges depend on; NULL: the choice of the method says it. */
    pm_status (*identify)(const pm_sweep *s, pm_sha256 *hash, pm_error *err);
    void (*free_problem)(void *problem);
};

void pm_sweep_free(pm_sweep *s);

/* *out: the sum of all indices, which is a task of the scope (NULL: of none).  choice: bytes that
 * define the sweep within the scope.  The threads of run share the pieces; stops early when run->stop
 * is set.
 * Fails: PM_PARTIAL other parts have to do the rest; PM_ESTOPPED, PM_ENOMEM, and the failures of
 * s->run. */
pm_status pm_sweep_all(const pm_sweep *s, const pm_ledger_scope *scope, const void *choice,
                       size_t choice_size, const pm_run *run, pm_sum *out, pm_error *err);

/* The same for the indices first .. end - 1, multiples of the grain, without a ledger. */
pm_status pm_sweep_range(const pm_sweep *s, uint64_t first, uint64_t end, const pm_run *run,
                         pm_sum *out, pm_error *err);
/* The same sum without rounding. */
pm_status pm_sweep_range_total(const pm_sweep *s, uint64_t first, uint64_t end, const pm_run *run,
                               pm_sweep_total *out, pm_error *err);

#endif
