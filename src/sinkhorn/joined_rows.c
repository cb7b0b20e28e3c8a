/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/joined_rows.h"

#include <stdlib.h>
#include <string.h>

#include "matrix/transposed.h"
#include "pm/alloc.h"

void pm_joined_free(pm_joined *y)
{
    for (int k = 0; k < 3; ++k)
        free(y->owned[k]);
    *y = (pm_joined){0};
}

/* ---- by columns ---- */

/* Columns that are sorted at once, for so many entries: more than the half of these are in one range where columns are
 * numbered as rows are. */
static int64_t width_of(int64_t entries)
{
    return entries / 2 + 1;
}

pm_status pm_joined_columns_make(int64_t room, pm_joined_columns *out, pm_error *err)
{
    *out = (pm_joined_columns){.item = pm_alloc_array(room + 1, sizeof *out->item),
                               .start = pm_alloc_array(room + 1, sizeof *out->start),
                               .end = pm_alloc_array(width_of(room) + 1, sizeof *out->end)};
    return out->item && out->start && out->end ? PM_OK : pm_fail_memory(err, "a coarse system");
}

void pm_joined_columns_free(pm_joined_columns *t)
{
    free(t->item);
    free(t->start);
    free(t->end);
    *t = (pm_joined_columns){0};
}

/* Those of the columns of a range, behind the `before` ones of lower columns.  Returns how many there are then. */
static uint32_t sort_range(pm_joined_columns *t, const pm_joined *y, int64_t from, int64_t to,
                           pm_column_range range, uint32_t before)
{
    uint32_t *end =
        t->end; /* at first end[j + 1] is the number of entries of column j, then end[j] its start */
    const int64_t last = pm_joined_start(y, to);
    memset(end, 0, ((size_t)range.count + 1) * sizeof *end);
    for (int64_t k = t->base; k < last; ++k)
        if (pm_column_is_in(range, y->ind[k]))
            ++end[(uint32_t)y->ind[k] - range.from + 1];
    end[0] = before;
    for (uint32_t j = 0; j < range.count; ++j)
        end[j + 1] += end[j];
    const uint32_t all = end[range.count];
    int64_t k = t->base;
    for (int64_t i = from; i < to; ++i)
        for (const int64_t next = pm_joined_start(y, i + 1); k < next; ++k)
            if (pm_column_is_in(range, y->ind[k]))
                t->item[end[(uint32_t)y->ind[k] - range.from]++] = (int32_t)i;
    for (k = t->base; k < last; ++k) {
        const uint32_t j = (uint32_t)y->ind[k] - range.from;
        if (pm_column_is_in(range, y->ind[k]))
            t->start[k - t->base] = j ? end[j - 1] : before;
    }
    for (uint32_t j = 0; j < range.count; ++j)
        if (end[j] > (j ? end[j - 1] : before))
            t->item[end[j] - 1] = ~t->item[end[j] - 1];
    return all;
}

void pm_joined_columns_set(pm_joined_columns *t, const pm_joined *y, int64_t from, int64_t to)
{
    const int64_t last = pm_joined_start(y, to);
    int32_t low = INT32_MAX, high = -1;
    t->base = pm_joined_start(y, from);
    for (int64_t k = t->base; k < last; ++k) {
        low = y->ind[k] < low ? y->ind[k] : low;
        high = y->ind[k] > high ? y->ind[k] : high;
    }
    const int64_t width = width_of(last - t->base);
    uint32_t before = 0;
    for (int64_t at = low; at <= high; at += width) {
        const int64_t count = high - at + 1 < width ? high - at + 1 : width;
        const pm_column_range range = {(uint32_t)at, (uint32_t)count};
        before = sort_range(t, y, from, to, range, before);
    }
}

/* ---- clusters as items ---- */

/* What there is while clusters become items. */
typedef struct {
    int32_t *member, *start; /* of a part: its items by clusters, ascending; [its clusters + 1] */
    int32_t *ind;            /* entries of the clusters of a part */
    float *value;
    uint64_t *is_used, /* bits: a cluster has an entry in the column, */
        *is_kept;      /* and another one, too */
    uint32_t *before;  /* for each word of these: the columns before it that are kept */
} joining;

