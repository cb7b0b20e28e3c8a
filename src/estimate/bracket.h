/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/bracket.h: bounds of an item that hold for certain, from those of its blocks. */
#ifndef PM_BRACKET_H
#define PM_BRACKET_H

#include "bounds/bounds.h"
#include "estimate/expression_tree.h"

/* Blocks that were counted count as they are.  Every bound by itself, and the best ones.
 * Fails: PM_UNABLE an entry, a factor, or a value that was counted is negative or complex; what
 * pm_bounds_make fails with. */
pm_status pm_bracket_make(const pm_expression *x, pm_bounds *out, pm_error *err);

#endif
