/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/single_step.h: the equations of Newton's steps (sinkhorn.h) for a large matrix, by conjugate gradients in
 * single precision on the host.
 *
 * A step makes the residual some times smaller, and what it leaves is computed anew in double precision.  So it needs few
 * digits, as in iterative refinement (Wilkinson 1963), and its vectors take half the memory. */
#ifndef PM_SINGLE_STEP_H
#define PM_SINGLE_STEP_H

#include "sinkhorn/coarse.h"

enum { PM_SINGLE_ROWS = 10000 }; /* of a large matrix */

/* (diag(R) - X X^T) step = 1 - R, R the row sums of X, whose columns sum to 1. */
typedef struct {
    /* On the host: its pattern, and its entries or the vectors whose products they are. */
    const pm_workspace *on;
    const pm_coarse *coarse; /* NULL, or systems beside the diagonal */
    double share;            /* it ends where at most this share of the right side remains, */
    int64_t steps;           /* after so many steps, */
    int64_t hopeless;        /* after so many, if more remains than at the beginning; 0: none, */
    const pm_run *run;       /* or when the run is to stop */
} pm_single_equations;

typedef struct {
    int64_t taken; /* steps, two products each */
    /* Numbers are too small or too large for single precision: the result is of no use. */
    bool is_broken;
    bool is_hopeless;
    bool is_worse; /* more remains than at the beginning: it ended too early */
} pm_single_end;

/* Conjugate gradients.  step: [rows].
 * The number of threads changes no digit.  Memory: 18 bytes a row.
 * Fails: PM_ENOMEM. */
pm_status pm_single_step(const pm_single_equations *q, float *step, pm_single_end *end,
                         pm_error *err);

#endif
