/* SPDX-License-Identifier: GPL-3.0-or-later */
/* approx/bracket.h: bounds of an item that hold for certain, from those of its blocks. */
#ifndef PM_BRACKET_H
#define PM_BRACKET_H

#include "approx/bounds.h"
#include "approx/expression.h"

/* Blocks that were counted count as they are.  Every bound by itself, and the best ones; NAN where
 * the value does not only grow with its blocks (a factor is negative or complex).
 * Fails: what pm_bounds_make fails with. */
pm_status pm_bracket_make(const pm_expression *x, pm_bounds *out, pm_error *err);

#endif
