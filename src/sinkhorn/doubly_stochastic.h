/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/doubly_stochastic.h: matrices with a given pattern whose rows and columns sum to 1
 * exactly.
 *
 * The bounds of the permanent need an exactly doubly stochastic matrix.  So its entries are
 * multiples of 2^-52, which doubles are, too, and are summed as integers. */
#ifndef PM_DOUBLY_STOCHASTIC_H
#define PM_DOUBLY_STOCHASTIC_H

#include <stdbool.h>

#include "sinkhorn/sinkhorn.h"

enum { PM_STOCHASTIC_BITS = 52 };

/* Scales by Sinkhorn's iteration, then makes the sums exact: the remaining differences are removed by
 * changes along the edges of a spanning forest of large entries, and entries that these leave below 0 are filled along cycles (fill_cycles.h).
 * a:      square; gives the pattern.
 * s:      started with a number > 0 for each entry of a.
 * first:  the residual at which the sums are made exact for the first time; 0: a usual one.
 * most:   products of a matrix and a vector; the scaling ends earlier where the sums can be made exact.
 * Memory: beside the scaling a byte an entry and 8 a column, then 16 a column and a quarter of a byte an entry; where entries
 *         are filled along cycles, 4 bytes an entry and 8 a column more.
 * *found: false when there is no such result; true when every entry is in a perfect matching and the matrix could be
 *         scaled: then s->x is the result, multiples of 2^-52 from 2^-52 to 1.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_doubly_stochastic(const pm_matrix *a, pm_sinkhorn *s, double first, int64_t most,
                               bool *found, pm_error *err);

#endif
