/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/allowance.h: the limits of an expansion.  Counts the terms, open groups and bytes of the
 * whole expression, and decides whether a block may be expanded and into how many terms. */
#ifndef PM_ALLOWANCE_H
#define PM_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/expand.h"

typedef struct {
    const pm_expand_options *opt;
    int64_t
        terms; /* 1, plus t - 1 for each expansion that adds t terms to the pool; terms that are 0
                * or numbers, or that are in the pool already, do not count */
    int64_t groups; /* open ones that the visitor has seen */
    int64_t bytes;  /* of all terms in the open groups that are not yet written */
} pm_allowance;

pm_allowance pm_allowance_make(const pm_expand_options *opt);

/* The most terms into which b may be expanded; below 2: b is not expanded.
 * limit:  of terms in all.
 * groups: the number of groups that the expansion of b opens.
 * The memory is estimated: no term needs more than b with all of its values stored. */
int64_t pm_allowance_terms(const pm_allowance *x, const pm_block *b, int64_t limit, int64_t groups);

/* The limit of terms for one of `sharing` nodes that share the terms left up to `limit`. */
int64_t pm_allowance_share(const pm_allowance *x, int64_t limit, int64_t sharing);

/* True when half of the memory is in use. */
bool pm_allowance_is_short(const pm_allowance *x);

/* Bytes of memory of b, about. */
int64_t pm_block_bytes(const pm_block *b);

#endif
