/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/complete.h: the permanent of the last few rows, exactly but for rounding. */
#ifndef PM_COMPLETE_H
#define PM_COMPLETE_H

#include <stddef.h>

#include "scaling/remainder.h"

/* Bytes for x->left = rows. */
size_t pm_complete_bytes(int rows);

/* The permanent of the matrix r_i a_ij c_j, or of a_ij where all entries are 1 (then exact below
 * 2^53); x->left <= 20.  All terms are positive, so the relative error is below 2^-46.
 * Cost: 2^left sets of columns, each reached from those with one column less.
 * memory: pm_complete_bytes(x->left). */
double pm_complete(const pm_remainder *x, void *memory);

#endif
