/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pairing/pairing_graph.h"

#include <stdlib.h>

#include "matrix/symmetric.h"
#include "pm/alloc.h"
#include "sampler/scaled_entries.h"
#include "sampler/vertex_key.h"

enum { VERTICES_MAX = 32767 /* sampler/vertex_key.h */ };

static bool all_are_one(const pm_matrix *a)
{
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        if (!pm_dyadic_is_one(&a->re[k]))
            return false;
    return true;
}

/* Products of n values between 2^-500 and 2^100 are within the range of pm_wide_product_multiply. */
static pm_status set_values(const pm_scaled_entries *s, pm_pairing_graph *g, pm_error *err)
{
    g->exponent = s->exp;
    for (int64_t k = 0; k < pm_matrix_nnz(g->a); ++k) {
        g->value[k] = s->value[k][0];
        if (!(g->value[k] > 0x1p-500 && g->value[k] < 0x1p100))
            return pm_fail(err, PM_UNABLE,
                           "the entries differ too much in size: one is still %.2g after "
                           "scaling, too far from 1 for sampling",
                           g->value[k]);
    }
    return PM_OK;
}

static pm_status make_values(pm_pairing_graph *g, const pm_run *run, pm_error *err)
{
    pm_scaled_entries scaled = {0};
    if (all_are_one(g->a))
        return PM_OK;
    g->value = pm_alloc_array(pm_matrix_nnz(g->a), sizeof *g->value);
    pm_status status = g->value ? pm_scaled_entries_make_symmetric(g->a, run, &scaled, err)
                                : pm_fail_memory(err, "the entries");
    if (!status)
        status = set_values(&scaled, g, err);
    pm_scaled_entries_free(&scaled);
    return status;
}

pm_status pm_pairing_graph_make(const pm_matrix *a, const pm_run *run, pm_pairing_graph *out,
                                pm_error *err)
{
    if (a->nrows > VERTICES_MAX)
        return pm_fail(err, PM_UNABLE, "%lld vertices: sequential sampling has room for %d",
                       (long long)a->nrows, (int)VERTICES_MAX);
    if (pm_matrix_has_diagonal(a))
        return pm_fail(err, PM_UNABLE,
                       "vertices that may stay alone (loops): only the method beam samples them");
    pm_pairing_graph g = {.a = a, .n = (int32_t)a->nrows};
    for (int64_t i = 0; i < a->nrows; ++i) {
        const int32_t degree = (int32_t)(a->rowptr[i + 1] - a->rowptr[i]);
        g.most = degree > g.most ? degree : g.most;
    }
    pm_status status = make_values(&g, run, err);
    if (status)
        pm_pairing_graph_free(&g);
    else
        *out = g;
    return status;
}

void pm_pairing_graph_free(pm_pairing_graph *g)
{
    free(g->value);
    *g = (pm_pairing_graph){0};
}
