/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/existence_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/label_sets.h"
#include "core/text_stream.h"
#include "pm/alloc.h"
#include "pm/io.h"

/* ---- a violator ---- */

static const pm_labels *labels_of(const pm_matrix *a, bool columns)
{
    return columns ? &a->col_labels : &a->row_labels;
}

static void print_violator(const pm_existence *x, const pm_matrix *a, pm_matching_kind kind,
                           int64_t most, FILE *f)
{
    const char *side = x->of_columns ? "columns" : "rows";
    if (kind == PM_MATCHING_PERFECT)
        fputs("no perfect matching", f);
    else
        fprintf(f, "no matching that covers all %s", side);
    fprintf(f, ": the %s ", side);
    pm_label_set_print(x->set, x->nset, labels_of(a, x->of_columns), most, f);
    fputs(" have only the neighbours ", f);
    pm_label_set_print(x->neighbours, x->nneighbours, labels_of(a, !x->of_columns), most, f);
}

void pm_emit_violator(pm_emitter *e, const pm_existence *x, const pm_matrix *a,
                      pm_matching_kind kind)
{
    if (!e->is_json) {
        print_violator(x, a, kind, -1, e->f);
        return;
    }
    pm_json_begin(&e->json, "hall", '{');
    pm_json_string(&e->json, "side", x->of_columns ? "columns" : "rows");
    pm_label_set_put(x->set, x->nset, labels_of(a, x->of_columns), "set", &e->json);
    pm_label_set_put(x->neighbours, x->nneighbours, labels_of(a, !x->of_columns), "neighbours",
                     &e->json);
    pm_json_end(&e->json, '}');
}

static pm_status note(const pm_existence *x, const pm_matrix *a, pm_matching_kind kind,
                      pm_console *console, const char *where, pm_error *err)
{
    enum { MOST_NAMES = 20 };
    pm_text_stream *s = pm_text_stream_open();
    if (s)
        print_violator(x, a, kind, MOST_NAMES, pm_text_stream_file(s));
    char *text = pm_text_stream_close(s);
    if (!text)
        return pm_fail_memory(err, "a note");
    pm_console_notef(console, 1, "%s: %s", where, text);
    free(text);
    return PM_OK;
}

pm_status pm_note_violator(const pm_matrix *a, pm_matching_kind kind, pm_console *console,
                           const char *where, bool *exists, pm_error *err)
{
    pm_existence x = {0};
    pm_status status = pm_existence_find(a, kind, &x, err);
    *exists = !status && x.exists;
    if (!status && !x.exists && console->verbosity >= 1)
        status = note(&x, a, kind, console, where, err);
    pm_existence_free(&x);
    return status;
}

bool pm_warn_of_sides(pm_console *console, const char *where, pm_matching_kind kind, int64_t nrows,
                      int64_t ncols, bool one_set, bool is_item)
{
    if (console->verbosity < 0 || pm_matching_kind_fits(kind, nrows, ncols))
        return true;
    if (console->to)
        return false;
    if (!pm_console_is_new(console, where))
        return true;
    const char *side = nrows < ncols ? "rows" : "columns";
    if (!is_item) {
        pm_console_notef(console, 0,
                         "%s: the sides of a matrix in a sum or product differ (%" PRId64
                         " x %" PRId64 "), so its number is 0; --saturate and --count ask about "
                         "matrices that stand alone",
                         where, nrows, ncols);
        return true;
    }
    if (kind != PM_MATCHING_PERFECT) {
        pm_console_notef(console, 0,
                         "%s: no matching covers all %s, because they are more (%" PRId64
                         " x %" PRId64 "); --saturate=%s counts those that cover all %s",
                         where, nrows < ncols ? "columns" : "rows", nrows, ncols,
                         nrows < ncols ? "rows" : "cols", side);
        return true;
    }
    pm_console_notef(console, 0,
                     "%s: the sides differ (%" PRId64 " x %" PRId64
                     "), so there is no perfect matching; %s%s%s--count=maximum counts the largest "
                     "matchings",
                     where, nrows, ncols, one_set ? "" : "--saturate counts those that cover all ",
                     one_set ? "" : side, one_set ? "" : ", ");
    return true;
}

/* ---- a matching ---- */

/* The entry k in row i and column j. */
static int64_t entry_at(const pm_matrix *a, int64_t i, int32_t j)
{
    int64_t k = a->rowptr[i];
    while (a->colind[k] != j)
        ++k;
    return k;
}

