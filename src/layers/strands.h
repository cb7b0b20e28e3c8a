/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/strands.h: long strips whose vertices are numbered along them, one strand after another.
 *
 * So are the cells of a lattice with few rows and many columns, row by row.  In each strand row i + p has the entries of row i, moved by p
 * columns.  Numbered across the strip instead, the matrix is a band matrix that repeats (band_layers.h).
 *
 * The numbering is only a proposal: whatever it is, the result is the same graph. */
#ifndef PM_STRANDS_H
#define PM_STRANDS_H

#include "pm/matrix.h"
#include "pm/status.h"

/* *out: the matrix with rows and columns numbered across the strands, without labels.
 * a: square, a pattern or integers.
 * Fails: PM_UNABLE there are no two strands; PM_ENOMEM. */
pm_status pm_strands_across(const pm_matrix *a, pm_matrix *out, pm_error *err);

#endif
