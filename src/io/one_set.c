/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/one_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/integer_text.h"
#include "matrix/same_value.h"
#include "pm/alloc.h"
#include "pm/settings.h"

/* ---- shared labels ---- */

/* 0 or 1 for labels that are 0..n-1 or 1..n, in any order; -1 for others. */
static int64_t first_integer(const pm_label_map *m)
{
    int64_t least = INT64_MAX, most = INT64_MIN, n = m->labels.count;
    for (int64_t k = 0; k < n && !m->has_names; ++k) {
        const int64_t v = pm_label_value(&m->labels, k);
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    return n && !m->has_names && (least == 0 || least == 1) && most - least + 1 == n ? least : -1;
}

void pm_shared_labels_free(pm_shared_labels *t)
{
    free(t->row_of);
    free(t->col_of);
    *t = (pm_shared_labels){0};
}

/* No label is shared so far. */
static pm_status shared_begin(int64_t nrows, int64_t ncols, bool has_gaps, pm_shared_labels *out,
                              pm_error *err)
{
    pm_shared_labels t = {.row_of = pm_alloc_array(ncols, sizeof *t.row_of),
                          .col_of = pm_alloc_array(nrows, sizeof *t.col_of),
                          .has_gaps = has_gaps};
    if (!t.row_of || !t.col_of) {
        pm_shared_labels_free(&t);
        return pm_fail_memory(err, "labels");
    }
    for (int64_t i = 0; i < nrows; ++i)
        t.col_of[i] = -1;
    for (int64_t j = 0; j < ncols; ++j)
        t.row_of[j] = -1;
    *out = t;
    return PM_OK;
}

static void share(pm_shared_labels *t, int64_t row, int64_t col, const char *label)
{
    t->row_of[col] = (int32_t)row;
    t->col_of[row] = (int32_t)col;
    if (t->count++ == 0)
        pm_quote(label, (int64_t)strlen(label), t->label);
}

pm_status pm_shared_labels_find(const pm_label_map *rows, const int32_t *row_at,
                                const pm_label_map *cols, const int32_t *col_at,
                                pm_shared_labels *out, pm_error *err)
{
    const int64_t first = first_integer(rows);
    pm_status status = shared_begin(rows->labels.count, cols->labels.count,
                                    first < 0 || first != first_integer(cols), out, err);
    for (int64_t k = 0; k < cols->labels.count && !status; ++k) {
        char room[24];
        const int32_t row = pm_label_find_same(rows, &cols->labels, k);
        if (row >= 0)
            share(out, row_at[row], col_at[k], pm_label(&cols->labels, k, room));
    }
    return status;
}

/* As first_integer. */
static int64_t first_value(const pm_integer_set *s, int64_t count)
{
    const int64_t least = pm_integer_set_next(s, 0);
    return (least == 0 || least == 1) && pm_integer_set_largest(s) - least + 1 == count ? least
                                                                                        : -1;
}

pm_status pm_shared_values_find(const pm_integer_set *rows, const pm_integer_set *cols,
                                pm_shared_labels *out, pm_error *err)
{
    const int64_t nrows = pm_integer_set_count(rows), ncols = pm_integer_set_count(cols),
                  first = first_value(rows, nrows);
    pm_status status =
        shared_begin(nrows, ncols, first < 0 || first != first_value(cols, ncols), out, err);
    for (int64_t v = status ? -1 : pm_integer_set_next(cols, 0); v >= 0;
         v = pm_integer_set_next(cols, v + 1)) {
        char room[24];
        if (pm_integer_set_has(rows, v))
            share(out, pm_integer_set_rank(rows, v), pm_integer_set_rank(cols, v),
                  pm_decimal((int32_t)v, room));
    }
    return status;
}

/* ---- entries ---- */

static int64_t row_of_label(const pm_shared_labels *t, int64_t col)
{
    return t->row_of ? t->row_of[col] : col;
}

static int64_t column_of_label(const pm_shared_labels *t, int64_t row)
{
    return t->col_of ? t->col_of[row] : row;
}

static bool joins_one_label(const pm_matrix *a, const pm_shared_labels *t)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (row_of_label(t, a->colind[k]) == i)
                return true;
    return false;
}

