/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From entries in any order to compressed rows, in linear time: the entries are sorted by column
 * and then by row.  Both sorts are stable, so entries of equal position become neighbours, in the
 * order in which they were added.  The sorts move the positions themselves (32 more bytes an
 * entry), so all reads are sequential and only the writes of the two sorts are not.  Entries that come
 * sorted are left as they are. */
#include "config.h"

#include "pm/matrix.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/exponents.h"
#include "pm/alloc.h"
#include "pm/settings.h"

pm_status pm_triples_add(pm_triples *t, int64_t row, int64_t col, int64_t line, pm_dyadic *v_re,
                         pm_dyadic *v_im, pm_error *err)
{
    assert((t->field == PM_PATTERN) == !v_re && (t->field == PM_COMPLEX) == !!v_im);
    int64_t want = t->count + 1;
    if (PM_GROW(t->at, t->cap, want) || (v_re && PM_GROW(t->re, t->cap_re, want))
        || (v_im && PM_GROW(t->im, t->cap_im, want)))
        return pm_fail(err, PM_ENOMEM, "out of memory: %" PRId64 " entries", want);
    t->at[t->count] = (pm_coordinates){(int32_t)row, (int32_t)col, line};
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
    int64_t number; /* its index in pm_triples */
} entry;

/* Turns the sizes of n buckets, in start[1..n], into the starts of the buckets, in start[0..n]. */
static void starts_from_counts(int64_t *start, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        start[i + 1] += start[i];
}

static void sort_by_column(const pm_triples *t, int64_t *start, entry *to)
{
    for (int64_t e = 0; e < t->count; ++e) {
        assert(t->at[e].col >= 0 && t->at[e].col < t->ncols);
        ++start[t->at[e].col + 1];
    }
    starts_from_counts(start, t->ncols);
    for (int64_t e = 0; e < t->count; ++e)
        to[start[t->at[e].col]++] = (entry){t->at[e].row, t->at[e].col, e};
}

static void sort_by_row(const pm_triples *t, const entry *from, int64_t *start, entry *to)
{
    for (int64_t k = 0; k < t->count; ++k) {
        assert(from[k].row >= 0 && from[k].row < t->nrows);
        ++start[from[k].row + 1];
    }
    starts_from_counts(start, t->nrows);
    for (int64_t k = 0; k < t->count; ++k)
        to[start[from[k].row]++] = from[k];
}

/* By row and column, each position once. */
static bool is_sorted(const pm_triples *t)
{
    for (int64_t e = 1; e < t->count; ++e) {
        const pm_coordinates *x = &t->at[e - 1], *y = &t->at[e];
        if (x->row > y->row || (x->row == y->row && x->col >= y->col))
            return false;
    }
    return true;
}

static entry *entries_as_they_are(const pm_triples *t)
{
    entry *all = pm_alloc_array(t->count, sizeof *all);
    for (int64_t e = 0; all && e < t->count; ++e)
        all[e] = (entry){t->at[e].row, t->at[e].col, e};
    return all;
}

