/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge lists that read back as the same graph, by the rules of edges_read.c.
 *
 * After a size line integers are positions, and refused beside other numbers: a matrix with a side of
 * which all labels look like numbers, and some are integers, is written without a size line.  Without a size line, and on every side with labels, a vertex
 * without an edge would be lost or would lose its label: such a matrix is refused. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/integer_text.h"
#include "edges/label_spelling.h"
#include "io/put.h"
#include "pm/alloc.h"
#include "pm/io.h"
#include "pm/settings.h"
#include "text/source.h"

typedef struct {
    const pm_labels *labels;
    int64_t size;
    bool has_isolated;
    bool is_numbers; /* all labels look like numbers, and some are integers */
    const char *what;
} side;

static bool has_control(const char *text)
{
    while (*text && (unsigned char)*text >= ' ' && *text != 0x7f)
        ++text;
    return *text;
}

/* NULL: it has no flaw. */
static const char *flaw(const char *text, int64_t length, bool is_cut_at_tabs)
{
    if (length == 0)
        return "is empty";
    if (*text == '#' || *text == '%')
        return "begins like a comment";
    if (has_control(text) || (!is_cut_at_tabs && strchr(text, ' ')))
        return is_cut_at_tabs ? "has a control character" : "has a blank or a control character";
    if (*text == ' ' || text[length - 1] == ' ')
        return "begins or ends with a blank";
    if (pm_label_invisible_end(text, length))
        return "begins or ends with an invisible character";
    return NULL;
}

pm_status pm_put_edge_label_check(const char *label, const char *what, int64_t number,
                                  bool is_cut_at_tabs, pm_error *err)
{
    char quote[PM_QUOTE];
    const int64_t length = (int64_t)strlen(label);
    const char *why = flaw(label, length, is_cut_at_tabs);
    if (!why)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "an edge list written here cannot hold the label %s of %s %" PRId64
                   ", which %s%s",
                   pm_quote(label, length, quote), what, number, why, pm_hint_text(PM_HINT_LABELS));
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_integers(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static pm_status fail_equal(const side *d, const char *text, pm_error *err)
{
    return pm_fail(err, PM_UNABLE, "an edge list cannot hold two %ss of the same label '%s'%s",
                   d->what, text, pm_hint_text(PM_HINT_LABELS));
}

/* Two vertices with equal labels would become one vertex. */
static pm_status check_distinct(const side *d, pm_error *err)
{
    const char **text = pm_alloc_array(d->size, sizeof *text);
    pm_status status = PM_OK;
    if (!text)
        return pm_fail_memory(err, "labels");
    for (int64_t i = 0; i < d->size; ++i)
        text[i] = d->labels->pool + d->labels->offset[i];
    qsort(text, (size_t)d->size, sizeof *text, compare);
    for (int64_t i = 1; i < d->size && !status; ++i)
        if (strcmp(text[i - 1], text[i]) == 0)
            status = fail_equal(d, text[i], err);
    free(text);
    return status;
}

static pm_status check_integers(side *d, pm_error *err)
{
    int32_t *value = pm_alloc_array(d->size, sizeof *value);
    char number[24];
    pm_status status = PM_OK;
    if (!value)
        return pm_fail_memory(err, "labels");
    d->is_numbers = d->size > 0;
    for (int64_t i = 0; i < d->size; ++i)
        value[i] = d->labels->value[i];
    qsort(value, (size_t)d->size, sizeof *value, compare_integers);
    for (int64_t i = 1; i < d->size && !status; ++i)
        if (value[i - 1] == value[i])
            status = fail_equal(d, pm_decimal(value[i], number), err);
    free(value);
    return status;
}

static pm_status check_labels(side *d, pm_error *err)
{
    int32_t first[PM_LABEL_KINDS];
    pm_status status = PM_OK;
    if (d->labels->value)
        return check_integers(d, err);
    for (int64_t i = 0; i < d->size && !status; ++i)
        status = pm_put_edge_label_check(d->labels->pool + d->labels->offset[i], d->what, i + 1,
                                         false, err);
    if (status)
        return status;
    pm_label_kinds_find(d->labels, first);
    d->is_numbers = first[PM_LABEL_INTEGER] >= 0 && first[PM_LABEL_NAME] < 0;
    return check_distinct(d, err);
}

static pm_status find_isolated(const pm_matrix *a, side *rows, side *cols, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(a), seen = 0;
    bool *has_entry = pm_calloc_array(a->ncols, sizeof *has_entry);
    if (!has_entry)
        return pm_fail_memory(err, "an edge list");
    for (int64_t k = 0; k < nnz; ++k) {
        seen += !has_entry[a->colind[k]];
        has_entry[a->colind[k]] = true;
    }
    free(has_entry);
    cols->has_isolated = seen < a->ncols;
    for (int64_t i = 0; i < a->nrows; ++i)
        rows->has_isolated |= a->rowptr[i] == a->rowptr[i + 1];
    return PM_OK;
}

static pm_status fail_complex(pm_error *err)
{
    return pm_fail(err, PM_UNABLE, "an edge list written here cannot hold complex weights%s",
                   pm_hint_text(PM_HINT_LABELS));
}

/* Entries are sums of roots of unity, or rational. */
static bool has_roots_only(const pm_matrix *a)
{
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        if (!pm_dyadic_is_zero(&a->im[k]))
            return false;
    return pm_matrix_has_roots(a);
}

/* *sized: whether a size line is to be written. */
static pm_status check(const pm_matrix *a, bool *sized, pm_error *err)
{
    side sides[2] = {{.labels = &a->row_labels, .size = a->nrows, .what = "row"},
                     {.labels = &a->col_labels, .size = a->ncols, .what = "column"}};
    if (a->field == PM_COMPLEX && !has_roots_only(a))
        return fail_complex(err);
    pm_status status = find_isolated(a, &sides[0], &sides[1], err);
    for (int k = 0; k < 2 && !status; ++k)
        if (pm_labels_exist(sides[k].labels))
            status = check_labels(&sides[k], err);
    if (status)
        return status;
    *sized = !sides[0].is_numbers && !sides[1].is_numbers;
    for (int k = 0; k < 2; ++k)
        if (sides[k].has_isolated && (!*sized || pm_labels_exist(sides[k].labels)))
            return pm_fail(err, PM_UNABLE,
                           "an edge list with labels cannot have a %s without edges%s",
                           sides[k].what, pm_hint_text(PM_HINT_LABELS));
    return PM_OK;
}

static void put_vertex(FILE *f, const pm_labels *l, int64_t i)
{
    char number[24];
    fputs(pm_label(l, i, number), f);
}

static pm_status put_edges(FILE *f, const pm_matrix *a, pm_error *err)
{
    pm_put_style style = a->field == PM_INTEGER   ? PM_PUT_INTEGER
                         : a->field == PM_COMPLEX ? PM_PUT_NUMBER
                                                  : PM_PUT_REAL;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            put_vertex(f, &a->row_labels, i);
            putc('\t', f);
            put_vertex(f, &a->col_labels, a->colind[k]);
            if (a->re) {
                putc('\t', f);
                pm_status status = pm_put_value(f, &a->re[k], style, err);
                if (status)
                    return status;
            }
            putc('\n', f);
        }
    return PM_OK;
}

