/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/pattern.h: the positions of the entries of a square matrix, by columns and by rows. */
#ifndef PM_PATTERN_H
#define PM_PATTERN_H

#include <stdint.h>

#include "pm/matrix.h"
#include "pm/status.h"

/* The rows of column j are rowind[colptr[j]] .. rowind[colptr[j + 1] - 1], ascending.  The columns
 * of row i are colind[rowptr[i]] .. colind[rowptr[i + 1] - 1], ascending.  Does not own its
 * arrays. */
typedef struct {
    int32_t n;
    const int32_t *colptr, *rowind, *rowptr, *colind;
} pm_pattern;

/* A pattern that owns its arrays. */
typedef struct {
    pm_pattern of;
    int32_t *arrays;
} pm_pattern_copy;

/* a: square.  Memory: 8 bytes an entry and 8 bytes a row.
 * Fails: PM_UNABLE 2^31 - 1 entries or more; PM_ENOMEM. */
pm_status pm_pattern_make(const pm_matrix *a, pm_pattern_copy *out, pm_error *err);
void pm_pattern_free(pm_pattern_copy *p);

static inline int32_t pm_pattern_degree(const pm_pattern *a, int32_t column)
{
    return a->colptr[column + 1] - a->colptr[column];
}

#endif
