/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/put.h"
#include "matrix/symmetric.h"
#include "pm/io.h"

/* is_symmetric: up to the diagonal. */
static pm_status put_entries(FILE *f, const pm_matrix *a, pm_put_style reals, bool is_symmetric,
                             pm_error *err)
{
    pm_put_style style = a->field == PM_INTEGER ? PM_PUT_INTEGER : reals;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            pm_status status = PM_OK;
            if (is_symmetric && a->colind[k] > i)
                break;
            pm_put_size(f, i + 1);
            putc(' ', f);
            pm_put_size(f, (int64_t)a->colind[k] + 1);
            if (a->re) {
                putc(' ', f);
                status = pm_put_value(f, &a->re[k], style, err);
            }
            if (!status && a->im) {
                putc(' ', f);
                status = pm_put_value(f, &a->im[k], style, err);
            }
            if (status)
                return status;
            putc('\n', f);
        }
    return PM_OK;
}

static int64_t count_to_diagonal(const pm_matrix *a)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1] && a->colind[k] <= i; ++k)
            ++entries;
    return entries;
}

static pm_status put(FILE *f, const pm_matrix *a, pm_put_style reals, bool is_symmetric,
                     pm_status (*head)(FILE *f, const void *context, pm_error *err),
                     const void *context, pm_error *err)
{
    fprintf(f, "%%%%MatrixMarket matrix coordinate %s %s\n", pm_field_name(a->field),
            is_symmetric ? "symmetric" : "general");
    pm_status status = head ? head(f, context, err) : PM_OK;
    if (status)
        return status;
    if (pm_labels_exist(&a->row_labels))
        pm_put_labels(f, "rows", &a->row_labels);
    if (pm_labels_exist(&a->col_labels) && !is_symmetric)
        pm_put_labels(f, "cols", &a->col_labels);
    pm_put_size(f, a->nrows);
    putc(' ', f);
    pm_put_size(f, a->ncols);
    putc(' ', f);
    pm_put_size(f, is_symmetric ? count_to_diagonal(a) : pm_matrix_nnz(a));
    putc('\n', f);
    return put_entries(f, a, reals, is_symmetric, err);
}

pm_status pm_put_mtx(FILE *f, const pm_matrix *a, pm_put_style reals,
                     pm_status (*head)(FILE *f, const void *context, pm_error *err),
                     const void *context, pm_error *err)
{
    return put(f, a, reals, false, head, context, err);
}

pm_status pm_put_mtx_symmetric(FILE *f, const pm_matrix *a, pm_put_style reals,
                               pm_status (*head)(FILE *f, const void *context, pm_error *err),
                               const void *context, pm_error *err)
{
    return put(f, a, reals, true, head, context, err);
}

static pm_status put_head(FILE *f, const void *context, pm_error *err)
{
    return pm_put_comments(f, "%", context, err);
}

pm_status pm_write_mtx(FILE *f, const pm_matrix *a, const char *const *comments, pm_error *err)
{
    pm_status status = pm_put_mtx(f, a, PM_PUT_NUMBER, put_head, comments, err);
    return status ? status : pm_put_flush(f, err);
}

typedef struct {
    const char *const *comments;
    bool has_loops;
} graph_head;

static pm_status put_graph_head(FILE *f, const void *context, pm_error *err)
{
    const graph_head *head = context;
    fputs(head->has_loops ? "%pm: graph loops\n" : "%pm: graph\n", f);
    return pm_put_comments(f, "%", head->comments, err);
}

pm_status pm_write_graph_mtx(FILE *f, const pm_matrix *a, const char *const *comments,
                             pm_error *err)
{
    pm_matrix lower = {0};
    const graph_head head = {comments, pm_matrix_has_diagonal(a)};
    pm_status status = pm_matrix_transpose(a, &lower, err);
    if (!status)
        status = pm_put_mtx_symmetric(f, &lower, PM_PUT_NUMBER, put_graph_head, &head, err);
    pm_matrix_free(&lower);
    return status ? status : pm_put_flush(f, err);
}
