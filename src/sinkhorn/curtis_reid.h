/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/curtis_reid.h: a scaling by powers of two for rows and columns of very different sizes.
 *
 * Curtis and Reid 1972: r and c that make sum (l_ij + r_i + c_j)^2 least, l_ij = log2 a_ij.  With c_j the
 * negative mean of l_ij + r_i in column j, r solves
 *   (D - P E^-1 P^T) r = P E^-1 m - l 1,
 * P the pattern, D and E the numbers of entries of rows and columns, m the column sums of l; by conjugate
 * gradients. */
#ifndef PM_CURTIS_REID_H
#define PM_CURTIS_REID_H

#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"

/* a: square, no empty line, entries > 0.
 * out: [2 n], r and then c, rounded to integers.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_curtis_reid(const pm_matrix *a, const pm_run *run, int64_t *out, pm_error *err);

#endif
