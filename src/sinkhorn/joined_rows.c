/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/joined_rows.h"

#include <stdlib.h>
#include <string.h>

#include "matrix/transposed.h"
#include "pm/alloc.h"

static void side_free(pm_joined_side *s)
{
    for (int k = 0; k < 3; ++k)
        free(s->owned[k]);
    *s = (pm_joined_side){0};
}

void pm_joined_free(pm_joined *y)
{
    side_free(&y->a);
    side_free(&y->t);
    *y = (pm_joined){0};
}

/* ptr: from the starts of the columns; they are there again at the end. */
static void set_values(const pm_joined *y, int64_t columns, int threads, int64_t *ptr, float *value)
{
    const pm_joined_side *a = &y->a;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        const pm_column_range range = pm_column_range_of(columns, part, threads);
        for (int64_t i = 0; i < a->lines; ++i)
            for (int64_t k = a->ptr[i]; k < a->ptr[i + 1]; ++k)
                if (pm_column_is_in(range, a->ind[k]))
                    value[ptr[a->ind[k]]++] = (float)pm_joined_by_item(y, k, i);
    }
    pm_transposed_rewind(ptr, columns);
}

pm_status pm_joined_add_columns(pm_joined *y, bool has_values, int64_t columns, int threads,
                                pm_error *err)
{
    const pm_joined_side *a = &y->a;
    const int64_t entries = a->ptr[a->lines];
    int64_t *ptr = pm_alloc_array(columns + 1, sizeof *ptr);
    int32_t *ind = pm_alloc_array(entries, sizeof *ind);
    float *value = !has_values ? NULL : pm_alloc_array(entries, sizeof *value);
    y->t = (pm_joined_side){columns, ptr, ind, value, {ptr, ind, value}};
    if (!ptr || !ind || (has_values && !value))
        return pm_fail_memory(err, "a coarse system");
    pm_transposed_make(a->lines, columns, a->ptr, a->ind, threads, ptr, ind, NULL);
    if (value)
        set_values(y, columns, threads, ptr, value);
    return PM_OK;
}

/* ---- clusters as items ---- */

typedef struct {
    int32_t *member, *start; /* [items], [clusters + 1]: the items of a cluster, ascending */
    double *part;            /* [columns]: 0 between two clusters */
    int32_t *number;         /* [columns]: of clusters in a column; then its new number, or -1 */
} joining;

static void joining_free(joining *g)
{
    free(g->member);
    free(g->start);
    free(g->part);
    free(g->number);
}

static pm_status joining_make(const int32_t *cluster, int64_t items, int64_t count, int64_t columns,
                              joining *g, pm_error *err)
{
    g->member = pm_alloc_array(items, sizeof *g->member);
    g->start = pm_calloc_array(count + 1, sizeof *g->start);
    g->part = pm_calloc_array(columns, sizeof *g->part);
    g->number = pm_calloc_array(columns, sizeof *g->number);
    if (!g->member || !g->start || !g->part || !g->number)
        return pm_fail_memory(err, "a coarse system");
    for (int64_t i = 0; i < items; ++i)
        ++g->start[cluster[i] + 1];
    for (int64_t k = 0; k < count; ++k)
        g->start[k + 1] += g->start[k];
    for (int64_t i = 0; i < items; ++i)
        g->member[g->start[cluster[i]]++] = (int32_t)i;
    memmove(g->start + 1, g->start, (size_t)count * sizeof *g->start);
    g->start[0] = 0;
    return PM_OK;
}

/* The entries of each cluster.  ptr: [count + 1]; ind, value: room for the entries of all items. */
static void join_entries(const pm_joined *from, joining *g, int64_t count, int64_t *ptr,
                         int32_t *ind, float *value)
{
    const pm_joined_side *a = &from->a;
    int64_t at = 0;
    ptr[0] = 0;
    for (int64_t c = 0; c < count; ++c) {
        for (int32_t m = g->start[c]; m < g->start[c + 1]; ++m) {
            const int32_t i = g->member[m];
            for (int64_t k = a->ptr[i]; k < a->ptr[i + 1]; ++k) {
                const double x = pm_joined_by_item(from, k, i);
                if (!(x > 0)) /* it was too small for a number */
                    continue;
                if (g->part[a->ind[k]] == 0)
                    ind[at++] = a->ind[k];
                g->part[a->ind[k]] += x;
            }
        }
        for (int64_t k = ptr[c]; k < at; ++k) {
            value[k] = (float)g->part[ind[k]];
            g->part[ind[k]] = 0;
            ++g->number[ind[k]];
        }
        ptr[c + 1] = at;
    }
}

/* Leaves out the columns with one entry.  Returns the number of the others. */
static int32_t leave_out(int64_t columns, int32_t *number, int64_t count, int64_t *ptr,
                         int32_t *ind, float *value)
{
    int32_t left = 0;
    int64_t at = 0, from = 0;
    for (int64_t j = 0; j < columns; ++j)
        number[j] = number[j] > 1 ? left++ : -1;
    for (int64_t c = 0; c < count; ++c) {
        const int64_t end = ptr[c + 1];
        for (; from < end; ++from)
            if (number[ind[from]] >= 0) {
                ind[at] = number[ind[from]];
                value[at++] = value[from];
            }
        ptr[c + 1] = at;
    }
    return left;
}

pm_status pm_joined_join(pm_joined *y, const int32_t *cluster, int64_t count, pm_error *err)
{
    const int64_t columns = y->t.lines, entries = y->a.ptr[y->a.lines];
    joining g = {0};
    side_free(&y->t);
    int64_t *ptr = pm_alloc_array(count + 1, sizeof *ptr), left = 0;
    int32_t *ind = pm_alloc_array(entries, sizeof *ind);
    float *value = pm_alloc_array(entries, sizeof *value);
    pm_status status = ptr && ind && value
                           ? joining_make(cluster, y->a.lines, count, columns, &g, err)
                           : pm_fail_memory(err, "a coarse system");
    if (!status) {
        join_entries(y, &g, count, ptr, ind, value);
        left = leave_out(columns, g.number, count, ptr, ind, value);
        const int64_t kept = ptr[count] + 1; /* one more: an array is not empty */
        int64_t inds = entries, values = entries;
        pm_shrink_array((void **)&ind, &inds, kept, sizeof *ind);
        pm_shrink_array((void **)&value, &values, kept, sizeof *value);
    }
    joining_free(&g);
    pm_joined_free(y);
    *y = (pm_joined){.a = {count, ptr, ind, value, {ptr, ind, value}}};
    return status ? status : pm_joined_add_columns(y, true, left, 1, err);
}

/* ---- the diagonal ---- */

void pm_joined_diagonal(const pm_joined *y, float *diagonal)
{
    for (int64_t i = 0; i < y->a.lines; ++i)
        diagonal[i] = 0;
    for (int64_t j = 0; j < y->t.lines; ++j) {
        double sum = 0;
        for (int64_t k = y->t.ptr[j]; k < y->t.ptr[j + 1]; ++k)
            sum += pm_joined_by_column(y, k, j);
        for (int64_t k = y->t.ptr[j]; k < y->t.ptr[j + 1]; ++k) {
            const double x = pm_joined_by_column(y, k, j);
            diagonal[y->t.ind[k]] += (float)(x * (sum - x));
        }
    }
}
