/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse/skip.h: SkipPer: as sparse/sparse_ryser.h, but runs of zero terms are skipped.  While a
 * row sum is 0 and no column with an entry in its row flips, it remains 0, and so do the terms.
 *
 * The gain depends on the form (sweep/term.h).  With signs the row sum of a 0/1 row of odd degree
 * is never 0.  With subsets every row sum may be 0, rarely, and there are twice as many terms.  The
 * balanced form has twice as many terms too, and every row sum is 0 as often as possible. */
#ifndef PM_SKIP_H
#define PM_SKIP_H

#include "core/isa.h"
#include "sweep/term.h"

typedef struct {
    pm_form form;
    bool keep_order; /* leave the columns in the given order; false: SkipOrder */
    /* limbs for the sum of any range of integers; else for that of all terms, and others are modulo 2^(64 limbs) */
    bool any_range;
    uint64_t piece; /* the member of pm_sweep, a power of two; 0: 2^17 */
} pm_skip_choice;

/* The prepare function of a pm_sweep_method.  choice: a pm_skip_choice.  s: made with at most 61
 * bits.
 * Fails: PM_UNABLE (pm_terms_make), PM_ENOMEM.
 * Source: Yaglioglu 2021, algorithms 10 and 11; Kaya 2019. */
pm_status pm_skip_prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err);

/* pm_terms_sum_bits of the terms of such a sweep. */
double pm_skip_sum_bits(const pm_sweep *s);

/* The terms of this sweep, with columns and rows in its order.  start: as in pm_terms_make_from.
 * Fails: as pm_skip_prepare. */
pm_status pm_skip_terms(const pm_square *s, const pm_skip_choice *choice, const uint64_t *start,
                        pm_terms *out, pm_error *err);

/* The same sweep with a given vector unit, which the processor must have. */
pm_status pm_skip_prepare_isa(const pm_square *s, const pm_skip_choice *choice, pm_isa isa,
                              pm_sweep *out, pm_error *err);

/* Predicted numbers of a sweep. */
typedef struct {
    double visits;  /* indices that are not skipped */
    double terms;   /* visited indices whose term is not 0 */
    double touched; /* row sums changed from one visit to the next */
    double samples; /* indices for which the spread is computed */
    int flips;      /* columns that flip */
    int limbs;      /* exact; 0: inexact */
    bool is_narrow; /* row sums fit bytes: all are updated and tested at once */
} pm_skip_estimate;

/* Predicts a sweep by sampling.
 * The indices form a binary tree: a node of level l is an aligned run of 2^l indices, in which the
 * columns from l on do not flip.  A node is skipped if the sum of a row without columns below l is
 * 0.  The tree is descended level by level with at most `population` nodes; if there are more, a
 * systematic sample with a random start is taken and weighted.
 * Deterministic.  Cost: about n * population * 30 nanoseconds.
 * Fails: as pm_skip_prepare. */
pm_status pm_skip_predict(const pm_square *s, const pm_skip_choice *choice, int population,
                          pm_skip_estimate *out, pm_error *err);

#endif
