/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_exact.h: --precision=exact: nodes of exact numbers as nodes of integers. */
#ifndef PM_APPROX_EXACT_H
#define PM_APPROX_EXACT_H

#include "pm/expression.h"

/* A source whose matrices are integers, or complex with integer parts, with fractions as factors.  A matrix with roots of
 * unity becomes that of the sizes of its entries, rounded up. */
typedef struct {
    pm_node_source from;
    pm_matching_kind asked; /* of whole graphs */
    const pm_run *run;
    int64_t depth;  /* 0 at first */
    bool has_sizes; /* set where a matrix had roots */
} pm_approx_exact;

/* x: stays valid while the source is in use. */
pm_node_source pm_approx_exact_source(pm_approx_exact *x);

#endif