/* The entries of the matching as a matrix, with the labels of a. */
static pm_status matched_entries(const int32_t *col_of, const pm_matrix *a, pm_matrix *out,
                                 pm_error *err)
{
    int64_t size = 0;
    pm_matrix m = {0};
    pm_status status = pm_matrix_alloc(&m, a->field, a->nrows, a->ncols, a->nrows, err);
    if (!status)
        status = pm_labels_select(&a->row_labels, NULL, a->nrows, &m.row_labels, err);
    if (!status)
        status = pm_labels_select(&a->col_labels, NULL, a->ncols, &m.col_labels, err);
    if (status) {
        pm_matrix_free(&m);
        return status;
    }
    for (int64_t i = 0; i < a->nrows; ++i) {
        if (col_of[i] >= 0) {
            int64_t k = entry_at(a, i, col_of[i]);
            m.colind[size] = a->colind[k];
            if (a->re)
                pm_dyadic_set(&m.re[size], &a->re[k]);
            if (a->im)
                pm_dyadic_set(&m.im[size], &a->im[k]);
            ++size;
        }
        m.rowptr[i + 1] = size;
    }
    *out = m;
    return PM_OK;
}

/* Leaves out the rows and columns that are not matched: an edge list with labels cannot have
 * them. */
static pm_status drop_unmatched(pm_matrix *m, pm_error *err)
{
    int32_t *rows = pm_alloc_array(m->nrows, sizeof *rows);
    int32_t *cols = pm_alloc_array(m->ncols, sizeof *cols);
    bool *is_matched = pm_calloc_array(m->ncols, sizeof *is_matched);
    int64_t nrows = 0, ncols = 0;
    pm_matrix part = {0};
    pm_status status = PM_OK;
    if (!rows || !cols || !is_matched) {
        status = pm_fail_memory(err, "a matching");
        goto done;
    }
    for (int64_t k = 0; k < pm_matrix_nnz(m); ++k)
        is_matched[m->colind[k]] = true;
    for (int64_t i = 0; i < m->nrows; ++i)
        if (m->rowptr[i + 1] > m->rowptr[i])
            rows[nrows++] = (int32_t)i;
    for (int64_t j = 0; j < m->ncols; ++j)
        if (is_matched[j])
            cols[ncols++] = (int32_t)j;
    if (nrows == m->nrows && ncols == m->ncols)
        goto done;
    status = pm_matrix_select(m, rows, nrows, cols, ncols, &part, err);
    if (!status && !pm_labels_exist(&m->row_labels))
        status = pm_labels_select_or_number(&m->row_labels, rows, nrows, &part.row_labels, err);
    if (!status && !pm_labels_exist(&m->col_labels))
        status = pm_labels_select_or_number(&m->col_labels, cols, ncols, &part.col_labels, err);
    if (!status) {
        pm_matrix all = *m;
        *m = part;
        part = all;
    }
done:
    pm_matrix_free(&part);
    free(rows);
    free(cols);
    free(is_matched);
    return status;
}

static pm_status print_matching(const int32_t *col_of, const pm_matrix *a, FILE *f, pm_error *err)
{
    pm_matrix m = {0};
    pm_status status = matched_entries(col_of, a, &m, err);
    if (!status)
        status = drop_unmatched(&m, err);
    if (!status)
        status = pm_write_edges(f, &m, NULL, err);
    pm_matrix_free(&m);
    return status;
}

void pm_json_pair(pm_json *j, const pm_matrix *a, int64_t row, int64_t col)
{
    char number[24];
    pm_json_begin(j, NULL, '[');
    pm_json_string(j, NULL, pm_label(&a->row_labels, row, number));
    pm_json_string(j, NULL, pm_label(&a->col_labels, col, number));
    pm_json_end(j, ']');
}

pm_status pm_emit_matching(pm_emitter *e, const int32_t *col_of, const pm_matrix *a, pm_error *err)
{
    if (!e->is_json)
        return print_matching(col_of, a, e->f, err);
    pm_json_begin(&e->json, "matching", '[');
    for (int64_t i = 0; i < a->nrows; ++i)
        if (col_of[i] >= 0)
            pm_json_pair(&e->json, a, i, col_of[i]);
    pm_json_end(&e->json, ']');
    return PM_OK;
}
