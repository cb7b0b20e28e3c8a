/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/count_reduce.h: the reductions before a count. */
#ifndef PM_COUNT_REDUCE_H
#define PM_COUNT_REDUCE_H

#include "pm/count.h"

/* The matrix as a factor and blocks, as the options ask (count.c); a is square for perfect matchings.
 * out: freed by the caller.  *order: NULL, or an order for the blocks instead of opt->order; freed by the caller.
 * Fails: as pm_reduce and pm_general_reduce. */
pm_status pm_count_reduce(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                          pm_reduced *out, int32_t **order, pm_error *err);
/* *order: opt->order for the block b, which pm_matching_block has made of a; freed by the caller.  Fails: PM_ENOMEM. */
pm_status pm_count_block_order(const pm_matrix *a, const pm_block *b, const pm_count_options *opt,
                               int32_t **order, pm_error *err);

#endif
