/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Components by union-find; each vertex has a parity, that of its distance from the root of its tree. */
#include "config.h"

#include "elimination/delays.h"

#include <stdlib.h>

#include "pm/alloc.h"

typedef struct {
    int32_t up;       /* towards the root; a root: itself */
    int32_t class[2]; /* of a root: the vertices of each parity */
    bool is_far;      /* its parity relative to up */
    bool is_odd;      /* of a root: there is an odd cycle */
} vertex;

/* Sets *parity to that of v. */
static int32_t root_of(vertex *x, int32_t v, bool *parity)
{
    *parity = false;
    while (x[v].up != v) {
        x[v].is_far ^= x[x[v].up].is_far;
        x[v].up = x[x[v].up].up;
        *parity ^= x[v].is_far;
        v = x[v].up;
    }
    return v;
}

/* Of a component, by its root. */
static int32_t left_of(const vertex *root)
{
    const int32_t a = root->class[0], b = root->class[1];
    return root->is_odd ? (a + b) % 2 : abs(a - b);
}

/* Returns by how much an edge changes what is left. */
static int32_t join(vertex *x, int32_t v, int32_t u)
{
    bool far_v, far_u;
    const int32_t a = root_of(x, v, &far_v), b = root_of(x, u, &far_u);
    const int32_t before = left_of(&x[a]) + (a == b ? 0 : left_of(&x[b]));
    if (a == b) {
        x[a].is_odd |= far_v == far_u;
        return left_of(&x[a]) - before;
    }
    const bool is_far = far_v == far_u;
    x[b].up = a;
    x[b].is_far = is_far;
    x[a].class[is_far] += x[b].class[0];
    x[a].class[!is_far] += x[b].class[1];
    x[a].is_odd |= x[b].is_odd;
    return left_of(&x[a]) - before;
}

pm_status pm_delays_foretell(const pm_adjacency *g, const pm_elimination *e, const int32_t *pair,
                             const int32_t *time, const int32_t *first, int32_t *delayed,
                             pm_error *err)
{
    vertex *x = pm_alloc_array(g->n, sizeof *x);
    if (!x)
        return pm_fail_memory(err, "the delays of an elimination");
    for (int32_t f = 0; f < e->nfronts; ++f)
        delayed[f] = 0;
    for (int32_t f = 0; f < e->nfronts; ++f) {
        for (int32_t t = first[f]; t < first[f + 1]; ++t) {
            const int32_t v = pair[t];
            x[t] = (vertex){.up = t, .class = {1, 0}};
            ++delayed[f];
            for (int32_t k = g->ptr[v]; k < g->ptr[v + 1]; ++k)
                if (time[g->adj[k]] < t)
                    delayed[f] += join(x, t, time[g->adj[k]]);
        }
        if (e->front[f].parent >= 0)
            delayed[e->front[f].parent] += delayed[f];
    }
    free(x);
    return PM_OK;
}