/* The entries sorted by row, column, and index.  Returns NULL when out of memory. */
static entry *sorted_entries(const pm_triples *t)
{
    if (is_sorted(t))
        return entries_as_they_are(t);
    int64_t *col_start = pm_calloc_array(t->ncols + 1, sizeof *col_start);
    int64_t *row_start = pm_calloc_array(t->nrows + 1, sizeof *row_start);
    entry *by_col = pm_alloc_array(t->count, sizeof *by_col);
    entry *sorted = pm_alloc_array(t->count, sizeof *sorted);
    if (col_start && row_start && by_col && sorted) {
        sort_by_column(t, col_start, by_col);
        sort_by_row(t, by_col, row_start, sorted);
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

static bool same_position(const entry *d, const entry *e)
{
    return d->row == e->row && d->col == e->col;
}

static bool same_value(const pm_triples *t, int64_t d, int64_t e)
{
    return (!t->re || pm_dyadic_equal(&t->re[d], &t->re[e]))
           && (!t->im || pm_dyadic_equal(&t->im[d], &t->im[e]));
}

/* Fails with PM_EDATA at the first entry, by index, that is a duplicate which is not allowed. */
static pm_status check_duplicates(const pm_triples *t, const entry *sorted, pm_duplicates how,
                                  const char *name, pm_error *err)
{
    int64_t bad = t->count, first = 0;
    for (int64_t k = 0, head = 0; k < t->count; ++k) {
        if (!same_position(&sorted[head], &sorted[k]))
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
    const pm_coordinates *at = &t->at[bad];
    const char *what =
        how == PM_DUPLICATES_IGNORE ? "duplicate edge with another value" : "duplicate edge";
    const char *hint = how == PM_DUPLICATES_IGNORE ? "" : pm_hint_text(PM_HINT_DUPLICATES);
    char number[2][24];
    const pm_labels none = {0}, *names = t->names ? t->names : &none;
    if (at->line == 0)
        return pm_fail(err, PM_EDATA, "%s: %s %.100s %.100s%s", name, what,
                       pm_label(names, at->row, number[0]), pm_label(names, at->col, number[1]),
                       hint);
    return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": %s (first at line %" PRId64 ")%s", name,
                   at->line, what, t->at[first].line, hint);
}

/* ---- exponents ---- */

pm_status pm_triples_check_exponents(const pm_triples *t, const char *name, pm_error *err)
{
    if (t->field <= PM_INTEGER)
        return PM_OK;
    pm_exponents s = pm_exponents_of(t->re, t->im, t->count);
    if (!pm_exponents_are_wide(&s))
        return PM_OK;
    bool is_low_first = s.at_low < s.at_high;
    int64_t first = t->at[is_low_first ? s.at_low : s.at_high].line;
    int64_t second = t->at[is_low_first ? s.at_high : s.at_low].line;
    if (second == 0)
        return pm_fail(err, PM_UNABLE, "%s: refused: " PM_EXPONENTS_REFUSAL PM_EXPONENTS_REMEDY,
                       name, (long long)PM_EXPONENTS_MAX, (long long)s.low, (long long)s.high);
    return pm_fail(
        err, PM_UNABLE,
        "%s:%" PRId64 ": refused: " PM_EXPONENTS_REFUSAL " (line %" PRId64 ")" PM_EXPONENTS_REMEDY,
        name, second, (long long)PM_EXPONENTS_MAX, (long long)(is_low_first ? s.high : s.low),
        (long long)(is_low_first ? s.low : s.high), first);
}

/* ---- building ---- */

static int64_t count_positions(const entry *sorted, int64_t count)
{
    int64_t positions = 0;
    for (int64_t k = 0; k < count; ++k)
        positions += k == 0 || !same_position(&sorted[k - 1], &sorted[k]);
    return positions;
}

/* *x = *v, which becomes 0. */
static void move_value(pm_dyadic *x, pm_dyadic *v)
{
    *x = *v;
    *v = (pm_dyadic){0};
}

/* Sets the value of entry `to` of a from the count entries group[], all of one position.  Returns
 * false when it is 0. */
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

/* Writes every position once into a, except those of value 0. */
static void fill(pm_triples *t, const entry *sorted, pm_duplicates how, pm_matrix *a)
{
    int64_t nnz = 0;
    for (int64_t k = 0, last; k < t->count; k = last) {
        for (last = k + 1; last < t->count && same_position(&sorted[k], &sorted[last]);)
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
    /* a few bytes of input that announce billions of empty rows must not take gigabytes */
    int64_t lines = t->nrows + t->ncols;
    if (lines > EMPTY_LINES && lines > 16 * t->count)
        return pm_fail(err, PM_UNABLE,
                       "%s: refused: %" PRId64 " x %" PRId64 " with %" PRId64
                       " entries: nearly all rows and columns are empty; check the sizes",
                       name, t->nrows, t->ncols, t->count);

    pm_matrix a = {0};
    pm_status status;
    entry *sorted = sorted_entries(t);
    if (!sorted) {
        status = pm_fail(err, PM_ENOMEM, "out of memory: sorting %" PRId64 " entries", t->count);
        goto done;
    }
    int64_t positions = count_positions(sorted, t->count);
    status = positions < t->count ? check_duplicates(t, sorted, how, name, err) : PM_OK;
    if (status)
        goto done;
    bool counts = t->field == PM_PATTERN && how == PM_DUPLICATES_SUM && positions < t->count;
    status =
        pm_matrix_alloc(&a, counts ? PM_INTEGER : t->field, t->nrows, t->ncols, positions, err);
    if (status)
        goto done;
    fill(t, sorted, how, &a);
    if (!pm_matrix_is_in_range(&a)) {
        status = pm_fail(err, PM_UNABLE,
                         "%s: the sum of repeated edges is too large or too small: its binary "
                         "exponent is beyond 2^31, or its digits do not fit into memory%s",
                         name, pm_hint_text(PM_HINT_MEMORY));
        goto done;
    }
    *out = a;
    a = (pm_matrix){0};
    pm_triples_free(t);
done:
    pm_matrix_free(&a);
    free(sorted);
    return status;
}
