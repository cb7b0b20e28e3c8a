/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glynn/glynn_entries.h: a block as the input of the kernels, each row in units of its own. */
#ifndef PM_GLYNN_ENTRIES_H
#define PM_GLYNN_ENTRIES_H

#include <stdbool.h>

#include "glynn/glynn_kernel.h"
#include "pm/reduce.h"

/* True when the block, twins written out, has at most PM_GLYNN_MAX rows. */
static inline bool pm_glynn_fits(const pm_block *b)
{
    return b->n <= PM_GLYNN_MAX;
}

/* Integers.  Each row keeps its values; its sum of |entries| is below 2^53.
 * Sets g->first_group to g->n, if all products of row sums are below 2^50; else so that both
 * products are below 2^53.
 * Returns false when the products are too large, or an entry is. */
bool pm_glynn_set_integers(const pm_block *b, pm_glynn *g);

/* Real or complex numbers.  The permanent of the block with its twins written out is 2^*shift times
 * that of the entries of g, with an absolute error of at most *inexact in the same unit.
 * Returns false when an entry has more than 53 bits. */
bool pm_glynn_set_numbers(const pm_block *b, pm_glynn *g, int64_t *shift, double *inexact);

#endif
