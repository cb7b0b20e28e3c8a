/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/period.h: periodic graphs: equal parts one after another, in a strip or in a ring. */
#ifndef PM_PERIOD_H
#define PM_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/status.h"

/* The entries of the rows of a part in its own columns are a matrix of its own; the three matrices have equal
 * sizes. */
typedef struct {
    pm_matrix next;   /* entries of the rows of a part in the columns of the next part */
    pm_matrix before; /* in the columns of the part before */
    int64_t length;   /* number of parts, 1 or more */
    bool is_ring;     /* the part after the last one is the first one; else the ends are open */
} pm_period;

void pm_period_free(pm_period *p);
/* *out = *p.  Fails: PM_ENOMEM; *out is {0} then. */
pm_status pm_period_copy(const pm_period *p, pm_period *out, pm_error *err);

/* The widest of the fields of the three matrices. */
pm_field pm_period_field(const pm_matrix *own, const pm_period *p);

/* The rows, columns and entries of all parts; 2^63 - 1 where there are more. */
void pm_period_size(const pm_matrix *own, const pm_period *p, int64_t *nrows, int64_t *ncols,
                    int64_t *nnz);

/* The whole matrix: part k has rows k own->nrows + i and columns k own->ncols + j, from 0.  Entries that meet in
 * one position, in rings of one or two parts, are added.  There are no labels.
 * Fails: PM_UNABLE more than 2^26 rows or columns or 2^31 entries, or more than the memory that is
 * available holds; PM_ENOMEM. */
pm_status pm_period_write_out(const pm_matrix *own, const pm_period *p, pm_matrix *out,
                              pm_error *err);

#endif
