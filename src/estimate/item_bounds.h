/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/item_bounds.h: proved bounds of the value of an item, from the bounds of its blocks. */
#ifndef PM_ITEM_BOUNDS_H
#define PM_ITEM_BOUNDS_H

#include "bethe_estimate/bethe_estimate.h"
#include "bounds/bounds.h"
#include "estimate/expression_tree.h"

/* Every bound of pm_bounds for the item: log10 of it.  A block that is a pattern of at most 2^18 entries and has lines of two
 * entries has the better ones of its bounds and of those of the matrix in which they are merged; others are as pm_expression_how merges them.  Blocks that were counted have their value as
 * both bounds.  Blocks of fewer than 20000 entries are for the CPU: a GPU takes longer for them.
 * Fails: PM_UNABLE an entry, a factor or a counted value is negative or complex, or a value
 * with an error may be; what pm_bounds_make fails with. */
pm_status pm_item_bounds_make(const pm_expression *x, pm_backend backend, const pm_run *run,
                              pm_bounds *out, pm_error *err);

/* Whether these bounds can be given: no entry of a block that is not counted, no factor and no counted value is negative or complex. */
bool pm_item_is_bounded(const pm_expression *x);

/* Upper bounds of the size of the value of any item, from the sizes of its entries and factors; the lower ones are -INFINITY.
 * Fails: as pm_item_bounds_make, but for numbers that are negative or complex. */
pm_status pm_item_size_bounds_make(const pm_expression *x, pm_backend backend, const pm_run *run,
                                   pm_bounds *out, pm_error *err);

/* The same as pm_item_bounds_make, and an estimate with an interval that is not proved; none of its numbers is outside of the bounds.  Of the bounds, `lower`
 * and `upper` are for use (pm_bounds_make_bracket).
 * seed: of the random vectors and walks of each block. */
pm_status pm_item_bounds_make_estimate(const pm_expression *x, pm_backend backend, uint64_t seed,
                                       const pm_run *run, pm_bounds *out,
                                       pm_bethe_estimate *estimate, pm_error *err);

#endif
