/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/coarse_matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

enum {
    ROWS_OF_PART = 5000, /* at least; their number does not depend on the threads */
    GROUPS = 4           /* of parts, which are made one after the other: less memory */
};

/* The items by columns, where some parts have entries: those of column j are item[ptr[j]] .. item[ptr[j + 1] - 1]. */
typedef struct {
    uint64_t *is_used; /* bits, of the columns */
    uint32_t *ptr;     /* [columns + 2] */
    int32_t *item;
    int64_t room; /* of item */
} by_columns;

/* A row that is made: items, some of them several times, and weights. */
typedef struct {
    int32_t *ind;
    float *weight;
    int64_t count, inds, weights; /* room of ind, of weight */
} line;

void pm_coarse_matrix_free(pm_coarse_matrix *a)
{
    for (int p = 0; p < a->parts; ++p) {
        free(a->part[p].ptr);
        free(a->part[p].ind);
        free(a->part[p].weight);
    }
    *a = (pm_coarse_matrix){0};
}

int64_t pm_coarse_entries(const pm_coarse_matrix *a)
{
    int64_t entries = 0;
    for (int p = 0; p < a->parts; ++p)
        entries += a->part[p].ptr[pm_coarse_start(a->items, a->parts, p + 1)
                                  - pm_coarse_start(a->items, a->parts, p)];
    return entries;
}

static void by_columns_free(by_columns *t)
{
    free(t->is_used);
    free(t->ptr);
    free(t->item);
}

static bool is_used(const by_columns *t, int32_t j)
{
    return t->is_used[j / 64] >> j % 64 & 1;
}

/* All items, in the columns of the items from .. to - 1. */
static bool by_columns_set(const pm_joined *y, int64_t from, int64_t to, by_columns *t)
{
    const int64_t entries = pm_joined_start(y, y->items), last = pm_joined_start(y, to);
    uint32_t *ptr = t->ptr;
    memset(t->is_used, 0, ((size_t)y->columns / 64 + 1) * sizeof *t->is_used);
    memset(ptr, 0, ((size_t)y->columns + 2) * sizeof *ptr);
    for (int64_t k = pm_joined_start(y, from); k < last; ++k)
        t->is_used[y->ind[k] / 64] |= UINT64_C(1) << y->ind[k] % 64;
    for (int64_t k = 0; k < entries; ++k)
        ptr[y->ind[k] + 2] += is_used(t, y->ind[k]);
    for (int64_t j = 0; j < y->columns; ++j)
        ptr[j + 2] += ptr[j + 1];
    if (PM_GROW(t->item, t->room, ptr[y->columns + 1] + INT64_C(1)))
        return false;
    for (int64_t i = 0; i < y->items; ++i)
        for (int64_t k = pm_joined_start(y, i); k < pm_joined_start(y, i + 1); ++k)
            if (is_used(t, y->ind[k]))
                t->item[ptr[y->ind[k] + 1]++] = (int32_t)i;
    return true;
}

static bool make_row(const pm_joined *y, const by_columns *t, int32_t i, line *row)
{
    row->count = 0;
    for (int64_t k = pm_joined_start(y, i); k < pm_joined_start(y, i + 1); ++k) {
        const int32_t j = y->ind[k];
        const double x = pm_joined_value(y, k, i);
        const int64_t most = row->count + t->ptr[j + 1] - t->ptr[j];
        if (PM_GROW(row->ind, row->inds, most) || PM_GROW(row->weight, row->weights, most))
            return false;
        for (uint32_t m = t->ptr[j]; m < t->ptr[j + 1]; ++m) {
            const int32_t other = t->item[m];
            const float weight = other == i ? 0 : (float)(x * pm_joined_at(y, other, j));
            if (!(weight >= FLT_MIN)) /* smaller numbers take longer */
                continue;
            row->ind[row->count] = other;
            row->weight[row->count++] = weight;
        }
    }
    row->count = pm_joined_merge(row->count, row->ind, row->weight);
    return true;
}

/* Writes the row behind `at` entries.  Returns the diagonal element. */
static float take_row(const line *row, pm_coarse_rows *to, int64_t at)
{
    double sum = 0;
    for (int64_t k = 0; k < row->count; ++k) {
        to->ind[at + k] = row->ind[k];
        to->weight[at + k] = pm_short_of(row->weight[k]);
        sum += pm_short_value(to->weight[at + k]);
    }
    return (float)fmin(sum, FLT_MAX);
}

static bool make_part(const pm_joined *y, const by_columns *t, int64_t from, int64_t to,
                      float *diagonal, pm_coarse_rows *out)
{
    int64_t at = 0, inds = 0, weights = 0;
    line row = {0};
    out->ptr = pm_alloc_array(to - from + 1, sizeof *out->ptr);
    bool is_made = out->ptr;
    for (int64_t i = from; i < to && is_made; ++i) {
        out->ptr[i - from] = (uint32_t)at;
        is_made = make_row(y, t, (int32_t)i, &row)
                  && at + row.count <= UINT32_MAX /* there is hardly memory for more */
                  && !PM_GROW(out->ind, inds, at + row.count + 1)
                  && !PM_GROW(out->weight, weights, at + row.count + 1);
        if (is_made)
            diagonal[i] = take_row(&row, out, at);
        at += row.count;
    }
    free(row.ind);
    free(row.weight);
    if (!is_made)
        return false;
    out->ptr[to - from] = (uint32_t)at;
    pm_shrink_array((void **)&out->ind, &inds, at + 1, sizeof *out->ind);
    pm_shrink_array((void **)&out->weight, &weights, at + 1, sizeof *out->weight);
    return true;
}

/* Parts from .. to - 1. */
static bool make_parts(const pm_joined *y, int from, int to, by_columns *t, int threads,
                       float *diagonal, pm_coarse_matrix *out)
{
    if (from == to)
        return true;
    bool is_short = !by_columns_set(y, pm_coarse_start(out->items, out->parts, from),
                                    pm_coarse_start(out->items, out->parts, to), t);
    const int end = is_short ? from : to;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)                                 \
    reduction(||                                                                                   \
              : is_short) if (threads > 1)
    for (int p = from; p < end; ++p)
        is_short =
            !make_part(y, t, pm_coarse_start(out->items, out->parts, p),
                       pm_coarse_start(out->items, out->parts, p + 1), diagonal, &out->part[p])
            || is_short;
    return !is_short;
}

pm_status pm_coarse_matrix_make(const pm_joined *y, int threads, float *diagonal,
                                pm_coarse_matrix *out, pm_error *err)
{
    by_columns t = {0};
    const int64_t wanted = y->items / ROWS_OF_PART + 1;
    const int parts = wanted < PM_COARSE_PARTS ? (int)wanted : PM_COARSE_PARTS;
    *out = (pm_coarse_matrix){.items = y->items, .parts = parts};
    t.is_used = pm_alloc_array(y->columns / 64 + 1, sizeof *t.is_used);
    t.ptr = pm_alloc_array(y->columns + 2, sizeof *t.ptr);
    bool has_memory = t.is_used && t.ptr;
    for (int g = 0; g < GROUPS && has_memory; ++g)
        has_memory =
            make_parts(y, parts * g / GROUPS, parts * (g + 1) / GROUPS, &t, threads, diagonal, out);
    by_columns_free(&t);
    return has_memory ? PM_OK : pm_fail_memory(err, "a coarse system");
}
