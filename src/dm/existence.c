/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dm/existence.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "pm/dm.h"

static int64_t first_unmatched(const int32_t *partner, int64_t n)
{
    int64_t i = 0;
    while (i < n && partner[i] >= 0)
        ++i;
    return i;
}

/* A violator among the rows of a, from a maximum matching with an unmatched row.  For a violator
 * among the columns: a is the transpose, and the two arrays are exchanged. */
static pm_status find_violator(const pm_matrix *a, const int32_t *col_of, const int32_t *row_of,
                               pm_existence *x, pm_error *err)
{
    x->set = pm_alloc_array(a->nrows, sizeof *x->set);
    x->neighbours = pm_alloc_array(a->ncols, sizeof *x->neighbours);
    if (!x->set || !x->neighbours)
        return pm_fail_memory(err, "a Hall violator");
    return pm_matching_hall(a, col_of, row_of, first_unmatched(col_of, a->nrows), x->set, &x->nset,
                            x->neighbours, &x->nneighbours, err);
}

pm_status pm_existence_find(const pm_matrix *a, pm_matching_kind kind, pm_existence *out,
                            pm_error *err)
{
    int64_t rank;
    pm_status status;
    pm_matrix transpose = {0};
    pm_existence x = {.col_of = pm_alloc_array(a->nrows, sizeof *x.col_of)};
    int32_t *row_of = pm_alloc_array(a->ncols, sizeof *row_of);
    if (!x.col_of || !row_of) {
        status = pm_fail_memory(err, "a matching");
        goto done;
    }
    status = pm_matching_maximum(a, NULL, x.col_of, row_of, &rank, err);
    if (status)
        goto done;
    x.exists = pm_matching_exists(a, rank, kind);
    x.of_columns = rank == a->nrows || kind == PM_MATCHING_COLUMNS
                   || (kind == PM_MATCHING_SATURATING && a->nrows > a->ncols);
    if (!x.exists && x.of_columns) {
        status = pm_matrix_transpose(a, &transpose, err);
        if (!status)
            status = find_violator(&transpose, row_of, x.col_of, &x, err);
    } else if (!x.exists) {
        status = find_violator(a, x.col_of, row_of, &x, err);
    }
    if (!status) {
        *out = x;
        x = (pm_existence){0};
    }
done:
    pm_matrix_free(&transpose);
    pm_existence_free(&x);
    free(row_of);
    return status;
}

void pm_existence_free(pm_existence *x)
{
    free(x->col_of);
    free(x->set);
    free(x->neighbours);
    *x = (pm_existence){0};
}
