/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "planar/embedding.h"
#include "pm/alloc.h"
#include "pm/dm.h"

void pm_pairing_free(pm_pairing *p)
{
    free(p->rowptr);
    free(p->colind);
    free(p->source);
    free(p->sign);
    *p = (pm_pairing){0};
}

/* ---- twins ---- */

/* Three twins with three neighbours are a K3,3. */
static pm_status refuse_triplets(const pm_block *b, pm_error *err)
{
    const pm_matrix *a = &b->a;
    int32_t *degree = pm_calloc_array(a->ncols, sizeof *degree);
    bool found = false;
    if (!degree)
        return pm_fail_memory(err, "degrees");
    for (int64_t i = 0; i < a->nrows; ++i) {
        found = found || (b->row_cap[i] > 2 && a->rowptr[i + 1] - a->rowptr[i] > 2);
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            ++degree[a->colind[k]];
    }
    for (int64_t j = 0; j < a->ncols; ++j)
        found = found || (b->col_cap[j] > 2 && degree[j] > 2);
    free(degree);
    return found ? pm_fail(err, PM_UNABLE, "not planar: it holds a K3,3 of twins") : PM_OK;
}

/* first[j]: the first copy of column j; ncols + 1 entries. */
static void number_copies(const int32_t *cap, int64_t n, int32_t *first)
{
    first[0] = 0;
    for (int64_t j = 0; j < n; ++j)
        first[j + 1] = first[j] + cap[j];
}

static int64_t count_copies(const pm_block *b)
{
    int64_t nnz = 0;
    for (int64_t i = 0; i < b->a.nrows; ++i)
        for (int64_t k = b->a.rowptr[i]; k < b->a.rowptr[i + 1]; ++k)
            nnz += (int64_t)b->row_cap[i] * b->col_cap[b->a.colind[k]];
    return nnz;
}

/* The pattern with twins written out, and the entry of b that each of its entries copies. */
static pm_status write_out(const pm_block *b, pm_matrix *out, int32_t **source, pm_error *err)
{
    const pm_matrix *a = &b->a;
    int64_t nnz = count_copies(b), row = 0, at = 0;
    pm_status rc = pm_matrix_alloc(out, PM_PATTERN, b->n, b->n, nnz, err);
    int32_t *first = pm_alloc_array(a->ncols + 1, sizeof *first);
    *source = pm_alloc_array(nnz, sizeof **source);
    if (!rc && (!first || !*source))
        rc = pm_fail_memory(err, "twins");
    if (!rc)
        number_copies(b->col_cap, a->ncols, first);
    for (int64_t i = 0; i < a->nrows && !rc; ++i)
        for (int32_t copy = 0; copy < b->row_cap[i]; ++copy) {
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
                for (int32_t j = first[a->colind[k]]; j < first[a->colind[k] + 1]; ++j) {
                    out->colind[at] = j;
                    (*source)[at++] = (int32_t)k;
                }
            out->rowptr[++row] = at;
        }
    free(first);
    return rc;
}

/* ---- signs ---- */

/* In the plane or on a torus; what is neither is told why it is not planar. */
static pm_status draw(const pm_matrix *a, int32_t *next, pm_error *err)
{
    pm_error why;
    pm_status rc = pm_embedding_in_plane(a, next, &why);
    if (rc == PM_UNABLE) {
        pm_status torus = pm_embedding_on_torus(a, next, NULL);
        if (torus != PM_UNABLE)
            return torus ? pm_fail_memory(err, "a torus") : PM_OK;
    }
    if (rc && err)
        *err = why;
    return rc;
}

static pm_status find_signs(const pm_matrix *a, uint8_t *sign, int *classes, pm_error *err)
{
    pm_faces f = {0};
    int32_t *next = pm_alloc_array(2 * pm_matrix_nnz(a), sizeof *next);
    if (!next)
        return pm_fail_memory(err, "an embedding");
    pm_status rc = draw(a, next, err);
    if (!rc)
        rc = pm_faces_walk(a, next, &f, err);
    if (!rc)
        rc = pm_kasteleyn_signs(a, &f, sign, classes, err);
    pm_faces_free(&f);
    free(next);
    return rc;
}

/* Columns are called by the row that the matching gives them; in every class a row turns its signs
 * so that its entry of the matching is positive. */
static void pair_up(const pm_matrix *a, const int32_t *row_of, const uint8_t *sign, pm_pairing *p)
{
    for (int32_t i = 0; i < p->n; ++i) {
        unsigned turn = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (row_of[a->colind[k]] == i)
                turn = sign[k];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            p->colind[k] = row_of[a->colind[k]];
            p->sign[k] = (uint8_t)(sign[k] ^ turn);
        }
        p->rowptr[i + 1] = (int32_t)a->rowptr[i + 1];
    }
}

static pm_status fill(const pm_matrix *a, pm_pairing *p, pm_error *err)
{
    int64_t n = a->nrows, nnz = pm_matrix_nnz(a), rank;
    pm_status rc;
    int32_t *col_of = pm_alloc_array(n, sizeof *col_of),
            *row_of = pm_alloc_array(n, sizeof *row_of);
    uint8_t *sign = pm_alloc_array(nnz, 1);
    p->rowptr = pm_calloc_array(n + 1, sizeof *p->rowptr);
    p->colind = pm_alloc_array(nnz, sizeof *p->colind);
    p->sign = pm_alloc_array(nnz, 1);
    if (!col_of || !row_of || !sign || !p->rowptr || !p->colind || !p->sign)
        rc = pm_fail_memory(err, "a signed matrix");
    else
        rc = pm_matching_maximum(a, col_of, row_of, &rank, err);
    if (!rc && rank < n)
        p->is_zero = true;
    else if (!rc)
        rc = find_signs(a, sign, &p->classes, err);
    if (!rc && !p->is_zero)
        pair_up(a, row_of, sign, p);
    free(col_of);
    free(row_of);
    free(sign);
    return rc;
}

pm_status pm_pairing_make(const pm_block *b, pm_pairing *out, pm_error *err)
{
    pm_matrix a = {0};
    pm_pairing p = {.n = (int32_t)b->n, .classes = 1};
    if (b->n > INT32_MAX / 32)
        return pm_fail(err, PM_UNABLE, "planar takes blocks up to n = %d", INT32_MAX / 32);
    pm_status rc = refuse_triplets(b, err);
    int64_t nnz = count_copies(b);
    if (!rc && nnz > 4 * b->n)
        rc = pm_fail(err, PM_UNABLE, "not planar: %lld edges on %lld vertices", (long long)nnz,
                     2 * (long long)b->n);
    if (!rc)
        rc = write_out(b, &a, &p.source, err);
    if (!rc)
        rc = fill(&a, &p, err);
    pm_matrix_free(&a);
    if (rc)
        pm_pairing_free(&p);
    else
        *out = p;
    return rc;
}
