/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/sinkhorn.h: Sinkhorn's scaling: rows and columns are multiplied by factors until each sums to 1.
 *
 * Sinkhorn 1964 divides the columns by their sums and the rows by theirs, in turn.  Where that is slow,
 * with weights over many magnitudes, its limit is the minimum of a convex function of the logarithms u
 * of the row factors, f(u) = sum_j log sum_i a_ij exp(u_i) - sum_i u_i, which Newton's method finds in
 * some ten steps.  With X the scaled matrix, whose columns sum to 1, and R the row sums, the gradient is
 * R - 1 and the second derivative diag(R) - X X^T; the step is found by conjugate gradients, two
 * products for each.  (Knight and Ruiz 2013 do this for symmetric matrices.) */
#ifndef PM_SINKHORN_H
#define PM_SINKHORN_H

#include "pm/run.h"
#include "spmv/workspace.h"

typedef struct {
    pm_workspace on;
    double *x; /* [nnz]: the scaled matrix, after pm_sinkhorn_improve; NULL: x_ij = row_i col_j */
    /* [n] each: the factors, x_ij = row_i a_ij col_j, after pm_sinkhorn_improve; in the range of doubles also where factors are not, see
     * pm_sinkhorn_row_exponent. */
    double *row, *col;
    bool drops_row;     /* see pm_sinkhorn_drop_rows */
    bool is_linear;     /* see pm_sinkhorn_step_linearly */
    bool is_slow;       /* conjugate gradients get coarse systems (coarse.h) */
    bool has_no_coarse; /* none were found */
    bool is_wide;       /* numbers differ too much for steps in single precision (single_step.h) */
    bool is_stuck;      /* the last step took all products that it might and brought nothing */
    /* Factors may be far from right: only a part of Newton's last step was taken; or its equations were not solved, and sums are far from 1 or the
     * step was linear. */
    bool is_far;
    double residual;  /* the largest |row sum - 1|; columns sum to 1 but for rounding */
    int64_t products; /* so far */
    const pm_run *run;
} pm_sinkhorn;

/* a: square, n >= 1, its pattern; it and run must outlive *out.  device: as in pm_workspace_make.  The
 * caller frees *out.
 * Fails: what pm_workspace_make fails with. */
pm_status pm_sinkhorn_make(const pm_matrix *a, int device, const pm_run *run, pm_sinkhorn *out,
                           pm_error *err);
/* The same, on the host, for entries that are all 1: they are not stored, and x is NULL.  Memory: of a large matrix 40 bytes a row and
 * column together, 72 of a small one, most of them only during pm_sinkhorn_improve; in lattices those of coarse.h, too. */
pm_status pm_sinkhorn_make_ones(const pm_matrix *a, const pm_run *run, pm_sinkhorn *out,
                                pm_error *err);
/* For a caller that does not need the factors of the rows, before the first start: they take no memory of the host, and row is NULL.
 * They follow from those of the columns: row_i = 1 over the sum of a_ij col_j. */
void pm_sinkhorn_drop_rows(pm_sinkhorn *s);
/* After a start, where entries are stored and rows dropped: the steps of the next improvements change entries linearly
 * (linear_step.h), until the next start.  The result is no scaling of the matrix any more, and the factors of the columns hold only
 * nearly.  But steps come nearer to sums of 1 where entries differ much or a lattice has frozen corners, since none makes an entry larger than 1. */
void pm_sinkhorn_step_linearly(pm_sinkhorn *s);
/* Factors are row[i] and col[j] times two to the power of this; 0 unless factors are far from 1. */
int pm_sinkhorn_row_exponent(const pm_sinkhorn *s, int64_t i);
int pm_sinkhorn_col_exponent(const pm_sinkhorn *s, int64_t j);
/* Frees the scaled matrix; the factors stay. */
void pm_sinkhorn_drop_entries(pm_sinkhorn *s);
void pm_sinkhorn_free(pm_sinkhorn *s);

/* Begins with the entries value[k] > 0, factors 1 and no products.  value: s->x itself is allowed; ignored where entries are not
 * stored. */
void pm_sinkhorn_start(pm_sinkhorn *s, const double *value);

/* The same with the column factors s->col, which were set since the last improvement: those that value[k] already has. */
void pm_sinkhorn_start_from(pm_sinkhorn *s, const double *value);

/* The same with the factors of the columns that the last improvement found, as value[k] has them. */
void pm_sinkhorn_start_again(pm_sinkhorn *s, const double *value);

/* Goes on until the residual is at most `target`, or about `most` products were made since the
 * start, or steps bring nothing more: without a perfect matching through every entry there is no
 * limit.  Where `target` is large, entries of a large matrix are rounded to single precision before each of Newton's steps; they and the
 * factors then differ by some 2^-24.  s->residual says how far it came; it is NAN after overflow.
 * Fails: PM_UNABLE a factor is beyond 2^16776704, or would change by more than exp(300000) in one linear step: then entries and factors are
 * there, and of no use but for a start; PM_ESTOPPED; PM_ENOMEM; PM_ENODEV. */
pm_status pm_sinkhorn_improve(pm_sinkhorn *s, double target, int64_t most, pm_error *err);

#endif