static void joining_free(joining *g)
{
    free(g->member);
    free(g->start);
    free(g->ind);
    free(g->value);
    free(g->is_used);
    free(g->is_kept);
    free(g->before);
}

static int64_t words_of(int64_t columns)
{
    return columns / 64 + 1;
}

static pm_status joining_make(const pm_joined *y, const pm_joined_clusters *c, joining *g,
                              pm_error *err)
{
    const int64_t words = words_of(y->columns);
    int64_t items = 0, clusters = 0, entries = 0; /* of a part, at most */
    for (int p = 0; p < c->parts; ++p) {
        const int64_t has = pm_joined_start(y, c->part[p + 1]) - pm_joined_start(y, c->part[p]);
        items = c->part[p + 1] - c->part[p] > items ? c->part[p + 1] - c->part[p] : items;
        clusters =
            c->first[p + 1] - c->first[p] > clusters ? c->first[p + 1] - c->first[p] : clusters;
        entries = has > entries ? has : entries;
    }
    g->member = pm_alloc_array(items, sizeof *g->member);
    g->start = pm_alloc_array(clusters + 1, sizeof *g->start);
    g->ind = pm_alloc_array(entries + 1, sizeof *g->ind);
    g->value = pm_alloc_array(entries + 1, sizeof *g->value);
    g->is_used = pm_calloc_array(words, sizeof *g->is_used);
    g->is_kept = pm_calloc_array(words, sizeof *g->is_kept);
    g->before = pm_alloc_array(words, sizeof *g->before);
    const bool has_memory =
        g->member && g->start && g->ind && g->value && g->is_used && g->is_kept && g->before;
    return has_memory ? PM_OK : pm_fail_memory(err, "a coarse system");
}

