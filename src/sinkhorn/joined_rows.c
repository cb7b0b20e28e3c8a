/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/joined_rows.h"

#include <stdlib.h>
#include <string.h>

#include "matrix/transposed.h"
#include "pm/alloc.h"

static void columns_free(pm_joined_columns *t)
{
    free(t->ptr);
    free(t->ind);
    *t = (pm_joined_columns){0};
}

void pm_joined_free(pm_joined *y)
{
    for (int k = 0; k < 3; ++k)
        free(y->a.owned[k]);
    columns_free(&y->t);
    *y = (pm_joined){0};
}

/* ---- by columns ---- */

static void count_columns(const pm_joined_items *a, pm_column_range range, uint32_t *count)
{
    for (int64_t k = 0; k < a->ptr[a->lines]; ++k)
        if (pm_column_is_in(range, a->ind[k]))
            ++count[a->ind[k]];
}

/* at: where the next item of a column goes. */
static void place_items(const pm_joined_items *a, pm_column_range range, uint32_t *at, int32_t *ind)
{
    for (int64_t i = 0; i < a->lines; ++i)
        for (int64_t k = a->ptr[i]; k < a->ptr[i + 1]; ++k)
            if (pm_column_is_in(range, a->ind[k]))
                ind[at[a->ind[k]]++] = (int32_t)i;
}

pm_status pm_joined_add_columns(pm_joined *y, int64_t columns, int threads, pm_error *err)
{
    const pm_joined_items *a = &y->a;
    uint32_t *ptr = pm_calloc_array(columns + 2, sizeof *ptr);
    int32_t *ind = pm_alloc_array(a->ptr[a->lines], sizeof *ind);
    y->t = (pm_joined_columns){columns, ptr, ind};
    if (!ptr || !ind)
        return pm_fail_memory(err, "a coarse system");
        /* ptr[j + 1] is the start of column j while items are placed, its end afterwards. */
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int part = 0; part < threads; ++part)
        count_columns(a, pm_column_range_of(columns, part, threads), ptr + 2);
    for (int64_t j = 0; j < columns; ++j)
        ptr[j + 2] += ptr[j + 1];
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int part = 0; part < threads; ++part)
        place_items(a, pm_column_range_of(columns, part, threads), ptr + 1, ind);
    return PM_OK;
}

/* ---- clusters as items ---- */

typedef struct {
    int32_t *member, *start; /* [items], [clusters + 1]: the items of a cluster, ascending */
    uint64_t *is_used,       /* bits: a cluster has an entry in the column, */
        *is_kept;            /* and another one, too */
    uint32_t *before;        /* for each word of these: the columns before it that are kept */
} joining;

static void joining_free(joining *g)
{
    free(g->member);
    free(g->start);
    free(g->is_used);
    free(g->is_kept);
    free(g->before);
}

static int64_t words_of(int64_t columns)
{
    return columns / 64 + 1;
}

