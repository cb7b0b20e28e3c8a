/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From entries in any order to compressed rows, in linear time: the entries are spread over the
 * columns, then over the rows; both passes keep the order of what falls together, so entries of
 * equal place end up side by side, the one that came first in front.  Places travel with their
 * numbers (32 more bytes an entry for the two passes): what is read is read in sequence, and only
 * the two spreads jump about in memory. */
#include "config.h"

#include "pm/matrix.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

pm_status pm_triples_add(pm_triples *t, int64_t row, int64_t col, int64_t line, pm_dyadic *v_re,
                         pm_dyadic *v_im, pm_error *err)
{
    assert((t->field == PM_PATTERN) == !v_re && (t->field == PM_COMPLEX) == !!v_im);
    int64_t want = t->count + 1;
    if (PM_GROW(t->at, t->cap, want) || (v_re && PM_GROW(t->re, t->cap_re, want))
        || (v_im && PM_GROW(t->im, t->cap_im, want)))
        return pm_fail(err, PM_ENOMEM, "out of memory: %" PRId64 " entries", want);
    t->at[t->count] = (pm_place){(int32_t)row, (int32_t)col, line};
    if (v_re) {
        t->re[t->count] = *v_re;
        *v_re = (pm_dyadic){0};
    }
    if (v_im) {
        t->im[t->count] = *v_im;
        *v_im = (pm_dyadic){0};
    }
    t->count = want;
    return PM_OK;
}

void pm_triples_free(pm_triples *t)
{
    for (int64_t k = 0; k < t->count; ++k) {
        if (t->re)
            pm_dyadic_clear(&t->re[k]);
        if (t->im)
            pm_dyadic_clear(&t->im[k]);
    }
    free(t->at);
    free(t->re);
    free(t->im);
    *t = (pm_triples){0};
}

/* ---- sorting ---- */

enum { EMPTY_LINES = 1 << 26 };

typedef struct {
    int32_t row, col;
    int64_t number; /* its index in the triples */
} entry;

/* start[0..n]: where each of n buckets begins, from the counts in start[1..n]. */
static void starts_from_counts(int64_t *start, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        start[i + 1] += start[i];
}

static void spread_over_columns(const pm_triples *t, int64_t *start, entry *to)
{
    for (int64_t e = 0; e < t->count; ++e) {
        assert(t->at[e].col >= 0 && t->at[e].col < t->ncols);
        ++start[t->at[e].col + 1];
    }
    starts_from_counts(start, t->ncols);
    for (int64_t e = 0; e < t->count; ++e)
        to[start[t->at[e].col]++] = (entry){t->at[e].row, t->at[e].col, e};
}

static void spread_over_rows(const pm_triples *t, const entry *from, int64_t *start, entry *to)
{
    for (int64_t k = 0; k < t->count; ++k) {
        assert(from[k].row >= 0 && from[k].row < t->nrows);
        ++start[from[k].row + 1];
    }
    starts_from_counts(start, t->nrows);
    for (int64_t k = 0; k < t->count; ++k)
        to[start[from[k].row]++] = from[k];
}

/* The entries by row, column, and time of arrival; NULL when memory ends. */
static entry *sorted_entries(const pm_triples *t)
{
    int64_t *col_start = pm_calloc_array(t->ncols + 1, sizeof *col_start);
    int64_t *row_start = pm_calloc_array(t->nrows + 1, sizeof *row_start);
    entry *by_col = pm_alloc_array(t->count, sizeof *by_col);
    entry *sorted = pm_alloc_array(t->count, sizeof *sorted);
    if (col_start && row_start && by_col && sorted) {
        spread_over_columns(t, col_start, by_col);
        spread_over_rows(t, by_col, row_start, sorted);
    } else {
        free(sorted);
        sorted = NULL;
    }
    free(col_start);
    free(row_start);
    free(by_col);
    return sorted;
}

/* ---- duplicates ---- */

static bool same_place(const entry *d, const entry *e)
{
    return d->row == e->row && d->col == e->col;
}

static bool same_value(const pm_triples *t, int64_t d, int64_t e)
{
    return (!t->re || pm_dyadic_equal(&t->re[d], &t->re[e]))
           && (!t->im || pm_dyadic_equal(&t->im[d], &t->im[e]));
}

