/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/elimination.h: how a sparse matrix is eliminated along its diagonal, in dense fronts.
 *
 * Pairs (row i and column i) are eliminated in the sequence 0 .. n-1 of a nested dissection.  A
 * front is a dense square matrix over a few pairs: its own, which are consecutive and eliminated
 * in it, then its boundary, later pairs that the elimination joins to them.  What the elimination
 * leaves of the boundary is added into the parent, the front that owns its first pair.  Fronts stand
 * in postorder: the children of a front are complete just before it, on top of a stack
 * (Duff and Reid 1983).
 *
 * The structure is that of A + A^T, found once for all primes.  Where pivots fail (determinant.h)
 * pairs are delayed to the parent, and fronts grow beyond what is said here. */
#ifndef PM_ELIMINATION_H
#define PM_ELIMINATION_H

#include <stdint.h>

#include "elimination/paired_matrix.h"
#include "pm/status.h"

typedef struct {
    int32_t pairs;    /* its own */
    int32_t boundary; /* further ones */
    int32_t parent;   /* a later front, or -1: a root, without boundary */
    int32_t children; /* the fronts that it adds up */
    int64_t place;    /* place[place + y]: where pair y of the boundary stands in the parent */
    int64_t entry;    /* its entries of the matrix: entry .. those of the next front */
} pm_front;

/* An entry of the matrix at a row and column of its front. */
typedef struct {
    int32_t row, col;
    int32_t source;
    uint32_t sign; /* as in pm_paired_matrix */
} pm_front_entry;

typedef struct {
    int32_t n, nfronts;
    pm_front *front; /* nfronts + 1; of the last one only .entry counts */
    int32_t *place;
    pm_front_entry *entry;
    double multiplications; /* of one determinant */
    double work;            /* time, in multiplications: those and all else */
    int64_t peak;           /* cells of the stack, at most */
    uint64_t order_hash;
} pm_elimination;

/* An order of the pairs by nested dissection; n entries, the caller's.
 * Fails: PM_UNABLE no METIS, PM_ESTOPPED by SIGTERM, PM_ENOMEM. */
pm_status pm_elimination_order(const pm_paired_matrix *p, uint64_t seed, int32_t *order,
                               pm_error *err);
/* In an order of the pairs, whatever one.
 * Cost: linear in the boundaries.  Fails: PM_ENOMEM. */
pm_status pm_elimination_make(const pm_paired_matrix *p, const int32_t *order, pm_elimination *out,
                              pm_error *err);
/* As a dense matrix: one front.  To compare with. */
pm_status pm_elimination_make_dense(const pm_paired_matrix *p, pm_elimination *out, pm_error *err);
void pm_elimination_free(pm_elimination *e);
double pm_elimination_bytes(const pm_elimination *e);

#endif
