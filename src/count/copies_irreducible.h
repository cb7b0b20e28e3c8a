/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/copies_irreducible.h: whether reductions of a matrix with its copies written out would find anything but
 * these copies. */
#ifndef PM_COPIES_IRREDUCIBLE_H
#define PM_COPIES_IRREDUCIBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"

/* True: with its copies written out the matrix is one block, and no line has fewer than three entries.
 * False: it may be reducible, or it has too many lines to look at all sets of columns.
 * Multiplicities NULL: 1.  They have the same sum. */
bool pm_copies_are_irreducible(const pm_matrix *a, const int64_t *row_times,
                               const int64_t *col_times);

#endif
