/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/elimination.h: the symbolic part of a multifrontal elimination of a sparse matrix.
 *
 * Begin here.  This room finds determinants, and Pfaffians, of sparse matrices modulo many small primes: paired_matrix.h
 * is the input, this file the structure (found once), root_inverse.h cofactors, determinant.h one determinant modulo a
 * few primes, determinant_batches.h sums of determinants modulo many primes, front_kernel.h the dense arithmetic.  It
 * may include reduce, dm, matrix, number and core.
 *
 * Pairs (row i and column i) are eliminated in the order of a nested dissection.  A front is a dense square matrix over
 * a few pairs: first its own pairs, which are consecutive in the order and are eliminated in it, then its boundary, the
 * later pairs that are adjacent to them.  The Schur complement on the boundary is added into the parent, the front that
 * owns the first pair of the boundary.  Fronts are in postorder, so the complements of the children of a front are on
 * top of a stack when the front is assembled (Duff and Reid 1983).
 *
 * The structure is that of A + A^T.  Where no pivot is found (determinant.h) a pair is delayed to the parent, and fronts
 * become larger than stated here.  A skew-symmetric matrix is eliminated two pairs at a time; what is predicted includes
 * pairs that are delayed since no others are left to be matched with (delays.h). */
#ifndef PM_ELIMINATION_H
#define PM_ELIMINATION_H

#include <stdbool.h>
#include <stdint.h>

#include "elimination/paired_matrix.h"
#include "pm/status.h"

typedef struct {
    int32_t pairs;    /* its own pairs */
    int32_t boundary; /* pairs of its boundary */
    int32_t parent;   /* a later front, or -1: a root, which has no boundary */
    int32_t children; /* how many fronts have this one as parent */
    int64_t position; /* pair y of the boundary has the local index e->position[position + y] in
                       * the parent, where e is the pm_elimination */
    int64_t entry;    /* its entries begin at e->entry[entry] and end where those of the next front
                       * begin */
} pm_front;

/* An entry of the matrix at local indices of its front; below the diagonal if the matrix is
 * skew-symmetric. */
typedef struct {
    int32_t row, col;
    int32_t source; /* as in pm_paired_matrix */
    uint32_t sign;  /* as in pm_paired_matrix */
} pm_front_entry;

typedef struct {
    int32_t n, nfronts;
    bool is_skew;
    /* The pairs, numbered front by front, are an odd permutation of the pairs of the matrix.  Only
     * set if is_skew. */
    bool is_odd;
    pm_front *front; /* nfronts + 1; only .entry of the last one is set */
    int32_t *position;
    pm_front_entry *entry;
    double multiplications; /* of one determinant */
    double work;            /* predicted time of one determinant, in multiplications */
    double
        delayed; /* foretold: how often a pair of a skew-symmetric matrix has no pivot in a front */
    int64_t peak; /* the most cells that are on the stack at one time */
    uint64_t order_hash;
} pm_elimination;

/* An order of the pairs by nested dissection; n entries, the caller's.
 * Fails: PM_UNABLE built without METIS; PM_ESTOPPED METIS caught SIGTERM; PM_ENOMEM. */
pm_status pm_elimination_order(const pm_paired_matrix *p, uint64_t seed, int32_t *order,
                               pm_error *err);

/* The structure for any order of the pairs.
 * Cost: linear in the sum of the boundaries.  Fails: PM_ENOMEM. */
pm_status pm_elimination_make(const pm_paired_matrix *p, const int32_t *order, pm_elimination *out,
                              pm_error *err);

/* The structure for an order whose last `kept` pairs, 1 or more, are the pairs of the last front, in this sequence.
 * Delays of a skew-symmetric matrix are not predicted.
 * Cost: as pm_elimination_make, and kept^2.  Fails: PM_ENOMEM. */
pm_status pm_elimination_make_rooted(const pm_paired_matrix *p, const int32_t *order, int32_t kept,
                                     pm_elimination *out, pm_error *err);

/* One front that holds the whole matrix, for tests.  Fails: PM_ENOMEM. */
pm_status pm_elimination_make_dense(const pm_paired_matrix *p, pm_elimination *out, pm_error *err);
void pm_elimination_free(pm_elimination *e);
/* Bytes of the arrays. */
double pm_elimination_bytes(const pm_elimination *e);

#endif
