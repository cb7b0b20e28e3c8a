/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/pfaffian_matrix.h"

#include <stdlib.h>

#include "elimination/permutation.h"
#include "general/blossom.h"
#include "planar/embedding.h"
#include "planar/kasteleyn.h"
#include "pm/alloc.h"

enum { VERTICES_MAX = INT32_MAX / 16 };

static pm_status refuse(const pm_matrix *a, pm_error *err)
{
    if (a->nrows > VERTICES_MAX)
        return pm_fail(err, PM_UNABLE, "planar counts graphs of up to %d vertices", VERTICES_MAX);
    for (int64_t v = 0; v < a->nrows; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (a->colind[k] == v)
                return pm_fail(err, PM_UNABLE, "planar cannot count graphs with loops");
    if (pm_matrix_nnz(a) / 2 > INT32_MAX / 4)
        return pm_fail(err, PM_UNABLE, "not planar: too many edges");
    return PM_OK;
}

/* The entries above the diagonal, as a pattern; source: of each of them, the entry of a. */
static pm_status take_upper(const pm_matrix *a, pm_matrix *out, int32_t *source, pm_error *err)
{
    pm_status status =
        pm_matrix_alloc(out, PM_PATTERN, a->nrows, a->ncols, pm_matrix_nnz(a) / 2, err);
    int64_t at = 0;
    for (int64_t v = 0; v < a->nrows && !status; ++v) {
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (a->colind[k] > v) {
                out->colind[at] = a->colind[k];
                source[at++] = (int32_t)k;
            }
        out->rowptr[v + 1] = at;
    }
    return status;
}

/* Whether the term of the matching in the Pfaffian is negative.  sequence, scratch: n entries. */
static bool is_negative(const pm_paired_matrix *p, const int32_t *mate, int32_t *sequence,
                        int32_t *scratch)
{
    bool negative = false;
    int32_t count = 0;
    for (int32_t v = 0; v < p->n; ++v)
        for (int32_t k = p->rowptr[v]; k < p->rowptr[v + 1]; ++k)
            if (p->colind[k] == mate[v]) {
                negative = negative != (p->sign[k] & 1);
                sequence[count++] = v;
                sequence[count++] = mate[v];
            }
    return negative != pm_permutation_is_odd(sequence, p->n, scratch);
}

/* Vertex 0 is in entries of the first row only. */
static void negate_vertex(pm_paired_matrix *p)
{
    for (int32_t k = 0; k < p->rowptr[1]; ++k)
        p->sign[k] ^= 1;
}

static pm_status set_signs(const pm_matrix *upper, const int32_t *mate, pm_paired_matrix *p,
                           pm_error *err)
{
    const pm_drawn_graph d = {upper, 0};
    int32_t *sequence = pm_alloc_array(p->n, sizeof *sequence);
    int32_t *scratch = pm_alloc_array(p->n, sizeof *scratch);
    pm_status status = sequence && scratch ? pm_kasteleyn_draw(&d, p->sign, &p->classes, err)
                                           : pm_fail_memory(err, "a signed matrix");
    if (!status && is_negative(p, mate, sequence, scratch))
        negate_vertex(p);
    free(sequence);
    free(scratch);
    return status;
}

static pm_status fill(const pm_block *b, const int32_t *mate, pm_paired_matrix *p, pm_error *err)
{
    pm_matrix upper = {0};
    int64_t n = b->a.nrows, edges = pm_matrix_nnz(&b->a) / 2;
    p->rowptr = pm_calloc_array(n + 1, sizeof *p->rowptr);
    p->colind = pm_alloc_array(edges, sizeof *p->colind);
    p->source = pm_alloc_array(edges, sizeof *p->source);
    p->sign = pm_alloc_array(edges, 1);
    pm_status status = p->rowptr && p->colind && p->source && p->sign
                           ? take_upper(&b->a, &upper, p->source, err)
                           : pm_fail_memory(err, "a signed matrix");
    for (int64_t v = 0; v <= n && !status; ++v)
        p->rowptr[v] = (int32_t)upper.rowptr[v];
    for (int64_t k = 0; k < edges && !status; ++k)
        p->colind[k] = upper.colind[k];
    if (!status)
        status = set_signs(&upper, mate, p, err);
    pm_matrix_free(&upper);
    return status;
}

pm_status pm_pfaffian_matrix_make(const pm_block *b, const pm_run *run, pm_paired_matrix *out,
                                  pm_error *err)
{
    int64_t size = 0;
    pm_paired_matrix p = {.n = (int32_t)b->a.nrows, .classes = 1, .is_skew = true};
    pm_status status = refuse(&b->a, err);
    if (status)
        return status;
    int32_t *mate = pm_alloc_array(p.n, sizeof *mate);
    status = mate ? pm_blossom_matching(&b->a, run, mate, &size, err)
                  : pm_fail_memory(err, "a perfect matching");
    p.is_zero = 2 * size < p.n;
    if (!status && !p.is_zero)
        status = fill(b, mate, &p, err);
    free(mate);
    if (status)
        pm_paired_matrix_free(&p);
    else
        *out = p;
    return status;
}
