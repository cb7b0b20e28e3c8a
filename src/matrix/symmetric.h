/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix/symmetric.h: adjacency matrices of graphs on one set of vertices. */
#ifndef PM_SYMMETRIC_H
#define PM_SYMMETRIC_H

#include "pm/matrix.h"

/* *is_symmetric: square a is equal to its transpose, values too.  Fails: PM_ENOMEM. */
pm_status pm_matrix_is_symmetric(const pm_matrix *a, bool *is_symmetric, pm_error *err);
/* Whether an entry is on the diagonal. */
bool pm_matrix_has_diagonal(const pm_matrix *a);

#endif
