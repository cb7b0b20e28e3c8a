/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matrix/triples_sort.h"

#include <assert.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"

void pm_sorted_entries_free(pm_sorted_entries *x)
{
    free(x->start);
    free(x->col);
    free(x->number);
    *x = (pm_sorted_entries){0};
}

/* Turns the sizes of n buckets, in start[1..n], into the starts of the buckets, in start[0..n]. */
static void starts_from_counts(int64_t *start, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        start[i + 1] += start[i];
}

/* Moves the starts, which a sort has moved to the ends, back. */
static void starts_from_ends(int64_t *start, int64_t n)
{
    memmove(start + 1, start, (size_t)n * sizeof *start);
    start[0] = 0;
}

/* Triples whose rows may be in order already, and the entries to be. */
typedef struct {
    const pm_triples *t;
    pm_sorted_entries *x;
    atomic_bool is_other; /* a row is not in order, or long and not sorted */
} ordered;

static void look_for_order(void *context, int part, int parts)
{
    ordered *o = context;
    const pm_triples *t = o->t;
    const int64_t from = pm_team_first(t->count, part, parts),
                  to = pm_team_first(t->count, part + 1, parts);
    bool is_other = false;
    for (int64_t e = from > 0 ? from : 1; e < to && !is_other; ++e)
        is_other = t->at[e].row < t->at[e - 1].row;
    if (is_other)
        o->is_other = true;
}

/* The columns of the entries as they come, and where the rows start, which are in order. */
static void take_in_order(void *context, int part, int parts)
{
    const ordered *o = context;
    const pm_triples *t = o->t;
    pm_sorted_entries *x = o->x;
    const int64_t to = pm_team_first(t->count, part + 1, parts);
    for (int64_t e = pm_team_first(t->count, part, parts); e < to; ++e) {
        const int64_t row = t->at[e].row, before = e ? t->at[e - 1].row : -1;
        assert(row >= 0 && row < t->nrows);
        assert(t->at[e].col >= 0 && t->at[e].col < t->ncols);
        for (int64_t i = before + 1; i <= row; ++i)
            x->start[i] = e;
        x->col[e] = t->at[e].col;
        if (x->number)
            x->number[e] = e;
    }
    if (part < parts - 1)
        return;
    for (int64_t i = t->count ? (int64_t)t->at[t->count - 1].row + 1 : 0; i <= t->nrows; ++i)
        x->start[i] = t->count;
}

enum { SHORT_ROW = 32 };

/* Sorts a row by columns, stably, by insertion: it is short, or sorted already.  Returns false where it is long and
 * not sorted. */
static bool sort_row(pm_sorted_entries *x, int64_t from, int64_t to)
{
    for (int64_t k = from + 1; k < to; ++k) {
        const int32_t col = x->col[k];
        const int64_t number = x->number ? x->number[k] : 0;
        int64_t at = k;
        if (col < x->col[k - 1] && to - from > SHORT_ROW)
            return false;
        for (; at > from && x->col[at - 1] > col; --at) {
            x->col[at] = x->col[at - 1];
            if (x->number)
                x->number[at] = x->number[at - 1];
        }
        x->col[at] = col;
        if (x->number)
            x->number[at] = number;
    }
    return true;
}

static void sort_rows_of_part(void *context, int part, int parts)
{
    ordered *o = context;
    const int64_t to = pm_team_first(o->t->nrows, part + 1, parts);
    bool is_done = true;
    for (int64_t i = pm_team_first(o->t->nrows, part, parts); i < to && is_done; ++i)
        is_done = sort_row(o->x, o->x->start[i], o->x->start[i + 1]);
    if (!is_done)
        o->is_other = true;
}

/* x: its arrays are allocated, start is 0.  Returns false, and leaves x as it came, where the rows are not in order, or
 * long and not sorted. */
static bool sort_rows(const pm_triples *t, pm_sorted_entries *x)
{
    const int threads = pm_transposed_threads(t->count, t->run);
    ordered o = {.t = t, .x = x};
    pm_team_run(threads, look_for_order, &o);
    if (o.is_other)
        return false;
    pm_team_run(threads, take_in_order, &o);
    pm_team_run(threads, sort_rows_of_part, &o);
    if (o.is_other)
        memset(x->start, 0, (size_t)(t->nrows + 1) * sizeof *x->start);
    return !o.is_other;
}

/* row[], number[]: by columns, those of column j from start[j] on; start[j] is moved to its end. */
static void sort_by_column(const pm_triples *t, int64_t *start, int32_t *row, int64_t *number)
{
    for (int64_t e = 0; e < t->count; ++e) {
        const int64_t to = start[t->at[e].col]++;
        row[to] = t->at[e].row;
        if (number)
            number[to] = e;
    }
}

static void sort_by_row(int64_t ncols, const int64_t *end, const int32_t *row,
                        const int64_t *number, pm_sorted_entries *x)
{
    int64_t k = 0;
    for (int64_t j = 0; j < ncols; ++j)
        for (; k < end[j]; ++k) {
            const int64_t to = x->start[row[k]]++;
            x->col[to] = (int32_t)j;
            if (number)
                x->number[to] = number[k];
        }
}

/* Counts the entries of each row and of each column. */
static void count_lines(const pm_triples *t, int64_t *row_start, int64_t *col_start)
{
    for (int64_t e = 0; e < t->count; ++e) {
        assert(t->at[e].row >= 0 && t->at[e].row < t->nrows);
        assert(t->at[e].col >= 0 && t->at[e].col < t->ncols);
        ++row_start[t->at[e].row + 1];
        ++col_start[t->at[e].col + 1];
    }
    starts_from_counts(row_start, t->nrows);
    starts_from_counts(col_start, t->ncols);
}

/* x: its arrays are allocated, start is 0.  Returns false when out of memory. */
static bool sort_twice(const pm_triples *t, pm_sorted_entries *x)
{
    int64_t *col_start = pm_calloc_array(t->ncols + 1, sizeof *col_start);
    int32_t *row = pm_alloc_array(t->count, sizeof *row);
    int64_t *number = x->number ? pm_alloc_array(t->count, sizeof *number) : NULL;
    const bool has_memory = col_start && row && (number || !x->number);
    if (has_memory) {
        count_lines(t, x->start, col_start);
        sort_by_column(t, col_start, row, number);
        sort_by_row(t->ncols, col_start, row, number, x);
        starts_from_ends(x->start, t->nrows);
    }
    free(col_start);
    free(row);
    free(number);
    return has_memory;
}

pm_status pm_triples_sort(const pm_triples *t, bool with_numbers, pm_sorted_entries *out,
                          pm_error *err)
{
    pm_sorted_entries x = {pm_calloc_array(t->nrows + 1, sizeof *x.start),
                           pm_alloc_array(t->count, sizeof *x.col),
                           with_numbers ? pm_alloc_array(t->count, sizeof *x.number) : NULL};
    const bool has_memory =
        x.start && x.col && (x.number || !with_numbers) && (sort_rows(t, &x) || sort_twice(t, &x));
    if (!has_memory) {
        pm_sorted_entries_free(&x);
        return pm_fail(err, PM_ENOMEM, "out of memory: sorting %" PRId64 " entries", t->count);
    }
    *out = x;
    return PM_OK;
}
