/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A matrix, or an adjacency matrix of a graph of one vertex set. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "arrays/row_builder.h"
#include "io/one_set.h"
#include "matrix/same_value.h"
#include "matrix/symmetric.h"
#include "pm/settings.h"

static bool same_entry(const pm_matrix *a, int64_t k, const pm_matrix *t, int64_t l, bool pattern)
{
    return a->colind[k] == t->colind[l] && (pattern || pm_matrix_same_value(a, k, t, l));
}

/* Row i of a and of its transpose t must be equal. */
static pm_status check_row(const pm_matrix *a, const pm_matrix *t, int64_t i, bool pattern,
                           const char *name, pm_error *err)
{
    int64_t k = a->rowptr[i], l = t->rowptr[i], end_k = a->rowptr[i + 1], end_l = t->rowptr[i + 1];
    while (k < end_k && l < end_l && same_entry(a, k, t, l, pattern)) {
        ++k;
        ++l;
    }
    if (k == end_k && l == end_l)
        return PM_OK;
    int32_t j = k == end_k                                  ? t->colind[l]
                : l == end_l || a->colind[k] < t->colind[l] ? a->colind[k]
                                                            : t->colind[l];
    return pm_fail(
        err, PM_EDATA,
        "%s: expected a symmetric matrix for a graph on one set of vertices, but row %" PRId64
        ", column %" PRId32 " differs from row %" PRId32 ", column %" PRId64 "%s",
        name, i + 1, j + 1, j + 1, i + 1, pm_hint_text(PM_HINT_TWO_SIDES));
}

static pm_status check_square(const pm_matrix *a, const char *name, pm_error *err)
{
    if (a->nrows == a->ncols)
        return PM_OK;
    return pm_fail(err, PM_EDATA,
                   "%s: expected a square matrix for a graph on one set of vertices, not %" PRId64
                   " x %" PRId64 "%s",
                   name, a->nrows, a->ncols, pm_hint_text(PM_HINT_TWO_SIDES));
}

/* Names the first place that differs. */
static pm_status check_values(const pm_matrix *a, bool pattern, const char *name, pm_error *err)
{
    pm_matrix t = {0};
    pm_status status = pm_matrix_transpose(a, &t, err);
    for (int64_t i = 0; i < a->nrows && !status; ++i)
        status = check_row(a, &t, i, pattern, name, err);
    pm_matrix_free(&t);
    return status;
}

static pm_status check_symmetric(const pm_matrix *a, bool pattern, const char *name, pm_error *err)
{
    bool is_symmetric;
    pm_status status = pm_matrix_is_symmetric(a, &is_symmetric, err);
    return status || is_symmetric ? status : check_values(a, pattern, name, err);
}

/* Moves the entries. */
static pm_status take_edges(pm_matrix *a, pm_triples *edges, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1] && !status; ++k)
            status = pm_triples_add(edges, i, a->colind[k], 0, a->re ? &a->re[k] : NULL,
                                    a->im ? &a->im[k] : NULL, err);
    return status;
}

pm_status pm_adjacency_read(pm_matrix *a, const pm_read_options *opt, const char *name,
                            pm_reading *about, pm_error *err)
{
    if (!opt->graph) {
        pm_one_set_doubt(a, true, opt, about);
        return PM_OK;
    }
    pm_onesided g = {.nvertices = a->nrows, .edges.field = a->field};
    pm_matrix out = {0};
    pm_status status = check_square(a, name, err);
    const char *half = !status ? pm_one_set_triangle(a) : NULL;
    if (!status && !half)
        status = check_symmetric(a, opt->pattern, name, err);
    if (!half)
        g.symmetric = a;
    else if (!status)
        status = take_edges(a, &g.edges, err);
    if (!status)
        status = pm_onesided_matrix(&g, opt, name, &out, about, err);
    pm_onesided_free(&g);
    if (status)
        return status;
    snprintf(about->note, sizeof about->note,
             "read as the adjacency matrix of a graph on one set of %" PRId64 " vertices%s%s%s",
             a->nrows, half ? ", all edges given " : "", half ? half : "",
             half ? " the diagonal" : "");
    pm_matrix_free(a);
    *a = out;
    return PM_OK;
}
