/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/neighbours.h: a square matrix as lists of neighbours of its rows and of its columns, with
 * entries as doubles near 1: the form in which samplers read it. */
#ifndef PM_NEIGHBOURS_H
#define PM_NEIGHBOURS_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/status.h"

/* Vertices of both sides and their degrees must fit in 16 bits (sampler/vertex_key.h). */
enum { PM_NEIGHBOURS_MAX_ROWS = 32767 };

/* Compressed rows and compressed columns of the same n x n matrix.
 * Row i has the positions k = rowptr[i] .. rowptr[i+1]-1; position k is in column colind[k],
 * ascending, and has the entry rowval[k].  Columns alike, with colptr, rowind and colval.
 * rowval and colval are NULL when all entries are 1.
 * The permanent of the matrix is 2^exponent times the permanent of rowval. */
typedef struct {
    int32_t n, nnz;
    int32_t *rowptr, *colind, *colptr, *rowind;
    double *rowval, *colval;
    int64_t exponent;
    int32_t max_row_degree, max_column_degree; /* entries of the longest row, column */
} pm_neighbours;

/* Entries other than 1 are multiplied by powers of two for rows and columns, so that rows and
 * columns sum to about 1 (sampler/scaled_entries.h).  The caller frees *out.
 * a: square, entries > 0.
 * Fails: PM_UNABLE (more than PM_NEIGHBOURS_MAX_ROWS rows, more than 2^31 - 1 entries, or a scaled
 * entry is not between 2^-500 and 2^100), PM_ENOMEM. */
pm_status pm_neighbours_make(const pm_matrix *a, pm_neighbours *out, pm_error *err);
/* Exchanges rows and columns. */
void pm_neighbours_transpose(pm_neighbours *l);
/* *out = 2 n bit masks: the columns of row i at i, the rows of column j at n + j.  n <= 64.
 * The caller frees *out with free().  Fails: PM_ENOMEM. */
pm_status pm_neighbours_masks(const pm_neighbours *l, uint64_t **out, pm_error *err);
void pm_neighbours_free(pm_neighbours *l);

#endif
