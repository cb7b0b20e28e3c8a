/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse/skip.h: SkipPer: as sparse_ryser.h, but runs of zero terms are jumped over: while a row sum
 * is zero and no column of its row flips, it stays so.
 *
 * What that is worth depends on the form (sweep/term.h).  With signs a 0/1 row of odd degree never
 * vanishes; subsets let every row vanish, seldom, and have twice the terms; the balanced form has
 * twice the terms too, and every row vanishes as often as it can. */
#ifndef PM_SKIP_H
#define PM_SKIP_H

#include "core/isa.h"
#include "sweep/term.h"

typedef struct {
    pm_form form;
    bool keep_order; /* columns as given, not by SkipOrder */
    uint64_t piece;  /* a power of two, see pm_sweep; 0: 2^17 */
} pm_skip_choice;

/* The prepare of a pm_sweep_method; choice: a pm_skip_choice.  s: of at most 61 bits.
 * Fails: PM_UNABLE (pm_terms_make), PM_ENOMEM.
 * Source: Yaglioglu 2021, algorithms 10 and 11; Kaya 2019. */
pm_status pm_skip_prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err);

/* The terms that it visits, columns and rows in its order.  Fails: the same. */
pm_status pm_skip_terms(const pm_square *s, const pm_skip_choice *choice, pm_terms *out,
                        pm_error *err);

/* The same sweep for a vector unit that the processor has. */
pm_status pm_skip_prepare_isa(const pm_square *s, const pm_skip_choice *choice, pm_isa isa,
                              pm_sweep *out, pm_error *err);

/* What a sweep will meet, about. */
typedef struct {
    double visits;  /* indices looked at */
    double terms;   /* of them, not zero */
    double touched; /* row sums changed from one visit to the next */
    double samples; /* indices looked at for the spread */
    int flips;      /* columns */
    int limbs;      /* exact; 0: inexact */
    bool is_narrow; /* row sums fit bytes: they change and are tested all at once */
} pm_skip_estimate;

/* The jumps see the indices as a tree: a node of level l is an aligned run of 2^l, in which the
 * columns from l on do not flip; a jump leaves it as soon as a row without lower columns is zero.
 * The tree is descended level by level with at most `population` nodes, chosen evenly from a
 * random one on when there are more (their weight goes up accordingly).  The same call has the
 * same answer always.  Cost: about n * population * 30 nanoseconds.
 * Fails: as pm_skip_prepare. */
pm_status pm_skip_predict(const pm_square *s, const pm_skip_choice *choice, int population,
                          pm_skip_estimate *out, pm_error *err);

#endif
