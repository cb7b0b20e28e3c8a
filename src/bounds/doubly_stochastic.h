/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/doubly_stochastic.h: matrices with a given pattern whose rows and columns sum to 1
 * exactly.
 *
 * The bounds of the permanent need an exactly doubly stochastic matrix.  So its entries are
 * multiples of 2^-52 and are stored and summed as integers. */
#ifndef PM_DOUBLY_STOCHASTIC_H
#define PM_DOUBLY_STOCHASTIC_H

#include <stdbool.h>

#include "pm/matrix.h"

enum { PM_STOCHASTIC_BITS = 52 };

/* Scales x by Sinkhorn's iteration, then makes the sums exact: the remaining differences are
 * removed by changes along the edges of a spanning forest with largest x.
 * a:      square; gives the pattern.
 * x:      a number > 0 for each entry of a; overwritten by the scaled ones.
 * sweeps: the most iterations.
 * scale:  ncols numbers, the factors of the columns; may be NULL.
 * b:      for each entry a number from 1 to 2^52; rows and columns sum to 2^52.
 * *found: false when there is no such result; true when every entry is in a perfect matching and
 *         x could be scaled.
 * Fails: PM_ENOMEM. */
pm_status pm_doubly_stochastic(const pm_matrix *a, double *x, int sweeps, double *scale, int64_t *b,
                               bool *found, pm_error *err);

#endif
