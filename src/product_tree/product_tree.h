/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/product_tree.h: the plans of product trees, for all backends. */
#ifndef PM_PRODUCT_TREE_H
#define PM_PRODUCT_TREE_H

#include "product_tree/tree_plan.h"
#include "sweep/ryser_driver.h"

/* The methods of the CPU, whose sums those on GPUs go on with. */
extern const pm_sweep_method pm_tree_exact, pm_tree_inexact;

/* Refuses a block, before any search, if one operation for each term takes longer than job->rival.
 * rate: seconds of an operation.  Fails: PM_UNABLE. */
pm_status pm_tree_refuse_hopeless(const pm_job *job, const pm_square *s, double rate,
                                  pm_error *err);

/* Share of the predicted run, and of the best plan at hand, that a search for a tree takes; there are
 * two searches, for the rows and for the columns. */
#define PM_TREE_SEARCH_SHARE 0.02

/* Finds a tree by a search that takes a small part of job->rival.
 * options: what the job does not set, which is slow, effort and least.
 * Fails: as pm_tree_plan_make. */
pm_status pm_tree_find(const pm_job *job, const pm_square *s, pm_tree_options options,
                       pm_tree_plan *out, pm_error *err);

/* A hash of the order of the columns and the number of eliminated ones, for reports. */
uint64_t pm_tree_hash(const pm_tree_plan *t);

#endif
