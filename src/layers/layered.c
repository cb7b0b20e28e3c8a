/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layers/layered.h"

#include <stdlib.h>

#include "layers/layer_parts.h"
#include "pm/alloc.h"

void pm_layered_free(pm_layered *g)
{
    for (int k = 0; g->layer && k < g->head + g->cycle + g->tail; ++k)
        free(g->layer[k].edge);
    for (int k = 0; k < g->nvalues; ++k)
        pm_dyadic_clear(&g->value[k]);
    free(g->layer);
    free(g->value);
    *g = (pm_layered){0};
}

pm_status pm_layered_from_period(const pm_matrix *own, const pm_period *period, pm_layered *out,
                                 pm_error *err)
{
    const int64_t nnz =
        pm_matrix_nnz(own) + pm_matrix_nnz(&period->next) + pm_matrix_nnz(&period->before);
    if (own->nrows + own->ncols > PM_LAYER_BITS / 2)
        return pm_fail(err, PM_UNABLE, "refused: a part has more than %d vertices",
                       PM_LAYER_BITS / 2);
    if (pm_period_field(own, period) == PM_COMPLEX)
        return pm_fail(
            err, PM_UNABLE,
            "refused: the transfer matrix of a part needs integer entries, not complex ones");
    const pm_layer_places places = pm_layer_places_of(own, &period->next, &period->before);
    pm_layered g = {.cycle = 1,
                    .tail = !period->is_ring,
                    .repeats = period->length - !period->is_ring,
                    .is_ring = period->is_ring};
    g.layer = pm_calloc_array(2, sizeof *g.layer);
    g.value = pm_calloc_array(2 * nnz, sizeof *g.value);
    pm_status status = g.layer && g.value ? PM_OK : pm_fail_memory(err, "a periodic graph");
    for (int k = 0; k < g.cycle + g.tail && !status; ++k)
        status = pm_layer_make(&places, k == 0 ? &places : NULL, own, &period->next,
                               &period->before, &g, &g.layer[k], err);
    if (status)
        pm_layered_free(&g);
    else
        *out = g;
    return status;
}