/* The entry in this row and column, or -1. */
static int64_t find_entry(const pm_matrix *a, int64_t row, int64_t col)
{
    int64_t low = a->rowptr[row], high = a->rowptr[row + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (a->colind[middle] == col)
            return middle;
        if (a->colind[middle] < col)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

pm_one_set pm_one_set_classify(const pm_matrix *a, const pm_shared_labels *t, bool ignore_values)
{
    bool once = false, twice = false, needs_values = !ignore_values && a->field != PM_PATTERN;
    if (joins_one_label(a, t))
        return PM_ONE_SET_NO;
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t to = column_of_label(t, i);
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int64_t from = row_of_label(t, a->colind[k]);
            int64_t back = from < 0 || to < 0 ? -1 : find_entry(a, from, to);
            if (back >= 0 && needs_values && !pm_matrix_same_value(a, k, a, back))
                return PM_ONE_SET_NO;
            once = once || back < 0;
            twice = twice || back >= 0;
            if (once && twice && !needs_values)
                return PM_ONE_SET_MIXED;
        }
    }
    return once && twice ? PM_ONE_SET_MIXED : twice ? PM_ONE_SET_TWICE : PM_ONE_SET_ONCE;
}

bool pm_one_set_is_likely(const pm_matrix *a, const pm_shared_labels *t, bool ignore_values)
{
    if (t->row_of && t->count == 0)
        return false;
    pm_one_set found = pm_one_set_classify(a, t, ignore_values);
    return found != PM_ONE_SET_NO && (found != PM_ONE_SET_MIXED || t->has_gaps);
}

/* ---- matrices ---- */

const char *pm_one_set_triangle(const pm_matrix *a)
{
    bool above = pm_matrix_nnz(a) > 0, below = above;
    for (int64_t i = 0; i < a->nrows && (above || below); ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            above = above && a->colind[k] > i;
            below = below && a->colind[k] < i;
        }
    return above ? "above" : below ? "below" : NULL;
}

static bool is_all_ones(const pm_matrix *a)
{
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        if (!pm_dyadic_is_one(&a->re[k]) || (a->im && !pm_dyadic_is_zero(&a->im[k])))
            return false;
    return true;
}

/* "above" or "below" when all entries are on this side of the diagonal, else NULL. */
static const char *side_of(const pm_triples *t)
{
    bool above = t->count > 0, below = t->count > 0;
    for (int64_t k = 0; k < t->count && (above || below); ++k) {
        above = above && t->at[k].col > t->at[k].row;
        below = below && t->at[k].col < t->at[k].row;
    }
    return above ? "above" : below ? "below" : NULL;
}

void pm_one_set_note(const pm_triples *t, const char *symmetry, const pm_read_options *opt,
                     pm_reading *about)
{
    const char *half = opt->graph && !symmetry ? side_of(t) : NULL;
    if (opt->graph)
        snprintf(about->note, sizeof about->note,
                 "read as the edges of a graph on one set of %" PRId64 " vertices%s%s%s", t->nrows,
                 half ? ", all given " : "", half ? half : "", half ? " the diagonal" : "");
    else if (symmetry)
        snprintf(
            about->note, sizeof about->note,
            "read as a matrix between rows and columns: if this %s matrix is that of a graph, the "
            "bipartite double cover of the graph is counted",
            symmetry);
    else
        *about->note = '\0';
}

void pm_one_set_doubt(const pm_matrix *a, bool is_general, const pm_read_options *opt,
                      pm_reading *about)
{
    static const pm_shared_labels same_number = {0};
    if (opt->graph || opt->bipartite || a->nrows != a->ncols)
        return;
    const char *half = is_general ? pm_one_set_triangle(a) : NULL;
    if (half)
        snprintf(about->warning, sizeof about->warning,
                 "read as a matrix whose permanent is 0, because all entries are %s the "
                 "diagonal%s",
                 half, pm_hint_text(PM_HINT_ONE_SET));
    else if (pm_one_set_classify(a, &same_number, opt->pattern) != PM_ONE_SET_TWICE)
        return;
    else if (opt->pattern || is_all_ones(a))
        snprintf(about->warning, sizeof about->warning,
                 "read as a matrix, whose row i and column i are different vertices, although its "
                 "pattern is symmetric without a diagonal%s",
                 pm_hint_text(PM_HINT_ONE_SET));
    else if (is_general)
        pm_reading_add_note(about, "read as a matrix between rows and columns: if this symmetric "
                                   "matrix is that of a graph, the bipartite double cover of the "
                                   "graph is counted");
}