static pm_status joining_make(const int32_t *cluster, int64_t items, int64_t count, int64_t columns,
                              joining *g, pm_error *err)
{
    const int64_t words = words_of(columns);
    g->member = pm_alloc_array(items, sizeof *g->member);
    g->start = pm_calloc_array(count + 1, sizeof *g->start);
    g->is_used = pm_calloc_array(words, sizeof *g->is_used);
    g->is_kept = pm_calloc_array(words, sizeof *g->is_kept);
    g->before = pm_alloc_array(words, sizeof *g->before);
    if (!g->member || !g->start || !g->is_used || !g->is_kept || !g->before)
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

static uint64_t bit_of(int32_t j)
{
    return UINT64_C(1) << j % 64;
}

static void use_column(joining *g, int32_t j)
{
    if (g->is_used[j / 64] & bit_of(j))
        g->is_kept[j / 64] |= bit_of(j);
    g->is_used[j / 64] |= bit_of(j);
}

/* By columns (Shell 1959; gaps of Ciura 2001 and longer ones): most clusters have few entries. */
static void sort_entries(int64_t n, int32_t *ind, float *value)
{
    static const int64_t gaps[] = {1000000, 333333, 111111, 37037, 12345, 4001, 1750, 701,
                                   301,     132,    57,     23,    10,    4,    1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; ++g)
        for (int64_t k = gaps[g]; k < n; ++k) {
            const int32_t column = ind[k];
            const float x = value[k];
            int64_t at = k;
            for (; at >= gaps[g] && ind[at - gaps[g]] > column; at -= gaps[g]) {
                ind[at] = ind[at - gaps[g]];
                value[at] = value[at - gaps[g]];
            }
            ind[at] = column;
            value[at] = x;
        }
}

/* Entries of one column become one.  Returns how many are left. */
static int64_t add_equal(int64_t n, int32_t *ind, float *value)
{
    int64_t left = 0;
    for (int64_t k = 0; k < n; ++left) {
        const int32_t column = ind[k];
        double sum = 0;
        for (; k < n && ind[k] == column; ++k)
            sum += value[k];
        ind[left] = column;
        value[left] = (float)sum;
    }
    return left;
}

/* The entries of each cluster.  ptr: [count + 1]; ind, value: room for the entries of all items. */
static void join_entries(const pm_joined *from, joining *g, int64_t count, int64_t *ptr,
                         int32_t *ind, float *value)
{
    const pm_joined_items *a = &from->a;
    ptr[0] = 0;
    for (int64_t c = 0; c < count; ++c) {
        int64_t at = ptr[c];
        for (int32_t m = g->start[c]; m < g->start[c + 1]; ++m) {
            const int32_t i = g->member[m];
            for (int64_t k = a->ptr[i]; k < a->ptr[i + 1]; ++k) {
                const float x = (float)pm_joined_by_item(from, k, i);
                if (!(x > 0)) /* it was too small for a number */
                    continue;
                ind[at] = a->ind[k];
                value[at++] = x;
            }
        }
        sort_entries(at - ptr[c], ind + ptr[c], value + ptr[c]);
        ptr[c + 1] = ptr[c] + add_equal(at - ptr[c], ind + ptr[c], value + ptr[c]);
        for (int64_t k = ptr[c]; k < ptr[c + 1]; ++k)
            use_column(g, ind[k]);
    }
}

/* Leaves out the columns with one entry.  Returns the number of the others. */
static int64_t leave_out(int64_t columns, joining *g, int64_t count, int64_t *ptr, int32_t *ind,
                         float *value)
{
    uint32_t left = 0;
    int64_t at = 0, from = 0;
    for (int64_t w = 0; w < words_of(columns); ++w) {
        g->before[w] = left;
        left += (uint32_t)__builtin_popcountll(g->is_kept[w]);
    }
    for (int64_t c = 0; c < count; ++c) {
        const int64_t end = ptr[c + 1];
        for (; from < end; ++from) {
            const int32_t j = ind[from];
            const uint64_t word = g->is_kept[j / 64], bit = bit_of(j);
            if (!(word & bit))
                continue;
            ind[at] = (int32_t)g->before[j / 64] + __builtin_popcountll(word & (bit - 1));
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
    columns_free(&y->t);
    int64_t *ptr = pm_alloc_array(count + 1, sizeof *ptr), left = 0;
    int32_t *ind = pm_alloc_array(entries, sizeof *ind);
    float *value = pm_alloc_array(entries, sizeof *value);
    pm_status status = ptr && ind && value
                           ? joining_make(cluster, y->a.lines, count, columns, &g, err)
                           : pm_fail_memory(err, "a coarse system");
    if (!status) {
        join_entries(y, &g, count, ptr, ind, value);
        left = leave_out(columns, &g, count, ptr, ind, value);
        const int64_t kept = ptr[count] + 1; /* one more: an array is not empty */
        int64_t inds = entries, values = entries;
        pm_shrink_array((void **)&ind, &inds, kept, sizeof *ind);
        pm_shrink_array((void **)&value, &values, kept, sizeof *value);
    }
    joining_free(&g);
    pm_joined_free(y);
    *y = (pm_joined){.a = {count, ptr, ind, value, {ptr, ind, value}}};
    return status ? status : pm_joined_add_columns(y, left, 1, err);
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
