/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/complete.h: the permanent of the rows that remain at the end of a sample, exact except
 * for rounding. */
#ifndef PM_COMPLETE_H
#define PM_COMPLETE_H

#include <stddef.h>

#include "scaling/remainder.h"

/* Bytes of memory that pm_complete needs for this number of rows. */
size_t pm_complete_bytes(int rows);

/* The permanent of the unmatched rows and columns of *x: of the scaled entries r_i a_ij c_j, or of
 * a_ij where all entries are 1 (then exact below 2^53).  All terms are positive, so the relative
 * error is below 2^-46.
 * x->left:  0 .. PM_COMPLETE_MAX.
 * memory:   pm_complete_bytes(x->left) bytes, aligned to 8, any contents.
 * Cost: 2^left sets of columns, each computed from the sets with one column less. */
double pm_complete(const pm_remainder *x, void *memory);

#endif
