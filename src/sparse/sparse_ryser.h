/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse/sparse_ryser.h: SpaRyser: all terms in Gray-code order; each term is computed from the
 * previous one by the entries of one column. */
#ifndef PM_SPARSE_RYSER_H
#define PM_SPARSE_RYSER_H

#include "order/column_order.h"
#include "sweep/sweep.h"
#include "sweep/term.h"

typedef struct {
    bool keep_order; /* leave the columns in the given order; false: SortOrder */
    bool any_range;  /* as in pm_skip_choice */
} pm_sparse_choice;

/* The prepare function of a pm_sweep_method.  choice: a pm_sparse_choice, or NULL for the defaults.
 * s: made with at most 61 bits.  Fails: PM_ENOMEM.
 * Source: Yaglioglu 2021, algorithm 5. */
pm_status pm_sparse_ryser_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                  pm_error *err);

/* pm_terms_sum_bits of the terms of such a sweep. */
double pm_sparse_ryser_sum_bits(const pm_sweep *s);

/* The terms of this sweep, with columns and rows in its order.  Fails: as
 * pm_sparse_ryser_prepare. */
pm_status pm_sparse_ryser_terms(const pm_square *s, const pm_sparse_choice *choice, pm_terms *out,
                                pm_error *err);

/* The product of row sums is computed anew every 2^PM_SPARSE_REFRESH terms, and where it is smaller
 * than PM_SPARSE_TINY.  pm_sparse_ryser_drift: a bound of the relative rounding error in
 * between. */
enum { PM_SPARSE_REFRESH = 5 };
#define PM_SPARSE_TINY 0x1p-480
double pm_sparse_ryser_drift(const pm_terms *t);

/* The share of the terms for which the spread is computed. */
double pm_sparse_ryser_sampled(int32_t n);

#endif
