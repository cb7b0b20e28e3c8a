/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/pfaffian_matrix.h"

#include <stdlib.h>

#include "elimination/permutation.h"
#include "planar/embedding.h"
#include "planar/kasteleyn.h"
#include "planar/plain_matching.h"
#include "pm/alloc.h"

/* Bit c: whether the term of the matching in the Pfaffian of class c is negative.
 * sequence, scratch: n entries. */
static unsigned negative_classes(const pm_paired_matrix *p, const int32_t *mate, int32_t *sequence,
                                 int32_t *scratch)
{
    unsigned negative = 0;
    int32_t count = 0;
    for (int32_t v = 0; v < p->n; ++v)
        for (int32_t k = p->rowptr[v]; k < p->rowptr[v + 1]; ++k)
            if (p->colind[k] == mate[v]) {
                negative ^= p->sign[k];
                sequence[count++] = v;
                sequence[count++] = mate[v];
            }
    return pm_permutation_is_odd(sequence, p->n, scratch) ? negative ^ PM_ALL_SIGNS : negative;
}

/* Vertex 0 is in entries of the first row only. */
static void negate_vertex(pm_paired_matrix *p, unsigned classes)
{
    for (int32_t k = 0; k < p->rowptr[1]; ++k)
        p->sign[k] ^= (uint8_t)classes;
}

static pm_status set_signs(const pm_plain_graph *w, const int32_t *mate, pm_paired_matrix *p,
                           pm_error *err)
{
    const pm_drawn_graph d = pm_plain_graph_drawn(w);
    int32_t *sequence = pm_alloc_array(p->n, sizeof *sequence);
    int32_t *scratch = pm_alloc_array(p->n, sizeof *scratch);
    pm_status status = sequence && scratch ? pm_kasteleyn_draw(&d, p->sign, &p->classes, err)
                                           : pm_fail_memory(err, "a signed matrix");
    if (!status)
        negate_vertex(p, negative_classes(p, mate, sequence, scratch));
    free(sequence);
    free(scratch);
    return status;
}

static pm_status fill(const pm_plain_graph *w, const int32_t *mate, pm_paired_matrix *p,
                      pm_error *err)
{
    int64_t n = w->a.nrows, edges = pm_matrix_nnz(&w->a);
    p->rowptr = pm_calloc_array(n + 1, sizeof *p->rowptr);
    p->colind = pm_alloc_array(edges, sizeof *p->colind);
    p->source = pm_alloc_array(edges, sizeof *p->source);
    p->sign = pm_alloc_array(edges, 1);
    if (!p->rowptr || !p->colind || !p->source || !p->sign)
        return pm_fail_memory(err, "a signed matrix");
    for (int64_t v = 0; v <= n; ++v)
        p->rowptr[v] = (int32_t)w->a.rowptr[v];
    for (int64_t k = 0; k < edges; ++k) {
        p->colind[k] = w->a.colind[k];
        p->source[k] = w->source[k];
    }
    return set_signs(w, mate, p, err);
}

pm_status pm_pfaffian_matrix_make(const pm_plain_graph *w, const pm_run *run, pm_paired_matrix *out,
                                  pm_error *err)
{
    bool is_matched = false;
    pm_paired_matrix p = {.n = (int32_t)w->a.nrows, .classes = 1, .is_skew = true};
    int32_t *mate = pm_alloc_array(p.n, sizeof *mate);
    pm_status status = mate ? pm_plain_matching_find(w, run, mate, &is_matched, err)
                            : pm_fail_memory(err, "a perfect matching");
    p.is_zero = !is_matched;
    if (!status && is_matched)
        status = fill(w, mate, &p, err);
    free(mate);
    if (status)
        pm_paired_matrix_free(&p);
    else
        *out = p;
    return status;
}
