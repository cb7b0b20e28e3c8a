/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/doubly_stochastic.h: matrices on a given pattern whose rows and columns sum to 1 exactly.
 *
 * Bounds of the permanent hold at doubly stochastic matrices, not near them; so entries are
 * multiples of 2^-52, and their sums integers. */
#ifndef PM_DOUBLY_STOCHASTIC_H
#define PM_DOUBLY_STOCHASTIC_H

#include <stdbool.h>

#include "pm/matrix.h"

enum { PM_STOCHASTIC_BITS = 52 };

/* x: one a entry of square a, each > 0; overwritten by the sum's share of Sinkhorn's scaling, at most
 * `sweeps` rounds.  scale: of the columns in this scaling, ncols numbers, or NULL.
 * b: one a entry, each from 1 to 2^52, rows and columns sum to 2^52: what is left of the difference
 * goes along the edges of a spanning forest of largest x.  *found: whether this gave such a matrix;
 * it does when every entry is in some perfect matching and x could be scaled.
 * Fails: PM_ENOMEM. */
pm_status pm_doubly_stochastic(const pm_matrix *a, double *x, int sweeps, double *scale, int64_t *b,
                               bool *found, pm_error *err);

#endif
