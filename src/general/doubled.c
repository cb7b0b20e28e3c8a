/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "general/doubled.h"

#include <stdlib.h>

#include "pm/alloc.h"

typedef struct {
    const pm_matrix *a;
    pm_doubled_weights weights;
    pm_matrix *out;
    int64_t at; /* entries that are written */
} doubling;

/* Appends an entry with the weight of entry k. */
static void put(doubling *d, int64_t column, int64_t k, bool is_square)
{
    d->out->colind[d->at] = (int32_t)column;
    if (d->out->re && is_square)
        pm_dyadic_mul(&d->out->re[d->at], &d->a->re[k], &d->a->re[k]);
    else if (d->out->re)
        pm_dyadic_set(&d->out->re[d->at], &d->a->re[k]);
    ++d->at;
}

static void put_neighbours(doubling *d, int64_t v, int64_t here)
{
    const pm_matrix *a = d->a;
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
        if (a->colind[k] != v)
            put(d, here + a->colind[k], k, false);
}

static void put_loop(doubling *d, int64_t v, int64_t other)
{
    const pm_matrix *a = d->a;
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
        if (a->colind[k] == v)
            put(d, other, k, d->weights == PM_DOUBLED_SQUARES);
}

static pm_status take_labels(const pm_matrix *a, pm_matrix *out, pm_error *err)
{
    const int64_t n = a->nrows;
    int32_t *vertex = pm_alloc_array(2 * n, sizeof *vertex);
    if (!vertex)
        return pm_fail_memory(err, "two copies of a graph");
    for (int64_t v = 0; v < 2 * n; ++v)
        vertex[v] = (int32_t)(v % n);
    pm_status status =
        pm_labels_select_or_number(&a->row_labels, vertex, 2 * n, &out->row_labels, err);
    if (!status)
        status = pm_labels_select_or_number(&a->row_labels, vertex, 2 * n, &out->col_labels, err);
    free(vertex);
    return status;
}

pm_status pm_doubled_make(const pm_matrix *a, pm_doubled_weights weights, pm_matrix *out,
                          pm_error *err)
{
    const int64_t n = a->nrows;
    doubling d = {.a = a, .weights = weights, .out = out};
    const pm_field field = weights == PM_DOUBLED_PATTERN ? PM_PATTERN : a->field;
    pm_status status = pm_matrix_alloc(out, field, 2 * n, 2 * n, 2 * pm_matrix_nnz(a), err);
    if (status)
        return status;
    for (int64_t v = 0; v < n; ++v) {
        put_neighbours(&d, v, 0);
        put_loop(&d, v, n + v);
        out->rowptr[v + 1] = d.at;
    }
    for (int64_t v = 0; v < n; ++v) {
        put_loop(&d, v, v);
        put_neighbours(&d, v, n);
        out->rowptr[n + v + 1] = d.at;
    }
    status = weights == PM_DOUBLED_PATTERN ? PM_OK : take_labels(a, out, err);
    if (status)
        pm_matrix_free(out);
    return status;
}
