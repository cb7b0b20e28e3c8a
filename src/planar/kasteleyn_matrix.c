/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/kasteleyn_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "planar/embedding.h"
#include "pm/alloc.h"
#include "pm/dm.h"

/* ---- signs ---- */

/* An embedding in the plane or on a torus.  If there is neither, the message says why the graph is
 * not planar. */
static pm_status embed(const pm_matrix *a, int32_t *next, pm_error *err)
{
    pm_error why;
    pm_status status = pm_embedding_in_plane(a, next, &why);
    if (status == PM_UNABLE) {
        pm_status torus_status = pm_embedding_on_torus(a, next, NULL);
        if (torus_status != PM_UNABLE)
            return torus_status ? pm_fail_memory(err, "a torus") : PM_OK;
    }
    if (status && err)
        *err = why;
    return status;
}

static pm_status find_signs(const pm_matrix *a, uint8_t *sign, int *classes, pm_error *err)
{
    pm_faces f = {0};
    int32_t *next = pm_alloc_array(2 * pm_matrix_nnz(a), sizeof *next);
    if (!next)
        return pm_fail_memory(err, "an embedding");
    pm_status status = embed(a, next, err);
    if (!status)
        status = pm_faces_walk(a, next, &f, err);
    if (!status)
        status = pm_kasteleyn_signs(a, &f, sign, classes, err);
    pm_faces_free(&f);
    free(next);
    return status;
}

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
        status = find_signs(a, sign, &p->classes, err);
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
