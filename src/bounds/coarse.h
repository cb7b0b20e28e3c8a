/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/coarse.h: coarse systems beside conjugate gradients, for the equations of Newton's steps (sinkhorn.h).
 *
 * In a lattice conjugate gradients take as many steps as it is wide, since smooth differences are removed slowly.  Here the rows
 * are put into clusters of neighbours, of 8, 64, 512, ... rows and at last into some hundred clusters.  With A = diag(R) - X X^T and the
 * columns of P the clusters of a level, the inverse of the diagonal gets P diag(P^T A P)^-1 P^T for each level
 * (Bramble, Pasciak and Xu 1990), and P (P^T A P)^-1 P^T for the last one (Nicolaides 1987). */
#ifndef PM_COARSE_H
#define PM_COARSE_H

#include "pm/run.h"
#include "spmv/workspace.h"

enum { PM_COARSE_LEVELS = 8 };

/* Clusters of the items of the level below, which are the rows or its clusters. */
typedef struct {
    int64_t items, count;    /* count: clusters */
    int32_t *cluster;        /* [items] */
    int32_t *member, *start; /* [items], [count + 1]: the items of a cluster, ascending */
    int32_t *first;          /* [count]: a row of each; -1: it is empty */
    double *part;            /* [count] */
    double *
        matrix; /* [count]: 1 over the diagonal of P^T A P; of the last level [count][count]: Cholesky's
                              * factor of P^T A P without its last line */
} pm_coarse_level;

typedef struct {
    int64_t n;
    int levels, threads;
    pm_coarse_level level[PM_COARSE_LEVELS];
} pm_coarse;

/* Whether it may be worth it: false where there are few rows, or columns with so many entries that clusters have too many
 * neighbours.  w: on the host, its matrix square. */
bool pm_coarse_is_possible(const pm_workspace *w);

/* Finds the clusters, where that is possible.
 * *found: false where they are too many or one.
 * The caller frees *out.  Memory: about 12 bytes a row, and 8 count^2.  Fails: PM_ENOMEM. */
pm_status pm_coarse_make(const pm_workspace *w, pm_coarse *out, bool *found, pm_error *err);
void pm_coarse_free(pm_coarse *c);

/* For the matrix and the row sums, a vector of w, as they are now.  Fails: PM_ENOMEM. */
pm_status pm_coarse_set(pm_coarse *c, const pm_workspace *w, int sums, pm_error *err);

/* z += the sum over the levels of the above times rest, vectors of w; the sum of rest is 0.  The number of threads changes no digit. */
void pm_coarse_add(const pm_coarse *c, pm_workspace *w, int rest, int z);

#endif
