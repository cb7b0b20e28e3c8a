/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/sweep.h: a permanent as a sum over an index space, and how ranges of it are run.
 *
 * A method of the Ryser family prepares a sweep: a problem, the number of its indices and a
 * function that sums any range of them.  Threads, shards and tests all call that one function;
 * a sweep on GPUs brings a way of its own to run ranges (sweep/gpu_sweep.h).
 * Pieces are of fixed size, whatever the number of threads, and are added in their sequence, so
 * digits do not depend on it.
 *
 * Errors of inexact sums.  Row sums x_i are exact for the rounded entries (sweep/square.h).  Then
 *
 *   |sum - true sum| <= rounding * absolute + spread + count * 2^-1040
 *
 * where `absolute` is the sum of |terms|; `rounding` bounds the relative error of a computed term
 * and of adding them up; and with e_i = square.inexact[i],
 *
 *   spread = sum over terms of (prod_i (|x_i| + S e_i) - prod_i |x_i|) / S,   S = 2^20 or so.
 *
 * (The true row sum lies within e_i of x_i; f(s) = prod (|x_i| + s e_i) - prod |x_i| is convex and
 * f(0) = 0, so f(1) <= f(S) / S, and S lifts the difference out of the rounding.)  Where all
 * e_i are 0 the spread is 0.  A sweep may evaluate it on a sample of the terms only, scaled up:
 * then `sampled` is set and the printed error is called an estimate. */
#ifndef PM_SWEEP_H
#define PM_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "pm/run.h"
#include "pm/status.h"
#include "sweep/square.h"
#include "sweep/sum.h"

#define PM_SPREAD_SCALE 0x1p20

typedef struct pm_sweep pm_sweep;

struct pm_sweep {
    const char *what; /* for the progress line */
    uint64_t count;   /* indices 0 .. count - 1, at most 2^63 */
    uint64_t grain;   /* a range starts at a multiple of it and ends at one or at count */
    uint64_t piece;   /* a multiple of grain: what one thread does between two looks at the stop
                       * flag, 1 to 50 milliseconds; a function of the problem alone */
    int limbs;        /* exact: of the sum; 0: inexact */
    double rounding;  /* inexact: see above */
    bool sampled;
    int64_t shift; /* permanent of the square's integers = 2^shift * the sum of all indices */
    void *problem;
    /* *sum is zeroed by the caller */
    void (*range)(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);
    /* in its place: a range, shared out in a way of its own; as pm_sweep_range */
    pm_status (*run)(const pm_sweep *s, uint64_t first, uint64_t end, const pm_run *run,
                     pm_sum *out, pm_error *err);
    void (*free_problem)(void *problem);
};

void pm_sweep_free(pm_sweep *s);

/* Sum of the indices first .. end - 1, in pieces shared among the threads of run.
 * Fails: PM_ESTOPPED, PM_ENOMEM, and what a sweep's own way fails with. */
pm_status pm_sweep_range(const pm_sweep *s, uint64_t first, uint64_t end, const pm_run *run,
                         pm_sum *out, pm_error *err);

#endif
