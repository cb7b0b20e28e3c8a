/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse/skip_problem.h: what a sweep of SkipPer and its prediction have in common. */
#ifndef PM_SKIP_PROBLEM_H
#define PM_SKIP_PROBLEM_H

#include "sparse/skip.h"

enum { PM_SKIP_LANES = 8 };

typedef struct {
    pm_terms terms;
    pm_isa isa;
    int sample_bits; /* log2 of the indices for each one for which the spread is computed */
    bool is_narrow;  /* row sums fit bytes */
    int lane_groups; /* narrow: of byte_products, chosen so that each product fits a word */
    int lane_group[PM_SKIP_LANES + 1];
    int low[PM_SQUARE_MAX];       /* of each row: its lowest flipping column, else flips */
    uint64_t mask[PM_SQUARE_MAX]; /* of each row: its columns, and all bits from `flips` on */
} pm_skip_problem;

/* The caller frees it.  Fails: as pm_skip_prepare. */
pm_status pm_skip_problem_make(const pm_square *s, const pm_skip_choice *choice,
                               pm_skip_problem **out, pm_error *err);
/* problem: a pm_skip_problem, or NULL. */
void pm_skip_problem_free(void *problem);

#endif
