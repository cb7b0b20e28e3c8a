/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bethe_estimate/closed_four.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "spgemm/product.h"

enum { TERMS_OF_PART = 1 << 20 };

/* A walk from row i by column j to row k, and by column l back: u_kj v_kl / (1 - v_kj) (1 - u_kl) to there, and
 * u_il v_ij / (1 - v_il) (1 - u_ij) back.  With p = v / (1 - u) and q = u / (1 - v) these are the sum over j of p_ij q_kj
 * times that over l of q_il p_kl, but for the terms with j = l. */
typedef struct {
    const pm_matrix *a;
    pm_csr p, q, p_t, q_t; /* rows, and the transposes */
    uint32_t *from;        /* [nnz] the rows k > i of a column */
    void *owned[6];
} pairs;

static int64_t pairs_of_columns(const pm_matrix *a, const int64_t *first)
{
    int64_t sum = 0;
    for (int64_t j = 0; j < a->ncols; ++j)
        sum += (first[j + 1] - first[j]) * (first[j + 1] - first[j] - 1) / 2;
    return sum;
}

static void set_values(pairs *x, const double *in_row, const double *in_col)
{
    const pm_product own = {PM_SEMIRING_SUM, &x->p, &x->p_t, x->from};
    for (int64_t k = 0; k < pm_matrix_nnz(x->a); ++k) {
        const int64_t at = pm_product_first(&own, k) - 1;
        x->p.value[k] = x->p_t.value[at] = in_row[k] / (1 - in_col[k]);
        x->q.value[k] = x->q_t.value[at] = in_col[k] / (1 - in_row[k]);
    }
}

static pm_status pairs_make(const pm_matrix *a, int64_t most, pairs *x, int64_t *count,
                            pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(a);
    const pm_csr own = {a->nrows, a->ncols, a->rowptr, a->colind, NULL, NULL};
    int64_t *first = x->owned[0] = pm_alloc_array(a->ncols + 1, sizeof *first);
    int32_t *row = x->owned[1] = pm_alloc_array(nnz, sizeof *row);
    x->from = pm_alloc_array(nnz, sizeof *x->from);
    if (!first || !row || !x->from)
        return pm_fail_memory(err, "short cycles");
    pm_csr_transpose(&own, first, row, NULL);
    const pm_csr t = {a->ncols, a->nrows, first, row, NULL, NULL};
    *count = pairs_of_columns(a, first);
    if (*count > most)
        return PM_OK;
    pm_status status = pm_product_above(&own, &t, x->from, err);
    if (status)
        return status;
    for (int k = 2; k < 6; ++k)
        if (!(x->owned[k] = pm_alloc_array(nnz, sizeof(double))))
            return pm_fail_memory(err, "short cycles");
    x->p = x->q = own;
    x->p_t = x->q_t = t;
    x->p.value = x->owned[2];
    x->q.value = x->owned[3];
    x->p_t.value = x->owned[4];
    x->q_t.value = x->owned[5];
    return PM_OK;
}

static void pairs_free(pairs *x)
{
    for (int k = 0; k < 6; ++k)
        free(x->owned[k]);
    free(x->from);
}

/* The sum of products of rows i < k, over all of them. */
static pm_status sum_of_pairs(const pairs *x, const pm_run *run, double *sum, pm_error *err)
{
    const pm_product there = {PM_SEMIRING_SUM, &x->p, &x->q_t, x->from};
    const pm_product back = {PM_SEMIRING_SUM, &x->q, &x->p_t, x->from};
    pm_status status = PM_OK;
    for (int64_t first = 0, end; first < x->a->nrows && !status; first = end) {
        pm_product_rows one = {.owned = {NULL}}, other = {.owned = {NULL}};
        end = pm_product_end(&there, first, TERMS_OF_PART);
        status = pm_product_make(&there, first, end, true, run, &one, err);
        if (!status)
            status = pm_product_make(&back, first, end, true, run, &other, err);
        for (int64_t e = 0; !status && e < one.c.rowptr[end - first]; ++e)
            *sum += one.c.value[e] * other.c.value[e];
        pm_product_rows_free(&one);
        pm_product_rows_free(&other);
    }
    return status;
}

/* The terms with j = l of the same pairs. */
static double same_column(const pairs *x)
{
    double all = 0;
    for (int64_t j = 0; j < x->p_t.nrows; ++j) {
        double sum = 0;
        for (int64_t k = x->p_t.rowptr[j]; k < x->p_t.rowptr[j + 1]; ++k) {
            const double own = x->p_t.value[k] * x->q_t.value[k];
            all += own * sum;
            sum += own;
        }
    }
    return all;
}

pm_status pm_closed_four_make(const pm_matrix *a, const double *in_row, const double *in_col,
                              int64_t most, const pm_run *run, double *share, pm_error *err)
{
    pairs x = {.a = a};
    int64_t count = 0;
    double sum = 0;
    *share = -1;
    pm_status status = pairs_make(a, most, &x, &count, err);
    if (!status && count <= most) {
        set_values(&x, in_row, in_col);
        status = sum_of_pairs(&x, run, &sum, err);
        if (!status) /* from each of the two rows; without cycles rounding may go below 0 */
            *share = fmax(2 * (sum - same_column(&x)) / (double)pm_matrix_nnz(a), 0);
    }
    pairs_free(&x);
    return status;
}
