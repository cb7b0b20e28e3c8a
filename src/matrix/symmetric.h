/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix/symmetric.h: adjacency matrices of graphs on one set of vertices. */
#ifndef PM_SYMMETRIC_H
#define PM_SYMMETRIC_H

#include "pm/matrix.h"

/* *is_symmetric: square a is equal to its transpose, values too.  Fails: PM_ENOMEM. */
pm_status pm_matrix_is_symmetric(const pm_matrix *a, bool *is_symmetric, pm_error *err);
/* Whether an entry is on the diagonal. */
bool pm_matrix_has_diagonal(const pm_matrix *a);

/* The entries of a on and above the diagonal, and those on and below it.  The places of a are symmetric; values may differ.
 * The values are moved out of a, whose entries become 0.  *upper, *lower: freed by the caller; without labels.  Fails: PM_ENOMEM. */
pm_status pm_matrix_triangles(pm_matrix *a, pm_matrix *upper, pm_matrix *lower, pm_error *err);

#endif
