/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/one_matrix.h: the expression of a single matrix, as if it had been read from an input. */
#ifndef PM_ONE_MATRIX_H
#define PM_ONE_MATRIX_H

#include "estimate/expression_tree.h"

/* x: zeroed; freed by the caller in any case.  a: is copied.  Fails: as pm_expression_read. */
pm_status pm_one_matrix_expression(pm_expression *x, const pm_matrix *a,
                                   const pm_expression_how *how, const pm_run *run, pm_error *err);

#endif
