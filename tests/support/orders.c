/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/orders.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "support/matrices.h"
#include "support/testing.h"

const pm_search_limits no_limits = {
    .rival = INFINITY, .left = INFINITY, .least = PM_GLANCE_SECONDS, .most = INFINITY};

void random_order(uint64_t *rng, const pm_block_graph *g, pm_vertex_order *o)
{
    int32_t *p = malloc((size_t)g->nv * sizeof *p);
    assert_non_null(p);
    random_permutation(rng, p, g->nv);
    o->len = 0;
    for (int32_t v = 0; v < g->nv; ++v)
        o->pos[v] = INT32_MAX;
    for (int32_t i = 0; i < g->nv; ++i)
        if (g->cap[p[i]] == 1) {
            o->pos[p[i]] = o->len;
            o->seq[o->len++] = p[i];
        }
    free(p);
    assert_int_equal(pm_vertex_order_cost_all(g, o, NULL), PM_OK);
}