pm_status pm_write_edges(FILE *f, const pm_matrix *a, const char *const *comments, pm_error *err)
{
    bool sized = true;
    pm_status status = check(a, &sized, err);
    if (status)
        return status;
    if (sized)
        fprintf(f, "# pm-edges %" PRId64 " %" PRId64 "\n", a->nrows, a->ncols);
    else
        fprintf(f, "# left\tright%s\n", a->re ? "\tweight" : "");
    status = pm_put_comments(f, "#", comments, err);
    if (!status)
        status = put_edges(f, a, err);
    return status ? status : pm_put_flush(f, err);
}

/* Fails: PM_UNABLE there is a vertex without edges. */
static pm_status check_isolated(const pm_matrix *a, pm_error *err)
{
    int64_t isolated = 0;
    bool *is_met = pm_calloc_array(a->nrows, sizeof *is_met);
    if (!is_met)
        return pm_fail_memory(err, "an edge list");
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        is_met[a->colind[k]] = true;
    for (int64_t v = 0; v < a->nrows; ++v)
        isolated += !is_met[v] && a->rowptr[v] == a->rowptr[v + 1];
    free(is_met);
    return isolated == 0 ? PM_OK
                         : pm_fail(err, PM_UNABLE,
                                   "an edge list with labels cannot have a vertex without edges%s",
                                   pm_hint_text(PM_HINT_LABELS));
}

pm_status pm_write_graph_edges(FILE *f, const pm_matrix *a, const char *const *comments,
                               pm_error *err)
{
    if (a->field == PM_COMPLEX)
        return fail_complex(err);
    pm_status status = pm_labels_exist(&a->row_labels) ? check_isolated(a, err) : PM_OK;
    if (status)
        return status;
    fprintf(f, "# pm-graph %" PRId64 "\n", a->nrows);
    status = pm_put_comments(f, "#", comments, err);
    if (!status)
        status = put_edges(f, a, err);
    return status ? status : pm_put_flush(f, err);
}
