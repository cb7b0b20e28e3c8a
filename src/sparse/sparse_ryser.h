/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse/sparse_ryser.h: SpaRyser: all terms in Gray-code order, each from the one before by the
 * entries of one column. */
#ifndef PM_SPARSE_RYSER_H
#define PM_SPARSE_RYSER_H

#include "order/column_order.h"
#include "sweep/sweep.h"
#include "sweep/term.h"

typedef struct {
    bool keep_order; /* columns as given, not by SortOrder */
} pm_sparse_choice;

/* The prepare of a pm_sweep_method; choice: a pm_sparse_choice, or NULL for the defaults.
 * s: of at most 61 bits.  Fails: PM_ENOMEM.
 * Source: Yaglioglu 2021, algorithm 5. */
pm_status pm_sparse_ryser_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                  pm_error *err);

/* The terms that it adds up, columns and rows in its order.  Fails: the same. */
pm_status pm_sparse_ryser_terms(const pm_square *s, const pm_sparse_choice *choice, pm_terms *out,
                                pm_error *err);

/* The product of row sums is computed afresh every 2^PM_SPARSE_REFRESH terms, and where it is
 * smaller than PM_SPARSE_TINY; between them it drifts by so much, relatively. */
enum { PM_SPARSE_REFRESH = 5 };
#define PM_SPARSE_TINY 0x1p-480
double pm_sparse_ryser_drift(const pm_terms *t);

/* The part of the terms whose spread is looked at. */
double pm_sparse_ryser_sampled(int32_t n);

#endif
