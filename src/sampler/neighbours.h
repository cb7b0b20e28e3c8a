/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/neighbours.h: the matrix as samplers walk over it: neighbours of rows and of columns, entries
 * as doubles near 1. */
#ifndef PM_NEIGHBOURS_H
#define PM_NEIGHBOURS_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/status.h"

/* Vertices of both sides, and their degrees, have 16 bits. */
enum { PM_NEIGHBOURS_MAX_ROWS = 32767 };

/* Row i has the places rowptr[i] .. rowptr[i+1]-1, in the columns colind[k], ascending; columns
 * alike.  rowval, colval: the entries, NULL when all of them are 1.
 * The permanent is 2^exponent times that of these entries. */
typedef struct {
    int32_t n, nnz;
    int32_t *rowptr, *colind, *colptr, *rowind;
    double *rowval, *colval;
    int64_t exponent;
    int32_t max_row_degree, max_column_degree;
} pm_neighbours;

/* Rows and columns are brought to sums near 1 by powers of two (sampler/scaled_entries.h).
 * a: square, entries > 0.
 * Fails: PM_UNABLE (too many vertices or entries, or entries not within 2^-500 .. 2^100 after
 * that), PM_ENOMEM. */
pm_status pm_neighbours_make(const pm_matrix *a, pm_neighbours *out, pm_error *err);
void pm_neighbours_transpose(pm_neighbours *l);
/* Neighbours as bits, of the n <= 64 rows and then of the columns; free().  Fails: PM_ENOMEM. */
pm_status pm_neighbours_masks(const pm_neighbours *l, uint64_t **out, pm_error *err);
void pm_neighbours_free(pm_neighbours *l);

#endif
