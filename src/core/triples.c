/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From entries in any order to compressed rows, in linear time: the numbers of the entries are
 * spread over the columns, then over the rows; both passes keep the order of what falls together,
 * so entries of equal place end up side by side, the one that came first in front. */
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

static int32_t key_of(const pm_triples *t, int64_t e, bool by_row)
{
    return by_row ? t->at[e].row : t->at[e].col;
}

/* to = the entries of from (NULL: 0, 1, 2, ...) in ascending order of row or column; false
 * when memory ends. */
static bool sort_entries(const pm_triples *t, bool by_row, const int64_t *from, int64_t *to)
{
    int64_t n = by_row ? t->nrows : t->ncols;
    int64_t *start = pm_calloc_array(n + 1, sizeof *start);
    if (!start)
        return false;
    for (int64_t e = 0; e < t->count; ++e) {
        assert(key_of(t, e, by_row) >= 0 && key_of(t, e, by_row) < n);
        ++start[key_of(t, e, by_row) + 1];
    }
    for (int64_t i = 0; i < n; ++i)
        start[i + 1] += start[i];
    for (int64_t k = 0; k < t->count; ++k) {
        int64_t e = from ? from[k] : k;
        to[start[key_of(t, e, by_row)]++] = e;
    }
    free(start);
    return true;
}

/* The numbers of the entries, by row, column, and time of arrival; NULL when memory ends. */
static int64_t *sorted_entries(const pm_triples *t)
{
    int64_t *by_col = pm_alloc_array(t->count, sizeof *by_col);
    int64_t *sorted = pm_alloc_array(t->count, sizeof *sorted);
    bool ok = by_col && sorted && sort_entries(t, false, NULL, by_col)
              && sort_entries(t, true, by_col, sorted);
    free(by_col);
    if (!ok) {
        free(sorted);
        return NULL;
    }
    return sorted;
}

/* ---- duplicates ---- */

static bool same_place(const pm_triples *t, int64_t d, int64_t e)
{
    return t->at[d].row == t->at[e].row && t->at[d].col == t->at[e].col;
}

static bool same_value(const pm_triples *t, int64_t d, int64_t e)
{
    return (!t->re || pm_dyadic_equal(&t->re[d], &t->re[e]))
           && (!t->im || pm_dyadic_equal(&t->im[d], &t->im[e]));
}

/* The earliest entry that may not follow the one of equal place before it, as a message. */
static pm_status check_duplicates(const pm_triples *t, const int64_t *sorted, pm_duplicates how,
                                  const char *name, pm_error *err)
{
    int64_t bad = t->count, first = 0;
    for (int64_t k = 0, head = 0; k < t->count; ++k) {
        if (!same_place(t, sorted[head], sorted[k]))
            head = k;
        bool allowed = head == k || how == PM_DUPLICATES_SUM
                       || (how == PM_DUPLICATES_IGNORE && same_value(t, sorted[head], sorted[k]));
        if (!allowed && sorted[k] < bad) {
            bad = sorted[k];
            first = sorted[head];
        }
    }
    if (bad == t->count)
        return PM_OK;
    const pm_place *at = &t->at[bad];
    const char *what =
        how == PM_DUPLICATES_IGNORE ? "duplicate edge with another value:" : "duplicate edge";
    if (at->line == 0)
        return pm_fail(err, PM_EDATA, "%s: %s %" PRId32 " %" PRId32, name, what, at->row + 1,
                       at->col + 1);
    return pm_fail(err, PM_EDATA,
                   "%s:%" PRId64 ": %s %" PRId32 " %" PRId32 " (first at line %" PRId64 ")", name,
                   at->line, what, at->row + 1, at->col + 1, t->at[first].line);
}

/* ---- building ---- */

static int64_t count_places(const pm_triples *t, const int64_t *sorted)
{
    int64_t places = 0;
    for (int64_t k = 0; k < t->count; ++k)
        places += k == 0 || !same_place(t, sorted[k - 1], sorted[k]);
    return places;
}

/* Put the value of the entries sorted[k..last-1], all of one place, into entry to of a; false if
 * it is 0. */
static bool merge_value(pm_triples *t, const int64_t *sorted, int64_t k, int64_t last,
                        pm_duplicates how, pm_matrix *a, int64_t to)
{
    if (!a->re)
        return true;
    if (!t->re) {
        pm_dyadic_set_si(&a->re[to], last - k);
        return true;
    }
    a->re[to] = t->re[sorted[k]];
    t->re[sorted[k]] = (pm_dyadic){0};
    if (a->im) {
        a->im[to] = t->im[sorted[k]];
        t->im[sorted[k]] = (pm_dyadic){0};
    }
    while (how == PM_DUPLICATES_SUM && ++k < last) {
        pm_dyadic_add(&a->re[to], &a->re[to], &t->re[sorted[k]]);
        if (a->im)
            pm_dyadic_add(&a->im[to], &a->im[to], &t->im[sorted[k]]);
    }
    return !pm_dyadic_is_zero(&a->re[to]) || (a->im && !pm_dyadic_is_zero(&a->im[to]));
}

/* Every place once, without those of value 0, into a, which has room for them all. */
static void fill(pm_triples *t, const int64_t *sorted, pm_duplicates how, pm_matrix *a)
{
    int64_t nnz = 0;
    for (int64_t k = 0, last; k < t->count; k = last) {
        for (last = k + 1; last < t->count && same_place(t, sorted[k], sorted[last]);)
            ++last;
        if (!merge_value(t, sorted, k, last, how, a, nnz))
            continue;
        const pm_place *at = &t->at[sorted[k]];
        a->colind[nnz++] = at->col;
        ++a->rowptr[at->row + 1];
    }
    for (int64_t i = 0; i < a->nrows; ++i)
        a->rowptr[i + 1] += a->rowptr[i];
}

pm_status pm_matrix_from_triples(pm_triples *t, pm_duplicates how, const char *name, pm_matrix *out,
                                 pm_error *err)
{
    pm_matrix a = {0};
    pm_status s;
    int64_t *sorted = sorted_entries(t);
    if (!sorted) {
        s = pm_fail(err, PM_ENOMEM, "out of memory: sorting %" PRId64 " entries", t->count);
        goto done;
    }
    s = check_duplicates(t, sorted, how, name, err);
    if (s)
        goto done;
    int64_t places = count_places(t, sorted);
    bool counts = t->field == PM_PATTERN && how == PM_DUPLICATES_SUM && places < t->count;
    s = pm_matrix_alloc(&a, counts ? PM_INTEGER : t->field, t->nrows, t->ncols, places, err);
    if (s)
        goto done;
    fill(t, sorted, how, &a);
    *out = a;
    pm_triples_free(t);
done:
    free(sorted);
    return s;
}
