/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/kasteleyn_matrix.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "pm/dm.h"

/* Number the columns by the rows that they are matched to.  In every class, negate the rows whose
 * entry in the matching is negative. */
static void pair_up(const pm_plain_graph *w, const int32_t *row_of, const uint8_t *sign,
                    pm_paired_matrix *p)
{
    const pm_matrix *a = &w->a;
    for (int32_t i = 0; i < p->n; ++i) {
        unsigned negated = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (row_of[a->colind[k]] == i)
                negated = sign[k];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            p->colind[k] = row_of[a->colind[k]];
            p->source[k] = w->source[k];
            p->sign[k] = (uint8_t)(sign[k] ^ negated);
        }
        p->rowptr[i + 1] = (int32_t)a->rowptr[i + 1];
    }
}

static pm_status fill(const pm_plain_graph *w, pm_paired_matrix *p, pm_error *err)
{
    const pm_matrix *a = &w->a;
    const pm_drawn_graph d = pm_drawn_bipartite(a);
    int64_t n = a->nrows, nnz = pm_matrix_nnz(a), rank;
    pm_status status;
    int32_t *col_of = pm_alloc_array(n, sizeof *col_of),
            *row_of = pm_alloc_array(n, sizeof *row_of);
    uint8_t *sign = pm_alloc_array(nnz, 1);
    p->rowptr = pm_calloc_array(n + 1, sizeof *p->rowptr);
    p->colind = pm_alloc_array(nnz, sizeof *p->colind);
    p->source = pm_alloc_array(nnz, sizeof *p->source);
    p->sign = pm_alloc_array(nnz, 1);
    if (!col_of || !row_of || !sign || !p->rowptr || !p->colind || !p->source || !p->sign)
        status = pm_fail_memory(err, "a signed matrix");
    else
        status = pm_matching_maximum(a, NULL, col_of, row_of, &rank, err);
    if (!status && rank < n)
        p->is_zero = true;
    else if (!status)
        status = pm_kasteleyn_draw(&d, sign, &p->classes, err);
    if (!status && !p->is_zero)
        pair_up(w, row_of, sign, p);
    free(col_of);
    free(row_of);
    free(sign);
    return status;
}

pm_status pm_kasteleyn_matrix_make(const pm_plain_graph *w, pm_paired_matrix *out, pm_error *err)
{
    pm_paired_matrix p = {.n = (int32_t)w->a.nrows, .classes = 1};
    pm_status status = fill(w, &p, err);
    if (status)
        pm_paired_matrix_free(&p);
    else
        *out = p;
    return status;
}