/* The earliest entry that may not follow the one of equal place before it, as a message. */
static pm_status check_duplicates(const pm_triples *t, const entry *sorted, pm_duplicates how,
                                  const char *name, pm_error *err)
{
    int64_t bad = t->count, first = 0;
    for (int64_t k = 0, head = 0; k < t->count; ++k) {
        if (!same_place(&sorted[head], &sorted[k]))
            head = k;
        int64_t d = sorted[head].number, e = sorted[k].number;
        bool allowed = head == k || how == PM_DUPLICATES_SUM
                       || (how == PM_DUPLICATES_IGNORE && same_value(t, d, e));
        if (!allowed && e < bad) {
            bad = e;
            first = d;
        }
    }
    if (bad == t->count)
        return PM_OK;
    const pm_place *at = &t->at[bad];
    const char *what =
        how == PM_DUPLICATES_IGNORE ? "duplicate edge with another value" : "duplicate edge";
    if (at->line == 0)
        return pm_fail(err, PM_EDATA, "%s: %s %" PRId32 " %" PRId32, name, what, at->row + 1,
                       at->col + 1);
    return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": %s (first at line %" PRId64 ")", name, at->line,
                   what, t->at[first].line);
}

/* ---- building ---- */

static int64_t count_places(const entry *sorted, int64_t count)
{
    int64_t places = 0;
    for (int64_t k = 0; k < count; ++k)
        places += k == 0 || !same_place(&sorted[k - 1], &sorted[k]);
    return places;
}

/* *x = *v, which becomes 0. */
static void move_value(pm_dyadic *x, pm_dyadic *v)
{
    *x = *v;
    *v = (pm_dyadic){0};
}

/* Entry `to` of a gets the value of the count entries group[], all of one place; false if it
 * is 0. */
static bool merge_values(pm_triples *t, const entry *group, int64_t count, pm_duplicates how,
                         pm_matrix *a, int64_t to)
{
    if (!a->re)
        return true;
    if (!t->re) {
        pm_dyadic_set_si(&a->re[to], count);
        return true;
    }
    move_value(&a->re[to], &t->re[group[0].number]);
    if (a->im)
        move_value(&a->im[to], &t->im[group[0].number]);
    for (int64_t k = 1; how == PM_DUPLICATES_SUM && k < count; ++k) {
        pm_dyadic_add(&a->re[to], &a->re[to], &t->re[group[k].number]);
        if (a->im)
            pm_dyadic_add(&a->im[to], &a->im[to], &t->im[group[k].number]);
    }
    return !pm_dyadic_is_zero(&a->re[to]) || (a->im && !pm_dyadic_is_zero(&a->im[to]));
}

/* Every place once, without those of value 0, into a, which has room for them all. */
static void fill(pm_triples *t, const entry *sorted, pm_duplicates how, pm_matrix *a)
{
    int64_t nnz = 0;
    for (int64_t k = 0, last; k < t->count; k = last) {
        for (last = k + 1; last < t->count && same_place(&sorted[k], &sorted[last]);)
            ++last;
        if (!merge_values(t, &sorted[k], last - k, how, a, nnz))
            continue;
        a->colind[nnz++] = sorted[k].col;
        ++a->rowptr[sorted[k].row + 1];
    }
    starts_from_counts(a->rowptr, a->nrows);
}

pm_status pm_matrix_from_triples(pm_triples *t, pm_duplicates how, const char *name, pm_matrix *out,
                                 pm_error *err)
{
    /* a few bytes that announce empty lines by the billion must not take gigabytes */
    int64_t lines = t->nrows + t->ncols;
    if (lines > EMPTY_LINES && lines > 16 * t->count)
        return pm_fail(err, PM_UNABLE,
                       "%s: refused: %" PRId64 " x %" PRId64 " with %" PRId64
                       " entries; nearly all rows and columns are empty",
                       name, t->nrows, t->ncols, t->count);

    pm_matrix a = {0};
    pm_status s;
    entry *sorted = sorted_entries(t);
    if (!sorted) {
        s = pm_fail(err, PM_ENOMEM, "out of memory: sorting %" PRId64 " entries", t->count);
        goto done;
    }
    s = check_duplicates(t, sorted, how, name, err);
    if (s)
        goto done;
    int64_t places = count_places(sorted, t->count);
    bool counts = t->field == PM_PATTERN && how == PM_DUPLICATES_SUM && places < t->count;
    s = pm_matrix_alloc(&a, counts ? PM_INTEGER : t->field, t->nrows, t->ncols, places, err);
    if (s)
        goto done;
    fill(t, sorted, how, &a);
    if (!pm_matrix_is_in_range(&a)) {
        s = pm_fail(err, PM_UNABLE, "%s: a sum of edges has a binary exponent beyond 2^31", name);
        goto done;
    }
    *out = a;
    a = (pm_matrix){0};
    pm_triples_free(t);
done:
    pm_matrix_free(&a);
    free(sorted);
    return s;
}
