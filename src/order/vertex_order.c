/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "order/vertex_order.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

pm_status pm_vertex_order_alloc(const pm_block_graph *g, pm_vertex_order *o, pm_error *err)
{
    pm_vertex_order p = {0};
    p.seq = pm_alloc_array(g->nv, sizeof *p.seq);
    p.pos = pm_alloc_array(g->nv, sizeof *p.pos);
    if (!p.seq || !p.pos) {
        pm_vertex_order_free(&p);
        return pm_fail_memory(err, "vertex order");
    }
    *o = p;
    return PM_OK;
}

void pm_vertex_order_free(pm_vertex_order *o)
{
    free(o->seq);
    free(o->pos);
    *o = (pm_vertex_order){0};
}

uint64_t pm_vertex_order_hash(const pm_vertex_order *o)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (int32_t i = 0; i < o->len; ++i)
        for (int b = 0; b < 32; b += 8)
            h = (h ^ ((uint32_t)o->seq[i] >> b & 255)) * UINT64_C(0x100000001b3);
    return h;
}

void pm_vertex_order_copy(const pm_block_graph *g, pm_vertex_order *to, const pm_vertex_order *from)
{
    memcpy(to->seq, from->seq, (size_t)from->len * sizeof *to->seq);
    memcpy(to->pos, from->pos, (size_t)g->nv * sizeof *to->pos);
    to->len = from->len;
    to->cost = from->cost;
}

pm_status pm_vertex_order_natural(const pm_matrix *a, int32_t *order, pm_error *err)
{
    int64_t *left = pm_calloc_array(a->ncols, sizeof *left); /* rows to come */
    if (!left)
        return pm_fail_memory(err, "an order");
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        ++left[a->colind[k]];
    for (int64_t j = 0; j < a->ncols; ++j)
        if (left[j] == 0)
            *order++ = (int32_t)(a->nrows + j);
    for (int64_t i = 0; i < a->nrows; ++i) {
        *order++ = (int32_t)i;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (--left[a->colind[k]] == 0)
                *order++ = (int32_t)(a->nrows + a->colind[k]);
    }
    free(left);
    return PM_OK;
}
