/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/sweeps.h: the vectors of a scaling (sinkhorn.h), its sweeps, and the precision of its entries.  For this room only. */
#ifndef PM_SWEEPS_H
#define PM_SWEEPS_H

#include "sinkhorn/sinkhorn.h"
#include "spmv/conjugate_gradients.h"

/* Vectors of the workspace.  Those from STEP on are for Newton's method: they are not written, so take no memory, where sweeps
 * are enough.  Nor are two vectors of the other four before the first sweeps end, and one where these are enough. */
enum {
    PM_AT_COL,
    PM_AT_ROW, /* the factors so far */
    PM_AT_C,
    PM_AT_R,    /* changes of them */
    PM_AT_STEP, /* of Newton's method: the changes of logarithms of the rows */
    PM_AT_REST,
    PM_AT_DIAGONAL,
    PM_AT_SOLVER,
    PM_AT_VECTORS = PM_AT_SOLVER + PM_CONJUGATE_GRADIENTS_VECTORS,
    PM_AT_SUM = PM_AT_C, /* of the rows: after the changes of the columns */
    PM_AT_Q = PM_AT_R,   /* of a step: the rows change after it */
    PM_AT_FACTORS = PM_AT_ROW + 1,
    PM_AT_OF_A_STEP = PM_AT_C,      /* from here on all are lost at its end, but for the sums */
    PM_AT_SPARE = PM_AT_VECTORS - 1 /* has no values that are needed while the columns are summed */
};

/* The factors on the host are the vectors themselves; the others are there while they are used. */
void pm_sinkhorn_use_vectors(pm_sinkhorn *s);

/* x = value, for each element of a vector. */
void pm_sinkhorn_fill(pm_sinkhorn *s, double value, int x);

/* y = X^T x, one more of s->products */
void pm_sinkhorn_by_columns(pm_sinkhorn *s, int x, int y);
/* y = X 1, which is not counted */
void pm_sinkhorn_sum_rows(pm_sinkhorn *s, int y);

/* The columns are divided by their sums with the rows multiplied by R; then the matrix and the residual
 * are up to date, and SUM has the sums of the rows; R is lost before there are factors of the rows.  Returns how much smaller f (sinkhorn.h)
 * has become. */
double pm_sinkhorn_finish(pm_sinkhorn *s);

/* Divides the rows by their sums and then the columns by theirs, `count` times. */
void pm_sinkhorn_sweep(pm_sinkhorn *s, int count);

/* Whether steps are computed in single precision (single_step.h). */
bool pm_sinkhorn_is_single(const pm_sinkhorn *s);

/* Entries that are stored are rounded where the scaling need not be exact, by its target.  So a residual is not made much smaller
 * than 2^-24, which is far below these targets. */
void pm_sinkhorn_fold(pm_sinkhorn *s, double target);

/* Entries in double precision again.  Fails: PM_ENOMEM; then there are no entries, as if they had been dropped. */
pm_status pm_sinkhorn_unfold(pm_sinkhorn *s, pm_error *err);

#endif
