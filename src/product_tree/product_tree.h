/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/product_tree.h: planning trees of products, for all backends. */
#ifndef PM_PRODUCT_TREE_H
#define PM_PRODUCT_TREE_H

#include "product_tree/tree_plan.h"
#include "sweep/ryser_driver.h"

/* Refuses without a search where one operation for each term that is left, of `rate` seconds, takes
 * longer than the rival.  Fails: PM_UNABLE. */
pm_status pm_tree_refuse_hopeless(const pm_job *job, const pm_square *s, double rate,
                                  pm_error *err);

/* A tree, by a search that is short against the rival.  Fails: as pm_tree_plan_make. */
pm_status pm_tree_find(const pm_job *job, const pm_square *s, int32_t slow, pm_tree_plan *out,
                       pm_error *err);

uint64_t pm_tree_hash(const pm_tree_plan *t);

#endif
