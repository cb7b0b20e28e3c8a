/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "beam/beam_plan.h"

#include <math.h>
#include <stdlib.h>

#include "beam/beam_order.h"
#include "beam/beam_score.h"
#include "order/state_count.h"
#include "pm/alloc.h"
#include "sampler/scaled_entries.h"

/* What the edges so far have left. */
typedef struct {
    const pm_block_graph *g;
    const pm_vertex_order *order;
    int32_t *open;  /* edges to come, of each vertex */
    int32_t *bit;   /* of the vertices in the frontier, -1 for others */
    int32_t *spare; /* bits of vertices that have left */
    int32_t nspare, nbits;
    int64_t singles, rows; /* frontier vertices, and the rows among them */
    int64_t lead;          /* rows that have left minus columns that have */
    int32_t *next;         /* neighbours whose turn is still to come */
} walk;

static pm_status walk_init(walk *w, const pm_block_graph *g, const pm_vertex_order *o,
                           pm_error *err)
{
    *w = (walk){.g = g, .order = o};
    w->open = pm_alloc_array(g->nv, sizeof *w->open);
    w->bit = pm_alloc_array(g->nv, sizeof *w->bit);
    w->spare = pm_alloc_array(g->nv, sizeof *w->spare);
    w->next = pm_alloc_array(g->nv, sizeof *w->next);
    if (!w->open || !w->bit || !w->spare || !w->next)
        return pm_fail_memory(err, "beam plan");
    for (int32_t v = 0; v < g->nv; ++v) {
        w->open[v] = (int32_t)(g->ptr[v + 1] - g->ptr[v]);
        w->bit[v] = -1;
    }
    return PM_OK;
}

static void walk_free(walk *w)
{
    free(w->open);
    free(w->bit);
    free(w->spare);
    free(w->next);
}

static int32_t enter(walk *w, int32_t v)
{
    if (w->bit[v] < 0) {
        w->bit[v] = w->nspare ? w->spare[--w->nspare] : w->nbits++;
        ++w->singles;
        w->rows += pm_block_graph_is_row(w->g, v);
    }
    return w->bit[v];
}

/* Counts an edge of v off; true when it was the last. */
static bool leave(walk *w, int32_t v)
{
    if (--w->open[v])
        return false;
    bool row = pm_block_graph_is_row(w->g, v);
    w->spare[w->nspare++] = w->bit[v];
    --w->singles;
    w->rows -= row;
    w->lead += row ? 1 : -1;
    return true;
}

/* The edges of v to come: those that end their vertex first, then those that enter none, so that
 * states stay few. */
static int32_t list_edges(walk *w, int32_t v)
{
    const pm_block_graph *g = w->g;
    int32_t n = 0;
    for (int kind = 0; kind < 3; ++kind)
        for (int64_t j = g->ptr[v]; j < g->ptr[v + 1]; ++j) {
            int32_t u = g->adj[j];
            int is = w->open[u] == 1 ? 0 : w->bit[u] >= 0 ? 1 : 2;
            if (w->order->pos[u] > w->order->pos[v] && is == kind)
                w->next[n++] = (int32_t)(j - g->ptr[v]);
        }
    return n;
}

static void note_states(const walk *w, pm_beam_edge *e, pm_beam_plan *p)
{
    e->states = pm_binomial(w->singles, w->lead + w->rows);
    p->most = fmax(p->most, e->states);
    if (!e->ends)
        return;
    p->most_ended = fmax(p->most_ended, e->states);
    p->total += e->states;
    ++p->nvertices;
}

/* entry: by place in the adjacency; listed: by edge */
static void process(walk *w, int32_t v, const int64_t *entry, const pm_scaled_entries *s,
                    pm_beam_plan *p, int64_t *listed)
{
    const pm_block_graph *g = w->g;
    int32_t n = list_edges(w, v);
    for (int32_t i = 0; i < n; ++i) {
        int64_t j = g->ptr[v] + w->next[i];
        int32_t u = g->adj[j];
        listed[p->nedges] = entry[j];
        pm_beam_edge *e = &p->edges[p->nedges++];
        const double *value = s->value[entry[j]];
        *e = (pm_beam_edge){.v = v,
                            .u = u,
                            .ends = i == n - 1,
                            .is_unit = value[0] == 1 && value[1] == 0,
                            .value = {value[0], value[1]}};
        e->v_enters = w->bit[v] < 0;
        e->u_enters = w->bit[u] < 0;
        e->v_bit = enter(w, v);
        e->u_bit = enter(w, u);
        e->v_leaves = leave(w, v);
        e->u_leaves = leave(w, u);
        note_states(w, e, p);
    }
}

/* entry[j] for every place of the adjacency, units too. */
static pm_status name_entries(const pm_matrix *a, const pm_block_graph *g, int64_t **out,
                              pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(a), *entry = pm_alloc_array(2 * nnz, sizeof *entry);
    int64_t *at = pm_alloc_array(a->ncols, sizeof *at);
    if (!entry || !at) {
        free(entry);
        free(at);
        return pm_fail_memory(err, "beam plan");
    }
    for (int64_t j = 0; j < a->ncols; ++j)
        at[j] = g->ptr[a->nrows + j];
    for (int64_t k = 0; k < nnz; ++k) {
        entry[k] = k;
        entry[at[a->colind[k]]++] = k;
    }
    free(at);
    *out = entry;
    return PM_OK;
}

static int32_t words_for(int32_t bits)
{
    int32_t words = (bits + 63) / 64;
    return words < 1 ? 1 : words == 3 ? 4 : words;
}

pm_status pm_beam_plan_make(const pm_matrix *a, uint64_t seed, const pm_run *run, pm_beam_plan *out,
                            pm_error *err)
{
    pm_status status;
    pm_block_graph g = {0};
    pm_vertex_order o = {0};
    pm_scaled_entries s = {0};
    walk w = {0};
    int64_t *entry = NULL, *listed = pm_alloc_array(pm_matrix_nnz(a), sizeof *listed);
    pm_beam_plan p = {.edges = pm_alloc_array(pm_matrix_nnz(a), sizeof *p.edges)};
    if (!p.edges || !listed) {
        status = pm_fail_memory(err, "beam plan");
        goto done;
    }
    if ((status = pm_scaled_entries_make(a, &s, err))
        || (status = pm_beam_order_find(a, seed, run, &g, &o, err))
        || (status = name_entries(a, &g, &entry, err)) || (status = walk_init(&w, &g, &o, err)))
        goto done;
    for (int32_t t = 0; t < o.len; ++t)
        process(&w, o.seq[t], entry, &s, &p, listed);
    for (int32_t v = 0; v < g.nv; ++v)
        p.is_void = p.is_void || g.ptr[v + 1] == g.ptr[v];
    p.bits = w.nbits;
    p.words = words_for(w.nbits);
    p.exp = s.exp;
    if ((status = pm_beam_score_plan(a, s.value, listed, &p, err)))
        goto done;
    *out = p;
    p = (pm_beam_plan){0};
done:
    free(entry);
    free(listed);
    walk_free(&w);
    pm_scaled_entries_free(&s);
    pm_vertex_order_free(&o);
    pm_block_graph_free(&g);
    pm_beam_plan_free(&p);
    return status;
}

void pm_beam_plan_free(pm_beam_plan *p)
{
    free(p->edges);
    *p = (pm_beam_plan){0};
}
