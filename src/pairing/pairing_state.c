/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pairing/pairing_state.h"

#include <string.h>

#include "sampler/vertex_key.h"

#define MATCHED (~UINT32_C(0))

/* The keys of vertices that are left are below 2^31, and those of matched ones above, also when their neighbours are matched. */
static bool is_left(const pm_pairing_state *s, int32_t v)
{
    return s->key[v] >> 31 == 0;
}

size_t pm_pairing_state_bytes(const pm_pairing_graph *g)
{
    const size_t n = (size_t)g->n, most = (size_t)g->most;
    return most * (sizeof(int64_t) + sizeof(double)) + n * (sizeof(int32_t) + sizeof(uint32_t))
           + pm_forest_bytes(g->n);
}

void pm_pairing_start(const pm_pairing_graph *g, const int32_t *matching, void *memory,
                      pm_pairing_state *out)
{
    pm_pairing_state s = {.g = g, .entry = memory};
    s.share = (double *)(s.entry + g->most);
    s.partner = (int32_t *)(s.share + g->most);
    s.key = (uint32_t *)(s.partner + g->n);
    memcpy(s.partner, matching, (size_t)g->n * sizeof *s.partner);
    pm_forest_place(g->a, s.partner, s.key + g->n, &s.forest);
    for (int32_t v = 0; v < g->n; ++v)
        s.key[v] = pm_vertex_key(v, (int32_t)(g->a->rowptr[v + 1] - g->a->rowptr[v]));
    *out = s;
}

/* ---- a turn ---- */

static void add_choice(pm_pairing_state *s, int64_t k)
{
    const double value = s->g->value ? s->g->value[k] : 1;
    const int32_t v = s->g->a->colind[k];
    s->entry[s->choices] = k;
    s->share[s->choices] = value / (pm_vertex_key_degree(s->key[v]) - 0.5);
    s->total += s->share[s->choices++];
}

/* The tree grows until it has all neighbours of u that are left, or everything that it can reach. */
static void grow(pm_pairing_state *s, int32_t u)
{
    pm_forest *f = &s->forest;
    const pm_matrix *a = s->g->a;
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
    const pm_matrix *a = s->g->a;
    const int32_t u = pm_vertex_key_vertex(pm_vertex_key_min(s->key, s->g->n));
    const bool is_forced = pm_vertex_key_degree(s->key[u]) == 1;
    s->choices = 0;
    s->total = 0;
    if (!is_forced)
        grow(s, u);
    for (int64_t k = a->rowptr[u]; k < a->rowptr[u + 1]; ++k)
        if (is_forced ? a->colind[k] == s->partner[u]
                      : is_left(s, a->colind[k]) && s->forest.vertex[a->colind[k]].side == PM_OUTER)
            add_choice(s, k);
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
    const pm_matrix *a = s->g->a;
    s->key[v] = MATCHED;
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
        s->key[a->colind[k]] -= PM_VERTEX_KEY_DEGREE;
    pm_forest_remove(&s->forest, v);
}

void pm_pairing_match(pm_pairing_state *s, int32_t u, int32_t choice)
{
    const int32_t v = s->g->a->colind[s->entry[choice]];
    free_for(s, u, v);
    pm_forest_clear(&s->forest);
    take(s, u);
    take(s, v);
}
