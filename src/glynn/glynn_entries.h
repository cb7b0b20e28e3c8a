/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glynn/glynn_entries.h: a block as the input of the kernels, each row in units of its own. */
#ifndef PM_GLYNN_ENTRIES_H
#define PM_GLYNN_ENTRIES_H

#include <stdbool.h>

#include "glynn/glynn_kernel.h"
#include "pm/reduce.h"

/* True when the block, twins written out, has at most PM_GLYNN_MAX rows and, where its field is
 * exact, pm_glynn_set_integers returns true. */
bool pm_glynn_takes(const pm_block *b);

/* The entries as integers: each row is divided by a power of two.  The permanent of the block with
 * its twins written out is 2^*shift times that of g.  One group if the products of row sums, of
 * |re| + |im|, are at most 2^50; else, for real numbers only, groups with products of at most 2^53.
 * Returns false when that takes more groups than there are; for real and complex numbers when the sum of
 * all terms may exceed 2^127, for integers when *shift is above 1000. */
bool pm_glynn_set_integers(const pm_block *b, pm_glynn *g, int64_t *shift);

/* Real or complex numbers.  The permanent of the block with its twins written out is 2^*shift times
 * that of the entries of g, with an absolute error of at most *inexact in the same unit. */
void pm_glynn_set_numbers(const pm_block *b, pm_glynn *g, int64_t *shift, double *inexact);

#endif