/* The members of the clusters of part p. */
static void sort_members(joining *g, const pm_joined_clusters *c, int p)
{
    const int64_t count = c->first[p + 1] - c->first[p];
    memset(g->start, 0, (size_t)(count + 1) * sizeof *g->start);
    for (int32_t i = c->part[p]; i < c->part[p + 1]; ++i)
        ++g->start[c->cluster[i] - c->first[p] + 1];
    for (int64_t k = 0; k < count; ++k)
        g->start[k + 1] += g->start[k];
    for (int32_t i = c->part[p]; i < c->part[p + 1]; ++i)
        g->member[g->start[c->cluster[i] - c->first[p]]++] = i;
    memmove(g->start + 1, g->start, (size_t)count * sizeof *g->start);
    g->start[0] = 0;
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

int64_t pm_joined_merge(int64_t n, int32_t *ind, float *value)
{
    sort_entries(n, ind, value);
    return add_equal(n, ind, value);
}

/* The entries of the clusters of a part go to g; ptr: of its first cluster, the others are set.  Returns how many there
 * are. */
static int64_t join_part(const pm_joined *y, joining *g, int64_t clusters, uint32_t *ptr)
{
    int64_t from = 0;
    for (int64_t c = 0; c < clusters; ++c) {
        int64_t at = from;
        for (int32_t m = g->start[c]; m < g->start[c + 1]; ++m) {
            const int32_t i = g->member[m];
            const int64_t end = pm_joined_start(y, i + 1);
            for (int64_t k = pm_joined_start(y, i); k < end; ++k) {
                const float x = (float)pm_joined_value(y, k, i);
                if (!(x > 0)) /* it was too small for a number */
                    continue;
                g->ind[at] = y->ind[k];
                g->value[at++] = x;
            }
        }
        at = from + pm_joined_merge(at - from, g->ind + from, g->value + from);
        for (int64_t k = from; k < at; ++k)
            use_column(g, g->ind[k]);
        ptr[c + 1] = ptr[c] + (uint32_t)(at - from);
        from = at;
    }
    return from;
}

/* ptr: [count + 1]; ind, value: for the entries; these of the items themselves are allowed, since clusters of a part
 * have at most as many entries as its items, which are read before. */
static void join_parts(const pm_joined *y, const pm_joined_clusters *c, joining *g, uint32_t *ptr,
                       int32_t *ind, float *value)
{
    ptr[0] = 0;
    for (int p = 0; p < c->parts; ++p) {
        const int32_t first = c->first[p];
        sort_members(g, c, p);
        const int64_t count = join_part(y, g, c->first[p + 1] - first, ptr + first);
        memcpy(ind + ptr[first], g->ind, (size_t)count * sizeof *ind);
        memcpy(value + ptr[first], g->value, (size_t)count * sizeof *value);
    }
}

/* Leaves out the columns with one entry.  Returns the number of the others. */
static int64_t leave_out(int64_t columns, joining *g, int64_t count, uint32_t *ptr, int32_t *ind,
                         float *value)
{
    uint32_t left = 0, at = 0, from = 0;
    for (int64_t w = 0; w < words_of(columns); ++w) {
        g->before[w] = left;
        left += (uint32_t)__builtin_popcountll(g->is_kept[w]);
    }
    for (int64_t c = 0; c < count; ++c) {
        const uint32_t end = ptr[c + 1];
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

pm_status pm_joined_join(pm_joined *y, const pm_joined_clusters *c, pm_error *err)
{
    const int64_t entries = pm_joined_start(y, y->items);
    const bool is_own =
        y->owned[1]; /* the entries, which are overwritten; else they are those of the matrix */
    int64_t left = 0;
    joining g = {0};
    uint32_t *ptr = pm_alloc_array(c->count + 1, sizeof *ptr);
    int32_t *ind = is_own ? y->owned[1] : pm_alloc_array(entries + 1, sizeof *ind);
    float *value = is_own ? y->owned[2] : pm_alloc_array(entries + 1, sizeof *value);
    pm_status status =
        ptr && ind && value ? joining_make(y, c, &g, err) : pm_fail_memory(err, "a coarse system");
    if (!status) {
        join_parts(y, c, &g, ptr, ind, value);
        left = leave_out(y->columns, &g, c->count, ptr, ind, value);
        const int64_t kept = ptr[c->count] + INT64_C(1); /* one more: an array is not empty */
        int64_t inds = entries + 1, values = entries + 1;
        pm_shrink_array((void **)&ind, &inds, kept, sizeof *ind);
        pm_shrink_array((void **)&value, &values, kept, sizeof *value);
    }
    joining_free(&g);
    free(y->owned[0]);
    *y = (pm_joined){c->count, left, NULL, ptr, ind, value, .owned = {ptr, ind, value}};
    return status;
}

/* ---- the diagonal ---- */

/* The columns have sums for a range of them at a time; each item takes its entries in ascending columns. */
pm_status pm_joined_diagonal(const pm_joined *y, float *diagonal, pm_error *err)
{
    enum { RANGES = 4 };
    double *sum = pm_alloc_array(y->columns / RANGES + 1, sizeof *sum);
    if (!sum)
        return pm_fail_memory(err, "a coarse system");
    for (int64_t i = 0; i < y->items; ++i)
        diagonal[i] = 0;
    for (int r = 0; r < RANGES; ++r) {
        const pm_column_range range = pm_column_range_of(y->columns, r, RANGES);
        for (uint32_t j = 0; j < range.count; ++j)
            sum[j] = 0;
        for (int pass = 0; pass < 2; ++pass)
            for (int64_t i = 0, k = 0; i < y->items; ++i)
                for (const int64_t end = pm_joined_start(y, i + 1); k < end; ++k) {
                    if (!pm_column_is_in(range, y->ind[k]))
                        continue;
                    const double x = pm_joined_value(y, k, i);
                    double *column = &sum[(uint32_t)y->ind[k] - range.from];
                    if (pass == 0)
                        *column += x;
                    else
                        diagonal[i] += (float)(x * (*column - x));
                }
    }
    free(sum);
    return PM_OK;
}
