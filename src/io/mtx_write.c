/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/put.h"
#include "pm/io.h"

static pm_status put_entries(FILE *f, const pm_matrix *a, pm_error *err)
{
    pm_put_style style = a->field == PM_INTEGER ? PM_PUT_INTEGER : PM_PUT_NUMBER;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            pm_status status = PM_OK;
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

pm_status pm_put_mtx(FILE *f, const pm_matrix *a,
                     pm_status (*head)(FILE *f, const void *context, pm_error *err),
                     const void *context, pm_error *err)
{
    fprintf(f, "%%%%MatrixMarket matrix coordinate %s general\n", pm_field_name(a->field));
    pm_status status = head ? head(f, context, err) : PM_OK;
    if (status)
        return status;
    if (pm_labels_exist(&a->row_labels))
        pm_put_labels(f, "rows", &a->row_labels);
    if (pm_labels_exist(&a->col_labels))
        pm_put_labels(f, "cols", &a->col_labels);
    pm_put_size(f, a->nrows);
    putc(' ', f);
    pm_put_size(f, a->ncols);
    putc(' ', f);
    pm_put_size(f, pm_matrix_nnz(a));
    putc('\n', f);
    return put_entries(f, a, err);
}

static pm_status put_head(FILE *f, const void *context, pm_error *err)
{
    return pm_put_comments(f, "%", context, err);
}

pm_status pm_write_mtx(FILE *f, const pm_matrix *a, const char *const *comments, pm_error *err)
{
    pm_status status = pm_put_mtx(f, a, put_head, comments, err);
    return status ? status : pm_put_flush(f, err);
}
