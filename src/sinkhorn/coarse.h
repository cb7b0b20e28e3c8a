/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/coarse.h: coarse systems beside conjugate gradients, for the equations of Newton's steps (sinkhorn.h).
 *
 * In a lattice conjugate gradients take as many steps as it is wide, and where weights differ many more, since
 * differences that are smooth, or between parts with weak ties, are removed slowly.  Here rows that are tied strongly
 * by A = diag(R) - X X^T are put into clusters of some 12, these clusters into larger ones, and so on until
 * at most 1000 are left.  With the columns of P the clusters of rows, the inverse of the diagonal gets P B P^T, B nearly the inverse
 * of P^T A P (Nicolaides 1987).  B is the K-cycle of Notay and Vassilevski (2008): the equations of a level get two steps
 * of conjugate gradients, which are preconditioned by a step of Jacobi's method, the next level, and another step of
 * Jacobi's method; those of the last level are solved.  So the number of steps hardly depends on the size of a lattice.
 * What a cluster may hold follows Napov and Notay (2012): steps of Jacobi's method must even out differences within it
 * fast.  R is taken as the row sums of X X^T, so that A 1 = 0: X has columns that sum to 1. */
#ifndef PM_COARSE_H
#define PM_COARSE_H

#include "sinkhorn/coarse_last.h"
#include "sinkhorn/coarse_matrix.h"
#include "spmv/workspace.h"

enum {
    PM_COARSE_LEVELS = 24,
    PM_COARSE_VISITS = 2 /* at most, to the next level while a level is visited */
};

/* Of a level: the right side, then what remains of it; the solution; of one that is not the last: A times the first direction, the
 * second direction, and what is left beside a step of Jacobi's method. */
typedef struct {
    float *rest, *step, *image, *other, *left;
} pm_coarse_vectors;

/* Clusters of items: of the rows, or of the clusters of the level below.  Numbers that only precondition are in
 * single precision. */
typedef struct {
    int64_t items, count; /* count: clusters */
    int32_t *cluster;     /* [items]; or NULL: */
    uint16_t *of_part;    /* [items]: less the first cluster of the part */
    /* The items in parts, which clusters do not cross: part p begins with item floor(items p / parts), and its
     * clusters are first[p] .. first[p + 1] - 1. */
    int parts;
    int32_t first[PM_COARSE_PARTS + 1];
    pm_coarse_last last; /* of the last level */
    /* Of the others: P^T A P, and 1 over its diagonal, [count]. */
    pm_coarse_matrix a;
    float *inverse;
    /* [count]; none of the first level where rows are five times as many: then they are in the room of pm_coarse_add */
    pm_coarse_vectors v;
} pm_coarse_level;

typedef struct {
    int levels, threads;
    int products; /* pm_coarse_add takes as long as so many products with X, nearly */
    pm_coarse_level level[PM_COARSE_LEVELS];
} pm_coarse;

/* Whether it may be worth it: false where there are few rows, 2^32 entries or more, or columns with so many entries
 * that clusters have too many neighbours.  w: its matrix is square.  Fails: PM_ENOMEM. */
pm_status pm_coarse_check(const pm_workspace *w, bool *is_possible, pm_error *err);

/* For the matrix as it is now.
 * *found: false where clusters cannot be made few, or a step would take too long; then there is nothing to free.
 * The caller frees *out.  Memory: about 6 bytes a row and 8 an entry of the first clusters while it is made, and
 * what coarse_matrix.h says; for each thread 10 bytes an entry of a part; then 6 bytes an entry of the matrices, 2 a row, and 24 a cluster where
 * the first ones have less than 5 rows.
 * Fails: PM_ENOMEM. */
pm_status pm_coarse_make(const pm_workspace *w, pm_coarse *out, bool *found, pm_error *err);
void pm_coarse_free(pm_coarse *c);

/* z += P B P^T rest; the sum of rest is nearly 0.  B is not quite linear.  room: is overwritten.  All have [rows] numbers, and do not overlap.  Not
 * thread-safe.  The number of threads changes no digit. */
void pm_coarse_add(const pm_coarse *c, const float *rest, float *z, float *room);

#endif
