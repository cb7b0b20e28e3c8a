/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/allowance.h: whether a block may be expanded, and into how many terms.  What the whole
 * tree shares is counted here: terms, groups, memory. */
#ifndef PM_ALLOWANCE_H
#define PM_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/expand.h"

typedef struct {
    const pm_expand_options *opt;
    int64_t terms;  /* 1, and t - 1 for every expansion into t that are not 0, numbers, or there */
    int64_t groups; /* open ones that the visitor has seen */
    int64_t bytes;  /* of all that waits in open groups */
} pm_allowance;

pm_allowance pm_allowance_make(const pm_expand_options *opt);

/* The most terms that b may become while no more than `limit` are allowed in all and its sum needs
 * so many groups; below 2: b stays.
 * The memory is enough if no term takes more than b with all of its values spelled out. */
int64_t pm_allowance_terms(const pm_allowance *x, const pm_block *b, int64_t limit, int64_t groups);

/* What is left of the terms up to `limit`, divided among so many: the limit for one of them. */
int64_t pm_allowance_share(const pm_allowance *x, int64_t limit, int64_t sharing);

/* Half of the memory is in use: depth comes before breadth. */
bool pm_allowance_is_short(const pm_allowance *x);

/* Memory that b holds, about. */
int64_t pm_block_bytes(const pm_block *b);

#endif
