/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/obstruction.h"

#include <inttypes.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "pm/dm.h"
#include "pm/io.h"

static int64_t first_single(const int32_t *partner, int64_t n)
{
    int64_t i = 0;
    while (i < n && partner[i] >= 0)
        ++i;
    return i;
}

/* From a maximum matching that leaves a row of a single; to look at columns, a is the transpose
 * and the two arrays are exchanged. */
static pm_status find_violator(const pm_matrix *a, const int32_t *col_of, const int32_t *row_of,
                               pm_obstruction *o, pm_error *err)
{
    o->set = pm_alloc_array(a->nrows, sizeof *o->set);
    o->neighbours = pm_alloc_array(a->ncols, sizeof *o->neighbours);
    if (!o->set || !o->neighbours)
        return pm_fail_memory(err, "a Hall violator");
    return pm_matching_hall(a, col_of, row_of, first_single(col_of, a->nrows), o->set, &o->nset,
                            o->neighbours, &o->nneighbours, err);
}

pm_status pm_obstruction_find(const pm_matrix *a, pm_obstruction *out, pm_error *err)
{
    int64_t rank;
    pm_status s;
    pm_matrix t = {0};
    pm_obstruction o = {.col_of = pm_alloc_array(a->nrows, sizeof *o.col_of)};
    int32_t *row_of = pm_alloc_array(a->ncols, sizeof *row_of);
    if (!o.col_of || !row_of) {
        s = pm_fail_memory(err, "a matching");
        goto done;
    }
    s = pm_matching_maximum(a, o.col_of, row_of, &rank, err);
    if (s != PM_OK)
        goto done;
    o.exists = rank == a->nrows && rank == a->ncols;
    o.of_columns = rank == a->nrows;
    if (!o.exists && o.of_columns) {
        s = pm_matrix_transpose(a, &t, err);
        if (s == PM_OK)
            s = find_violator(&t, row_of, o.col_of, &o, err);
    } else if (!o.exists) {
        s = find_violator(a, o.col_of, row_of, &o, err);
    }
    if (s == PM_OK) {
        *out = o;
        o = (pm_obstruction){0};
    }
done:
    pm_matrix_free(&t);
    pm_obstruction_free(&o);
    free(row_of);
    return s;
}

void pm_obstruction_free(pm_obstruction *o)
{
    free(o->col_of);
    free(o->set);
    free(o->neighbours);
    *o = (pm_obstruction){0};
}

/* ---- printing ---- */

/* A line without edges may have no label among others that have: # and its number. */
static const char *name_of(const pm_labels *labels, int64_t i, char number[24])
{
    const char *label = pm_label(labels, i, number);
    if (*label)
        return label;
    snprintf(number, 24, "#%" PRId64, i + 1);
    return number;
}

static void print_set(const int32_t *set, int64_t n, const pm_labels *labels, int64_t most, FILE *f)
{
    char number[24];
    putc('{', f);
    for (int64_t i = 0; i < n && (most < 0 || i < most); ++i)
        fprintf(f, "%s%s", i ? ", " : "", name_of(labels, set[i], number));
    if (most >= 0 && n > most)
        fprintf(f, ", ... (%" PRId64 " in all)", n);
    putc('}', f);
}

void pm_obstruction_print(const pm_obstruction *o, const pm_matrix *a, int64_t most, FILE *f)
{
    const pm_labels *own = o->of_columns ? &a->col_labels : &a->row_labels;
    const pm_labels *other = o->of_columns ? &a->row_labels : &a->col_labels;
    fprintf(f, "no perfect matching: the %s ", o->of_columns ? "columns" : "rows");
    print_set(o->set, o->nset, own, most, f);
    fputs(" have only the neighbours ", f);
    print_set(o->neighbours, o->nneighbours, other, most, f);
}

pm_status pm_obstruction_note(const pm_obstruction *o, const pm_matrix *a, pm_console *console,
                              const char *where, pm_error *err)
{
    enum { MOST_NAMES = 20 };
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        return pm_fail_memory(err, "a note");
    pm_obstruction_print(o, a, MOST_NAMES, f);
    pm_status s = fclose(f) == 0 ? PM_OK : pm_fail_memory(err, "a note");
    if (s == PM_OK)
        pm_console_notef(console, 1, "%s: %s", where, text);
    free(text);
    return s;
}

static void set_json(const int32_t *set, int64_t n, const pm_labels *labels, const char *key,
                     pm_json *j)
{
    char number[24];
    pm_json_begin(j, key, '[');
    for (int64_t i = 0; i < n; ++i)
        pm_json_string(j, NULL, name_of(labels, set[i], number));
    pm_json_end(j, ']');
}

void pm_obstruction_json(const pm_obstruction *o, const pm_matrix *a, pm_json *j)
{
    const pm_labels *own = o->of_columns ? &a->col_labels : &a->row_labels;
    const pm_labels *other = o->of_columns ? &a->row_labels : &a->col_labels;
    pm_json_begin(j, "hall", '{');
    pm_json_string(j, "side", o->of_columns ? "columns" : "rows");
    set_json(o->set, o->nset, own, "set", j);
    set_json(o->neighbours, o->nneighbours, other, "neighbours", j);
    pm_json_end(j, '}');
}

/* Where the matching's entry of row i stands in a. */
static int64_t matched_entry(const pm_obstruction *o, const pm_matrix *a, int64_t i)
{
    int64_t k = a->rowptr[i];
    while (a->colind[k] != o->col_of[i])
        ++k;
    return k;
}

pm_status pm_obstruction_matching(const pm_obstruction *o, const pm_matrix *a, FILE *f,
                                  pm_error *err)
{
    int64_t n = a->nrows;
    pm_matrix m = {0};
    pm_status s = pm_matrix_alloc(&m, a->field, n, n, n, err);
    if (s != PM_OK)
        return s;
    for (int64_t i = 0; i < n; ++i) {
        int64_t k = matched_entry(o, a, i);
        m.rowptr[i + 1] = i + 1;
        m.colind[i] = a->colind[k];
        if (a->re)
            pm_dyadic_set(&m.re[i], &a->re[k]);
        if (a->im)
            pm_dyadic_set(&m.im[i], &a->im[k]);
    }
    m.row_labels = a->row_labels; /* lent */
    m.col_labels = a->col_labels;
    s = pm_write_edges(f, &m, NULL, err);
    m.row_labels = m.col_labels = (pm_labels){0};
    pm_matrix_free(&m);
    return s;
}

void pm_obstruction_matching_json(const pm_obstruction *o, const pm_matrix *a, pm_json *j)
{
    char row[24], column[24];
    pm_json_begin(j, "matching", '[');
    for (int64_t i = 0; i < a->nrows; ++i) {
        pm_json_begin(j, NULL, '[');
        pm_json_string(j, NULL, pm_label(&a->row_labels, i, row));
        pm_json_string(j, NULL, pm_label(&a->col_labels, o->col_of[i], column));
        pm_json_end(j, ']');
    }
    pm_json_end(j, ']');
}
