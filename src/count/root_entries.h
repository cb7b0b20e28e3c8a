/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/root_entries.h: the entries of a block as sums of powers of one root of unity with integer coefficients. */
#ifndef PM_ROOT_ENTRIES_H
#define PM_ROOT_ENTRIES_H

#include "pm/reduce.h"

/* Entry k has the terms first[k] .. first[k + 1] - 1: c root(order)^power, in the normal form (number/root_sum.h). */
typedef struct {
    int32_t order, degree; /* degree: phi(order) */
    int64_t nnz;
    int64_t *first; /* [nnz + 1] */
    int32_t *power;
    pm_dyadic *c;
    int64_t *table; /* [order * degree] row k: root(order)^k in the normal form */
    int64_t height; /* the largest of their sizes */
} pm_root_entries;

/* a: complex, integer parts and coefficients.  out: freed by the caller, after a failure too.
 * Fails: PM_UNABLE the common order is above PM_ROOT_ORDER_MAX; PM_ENOMEM. */
pm_status pm_root_entries_make(const pm_matrix *a, pm_root_entries *out, pm_error *err);
void pm_root_entries_free(pm_root_entries *e);

/* *out: an integer matrix with the pattern of a: of each entry the sum of the |coefficients|, or where it is a multiple
 * of a root the size of this multiple. */
pm_status pm_root_entries_norms(const pm_root_entries *e, const pm_matrix *a, pm_matrix *out,
                                pm_error *err);
/* *out: the entries modulo p with `root` in place of root(order); those that become 0 are left out. */
pm_status pm_root_entries_residues(const pm_root_entries *e, const pm_matrix *a, uint64_t p,
                                   uint64_t root, pm_matrix *out, pm_error *err);
/* *is_same: with root(order)^u in place of root(order), u prime to the order, the block has the same rows in another
 * order, or the same columns, each with its capacity.  Always false for a general block.
 * a: the matrix of the entries.  Cost: linear, and sorting lines. */
pm_status pm_root_entries_symmetry(const pm_root_entries *e, const pm_block *b, const pm_matrix *a,
                                   int32_t u, bool *is_same, pm_error *err);

#endif
