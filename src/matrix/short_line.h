/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix/short_line.h: whether a matrix has a line of fewer than three entries. */
#ifndef PM_SHORT_LINE_H
#define PM_SHORT_LINE_H

#include "pm/matrix.h"
#include "pm/status.h"

/* *found: a row or a column has fewer than three entries.  Fails: PM_ENOMEM. */
pm_status pm_short_line_find(const pm_matrix *a, bool *found, pm_error *err);

#endif
