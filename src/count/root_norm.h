/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/root_norm.h: a bound of the permanent by the norm of the matrix.
 *
 * |per A| <= |A|^n, where |A| is the largest |A x| / |x|: the permanent is a coefficient of the n-th symmetric power of A between two vectors
 * whose lengths have the product 1, after both are divided by sqrt(n!).  |A|^2 is at most the largest sum of |entries| in a row of A* A.
 * For a Schur matrix this is n^(n/2), in place of n!. */
#ifndef PM_ROOT_NORM_H
#define PM_ROOT_NORM_H

#include "count/root_entries.h"

enum { PM_ROOT_NORM_ROWS = 64 };

/* An upper bound of log2 |A| of a square matrix a, whose entries are e, with root(order) as a complex number; INFINITY if it has more than
 * PM_ROOT_NORM_ROWS rows, or too large entries.  Fails: PM_ENOMEM. */
pm_status pm_root_norm_log2(const pm_root_entries *e, const pm_matrix *a, double *out,
                            pm_error *err);

#endif
