/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-dm/dm_degrees.h: the degrees of the vertices.  The degree of a row, or column, is the number of its entries. */
#ifndef PM_DM_DEGREES_H
#define PM_DM_DEGREES_H

#include "pm/matrix.h"

/* The degrees of one side, each with the number of vertices that have it. */
typedef struct {
    int64_t least, largest; /* 0 when there is no vertex */
    double deviation;       /* the standard deviation over all vertices; 0 when there is none */
    int64_t *vertices; /* [largest + 1] vertices of each degree; freed by the caller with free() */
} pm_degrees;

/* The degrees of the rows, or of the columns.
 * Fails: PM_ENOMEM; `out` is not changed then. */
pm_status pm_degrees_of_rows(const pm_matrix *a, pm_degrees *out, pm_error *err);
pm_status pm_degrees_of_columns(const pm_matrix *a, pm_degrees *out, pm_error *err);

#endif
