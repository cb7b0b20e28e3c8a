/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pairing/pairing_state.h"

#include <math.h>
#include <string.h>

#include "pm/alloc.h"
#include "sampler/vertex_key.h"

#define MATCHED (~UINT32_C(0))

/* The keys of vertices that are left are below 2^31, and those of matched ones above, also when their neighbours are matched. */
static bool is_left(const pm_pairing_state *s, int32_t v)
{
    return s->key[v] >> 31 == 0;
}

size_t pm_pairing_state_bytes(const pm_pairing_plan *plan)
{
    const size_t n = (size_t)plan->g.n, most = (size_t)plan->g.most;
    return most * (sizeof(int64_t) + sizeof(double)) + (plan->factor ? n * sizeof(double) : 0)
           + n * (sizeof(int32_t) + sizeof(uint32_t)) + pm_forest_bytes(plan->g.n);
}

void pm_pairing_start(const pm_pairing_plan *plan, void *memory, pm_pairing_state *out)
{
    const pm_pairing_graph *g = &plan->g;
    const size_t n = (size_t)g->n;
    pm_pairing_state s = {.plan = plan, .entry = memory};
    s.share = (double *)(s.entry + g->most);
    s.factor = plan->factor ? s.share + g->most : NULL;
    s.partner = (int32_t *)(s.share + g->most + (plan->factor ? n : 0));
    s.key = (uint32_t *)(s.partner + n);
    memcpy(s.partner, plan->matching, n * sizeof *s.partner);
    if (s.factor)
        memcpy(s.factor, plan->factor, n * sizeof *s.factor);
    pm_forest_place(g->a, s.partner, s.key + n, &s.forest);
    for (int32_t v = 0; v < g->n; ++v)
        s.key[v] = pm_vertex_key(v, (int32_t)(g->a->rowptr[v + 1] - g->a->rowptr[v]));
    *out = s;
}

/* ---- shares ---- */

static double value_of(const pm_pairing_graph *g, int64_t k)
{
    return g->value ? g->value[k] : 1;
}

static double sum_of_row(const pm_pairing_graph *g, const double *x, int32_t v)
{
    const pm_matrix *a = g->a;
    double sum = 0;
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
        sum += value_of(g, k) * x[a->colind[k]];
    return sum;
}

/* Knight and Ruiz' iteration, each vertex with the factors that the ones before have: x = sqrt(x / (a x)).  Where a row has entries in
 * no perfect matching factors may grow without end, so they have limits. */
static void sweep(const pm_pairing_graph *g, double *x)
{
    for (int32_t v = 0; v < g->n; ++v)
        if (x[v] > 0)
            x[v] = fmin(fmax(sqrt(x[v] / sum_of_row(g, x, v)), 0x1p-200), 0x1p200);
}

pm_status pm_pairing_scale(pm_pairing_plan *plan, pm_error *err)
{
    enum { SWEEPS = 100 };
    plan->factor = pm_alloc_array(plan->g.n, sizeof *plan->factor);
    if (!plan->factor)
        return pm_fail_memory(err, "the scaling of a graph");
    for (int32_t v = 0; v < plan->g.n; ++v)
        plan->factor[v] = 1;
    for (int k = 0; k < SWEEPS; ++k)
        sweep(&plan->g, plan->factor);
    return PM_OK;
}

/* Of a turn with a choice. */
static void improve_factors(pm_pairing_state *s)
{
    if (!s->factor || ++s->turns < s->plan->interval)
        return;
    s->turns = 0;
    for (int k = 0; k < s->plan->sweeps; ++k)
        sweep(&s->plan->g, s->factor);
}

static double share_of(const pm_pairing_state *s, int32_t u, int64_t k)
{
    const pm_pairing_graph *g = &s->plan->g;
    const int32_t v = g->a->colind[k];
    if (!s->factor)
        return value_of(g, k) / (pm_vertex_key_degree(s->key[v]) - 0.5);
    const double scaled = fmin(fmax(s->factor[u] * value_of(g, k) * s->factor[v], 0x1p-40), 1);
    return scaled / (1 - scaled / 2);
}

/* ---- a turn ---- */

static void add_choice(pm_pairing_state *s, int32_t u, int64_t k)
{
    s->entry[s->choices] = k;
    s->share[s->choices] = share_of(s, u, k);
    s->total += s->share[s->choices++];
}

/* The tree grows until it has all neighbours of u that are left, or everything that it can reach. */
static void grow(pm_pairing_state *s, int32_t u)
{
    pm_forest *f = &s->forest;
    const pm_matrix *a = s->plan->g.a;
    int32_t edge[2];
    pm_forest_clear(f);
    pm_forest_take_out(f, u);
    pm_forest_plant(f, s->partner[u]);
    for (int64_t k = a->rowptr[u]; k < a->rowptr[u + 1]; ++k)
        while (is_left(s, a->colind[k]) && f->vertex[a->colind[k]].side != PM_OUTER)
            if (pm_forest_scan(f, edge) == PM_FOREST_DONE)
                return;
}

int32_t pm_pairing_turn(pm_pairing_state *s)
{
    const pm_matrix *a = s->plan->g.a;
    const int32_t u = pm_vertex_key_vertex(pm_vertex_key_min(s->key, s->plan->g.n));
    const bool is_forced = pm_vertex_key_degree(s->key[u]) == 1;
    s->choices = 0;
    s->total = 0;
    if (!is_forced) {
        grow(s, u);
        improve_factors(s);
    }
    for (int64_t k = a->rowptr[u]; k < a->rowptr[u + 1]; ++k)
        if (is_forced ? a->colind[k] == s->partner[u]
                      : is_left(s, a->colind[k]) && s->forest.vertex[a->colind[k]].side == PM_OUTER)
            add_choice(s, u, k);
    return u;
}

/* ---- a match ---- */

/* The way from v to the partner of u is exchanged: the two are matched, and v is free for u. */
static void free_for(pm_pairing_state *s, int32_t u, int32_t v)
{
    int64_t count;
    if (s->partner[u] == v)
        return;
    const int32_t *path = pm_forest_path(&s->forest, v, &count);
    for (int64_t k = 0; k < count; ++k) {
        s->partner[path[2 * k]] = path[2 * k + 1];
        s->partner[path[2 * k + 1]] = path[2 * k];
    }
}

static void take(pm_pairing_state *s, int32_t v)
{
    const pm_matrix *a = s->plan->g.a;
    s->key[v] = MATCHED;
    if (s->factor)
        s->factor[v] = 0;
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
        s->key[a->colind[k]] -= PM_VERTEX_KEY_DEGREE;
    pm_forest_remove(&s->forest, v);
}

void pm_pairing_match(pm_pairing_state *s, int32_t u, int32_t choice)
{
    const int32_t v = s->plan->g.a->colind[s->entry[choice]];
    free_for(s, u, v);
    pm_forest_clear(&s->forest);
    take(s, u);
    take(s, v);
}
