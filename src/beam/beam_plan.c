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

enum { NO_LOOP = -1 };

/* The frontier while the edges are listed. */
typedef struct {
    const pm_block_graph *g;
    const pm_vertex_order *order;
    int64_t *loop; /* [vertices]: entry of the loop of a vertex, or NO_LOOP */
    bool has_loops;
    const pm_scaled_entries *entries;
    int64_t *entry_of_edge; /* index in the matrix, by number of the edge; borrowed */
    int32_t *edges_left;    /* [vertices]: edges that are not processed */
    int32_t *bit;           /* [vertices]: bit of the key; -1 outside the frontier */
    int32_t *free_bits;     /* bits of vertices that have left */
    int32_t nfree_bits, nbits;
    int64_t singles, rows; /* frontier vertices, and the rows among them */
    int64_t rows_ahead;    /* rows that have left minus columns that have left */
    int32_t *next;         /* working memory of list_edges */
} progress;

/* In a general graph. */
static void find_loops(const pm_matrix *a, progress *w)
{
    for (int64_t v = 0; v < a->nrows; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (a->colind[k] == v) {
                w->loop[v] = k;
                ++w->edges_left[v];
                w->has_loops = true;
            }
}

static pm_status progress_init(progress *w, const pm_matrix *a, bool is_general,
                               const pm_block_graph *g, const pm_vertex_order *o, pm_error *err)
{
    w->g = g;
    w->order = o;
    w->edges_left = pm_alloc_array(g->nv, sizeof *w->edges_left);
    w->bit = pm_alloc_array(g->nv, sizeof *w->bit);
    w->free_bits = pm_alloc_array(g->nv, sizeof *w->free_bits);
    w->next = pm_alloc_array(g->nv, sizeof *w->next);
    w->loop = pm_alloc_array(g->nv, sizeof *w->loop);
    if (!w->edges_left || !w->bit || !w->free_bits || !w->next || !w->loop)
        return pm_fail_memory(err, "beam plan");
    for (int32_t v = 0; v < g->nv; ++v) {
        w->edges_left[v] = (int32_t)(g->ptr[v + 1] - g->ptr[v]);
        w->bit[v] = -1;
        w->loop[v] = NO_LOOP;
    }
    if (is_general)
        find_loops(a, w);
    return PM_OK;
}

static void progress_free(progress *w)
{
    free(w->edges_left);
    free(w->bit);
    free(w->free_bits);
    free(w->next);
    free(w->loop);
}

/* Gives v a bit unless it is in the frontier; returns the bit. */
static int32_t enter(progress *w, int32_t v)
{
    if (w->bit[v] < 0) {
        w->bit[v] = w->nfree_bits ? w->free_bits[--w->nfree_bits] : w->nbits++;
        ++w->singles;
        w->rows += pm_block_graph_is_row(w->g, v);
    }
    return w->bit[v];
}

/* Subtracts one from the edges of v that are left.  If it was the last, v leaves the frontier and
 * the result is true. */
static bool leave(progress *w, int32_t v)
{
    if (--w->edges_left[v])
        return false;
    bool row = pm_block_graph_is_row(w->g, v);
    w->free_bits[w->nfree_bits++] = w->bit[v];
    --w->singles;
    w->rows -= row;
    w->rows_ahead += row ? 1 : -1;
    return true;
}

/* Lists in w->next the edges of v that are not processed, as positions in its adjacency list: first
 * those that are the last of their other vertex, then those to vertices in the frontier, then those
 * to new vertices; this keeps the number of states small.  Returns their number. */
static int32_t list_edges(progress *w, int32_t v)
{
    const pm_block_graph *g = w->g;
    int32_t n = 0;
    for (int kind = 0; kind < 3; ++kind)
        for (int64_t j = g->ptr[v]; j < g->ptr[v + 1]; ++j) {
            int32_t u = g->adj[j];
            int edge_kind = w->edges_left[u] == 1 ? 0 : w->bit[u] >= 0 ? 1 : 2;
            if (w->order->pos[u] > w->order->pos[v] && edge_kind == kind)
                w->next[n++] = (int32_t)(j - g->ptr[v]);
        }
    return n;
}

static void bound_states(const progress *w, pm_beam_edge *e, pm_beam_plan *p)
{
    const bool has_parity = w->g->is_partial && !w->has_loops && w->singles > 0;
    e->states = pm_state_bound(w->g, w->singles, w->rows_ahead + w->rows) / (has_parity ? 2 : 1);
    p->most = fmax(p->most, e->states);
    if (!e->ends)
        return;
    p->most_ended = fmax(p->most_ended, e->states);
    p->total += e->states;
    ++p->nvertices;
}

/* Appends an edge, or the loop of v = u.  entry: its index in the matrix. */
static void append(progress *w, int32_t v, int32_t u, int64_t entry, bool ends, pm_beam_plan *p)
{
    pm_beam_edge *e = &p->edges[p->nedges];
    const double *value = w->entries->value[entry];
    w->entry_of_edge[p->nedges++] = entry;
    *e = (pm_beam_edge){.v = v,
                        .u = u,
                        .ends = ends,
                        .is_unit = value[0] == 1 && value[1] == 0,
                        .value = {value[0], value[1]}};
    e->v_enters = w->bit[v] < 0;
    e->u_enters = w->bit[u] < 0;
    e->v_bit = enter(w, v);
    e->u_bit = enter(w, u);
    e->v_leaves = leave(w, v);
    e->u_leaves = u == v ? e->v_leaves : leave(w, u);
    bound_states(w, e, p);
}

/* Appends the loop of v if it is all that is left of its edges. */
static void append_loop(progress *w, int32_t v, bool ends, pm_beam_plan *p)
{
    if (w->loop[v] != NO_LOOP && w->edges_left[v] == 1)
        append(w, v, v, w->loop[v], ends, p);
}

/* Appends the edges of v to the plan, each with the loops that follow it.  entry: as of index_entries. */
static void process(progress *w, int32_t v, const int64_t *entry, pm_beam_plan *p)
{
    const pm_block_graph *g = w->g;
    int32_t n = list_edges(w, v);
    for (int32_t i = 0; i < n; ++i) {
        const int64_t j = g->ptr[v] + w->next[i];
        const int32_t u = g->adj[j];
        append(w, v, u, entry[j], i == n - 1 && w->loop[v] == NO_LOOP, p);
        append_loop(w, u, false, p);
    }
    append_loop(w, v, true, p);
}

/* (*out)[j] = index in a of the entry at position j of the adjacency lists; the caller frees it. */
static pm_status index_entries(const pm_matrix *a, bool is_general, const pm_block_graph *g,
                               int64_t **out, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(a), *entry = pm_alloc_array(2 * nnz, sizeof *entry), count = 0;
    int64_t *at = pm_alloc_array(a->ncols, sizeof *at);
    if (!entry || !at) {
        free(entry);
        free(at);
        return pm_fail_memory(err, "beam plan");
    }
    for (int64_t j = 0; j < a->ncols && !is_general; ++j)
        at[j] = g->ptr[a->nrows + j];
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (!is_general || a->colind[k] != i) { /* loops are in no list */
                entry[count++] = k;
                if (!is_general)
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

pm_status pm_beam_plan_make(const pm_matrix *a, bool is_general, uint64_t seed, const pm_run *run,
                            pm_beam_plan *out, pm_error *err)
{
    pm_status status;
    pm_block_graph g = {0};
    pm_vertex_order o = {0};
    pm_scaled_entries s = {0};
    int64_t *entry = NULL, *entry_of_edge = pm_alloc_array(pm_matrix_nnz(a), sizeof *entry_of_edge);
    progress w = {.entries = &s, .entry_of_edge = entry_of_edge};
    pm_beam_plan p = {.edges = pm_alloc_array(pm_matrix_nnz(a), sizeof *p.edges)};
    if (!p.edges || !entry_of_edge) {
        status = pm_fail_memory(err, "beam plan");
        goto done;
    }
    if ((status = is_general ? pm_scaled_entries_make_symmetric(a, run, &s, err)
                             : pm_scaled_entries_make(a, run, &s, err))
        || (status = pm_beam_order_find(a, is_general, seed, run, &g, &o, err))
        || (status = index_entries(a, is_general, &g, &entry, err))
        || (status = progress_init(&w, a, is_general, &g, &o, err)))
        goto done;
    for (int32_t v = 0; v < g.nv; ++v)
        p.has_empty_line = p.has_empty_line || w.edges_left[v] == 0;
    for (int32_t v = 0; v < g.nv; ++v)
        append_loop(&w, v, true, &p); /* of vertices without an edge, which are in no order */
    for (int32_t t = 0; t < o.len; ++t)
        process(&w, o.seq[t], entry, &p);
    p.bits = w.nbits;
    p.words = words_for(w.nbits);
    p.exp = s.exp;
    if ((status = pm_beam_score_plan(a, s.value, entry_of_edge, run, &p, err)))
        goto done;
    *out = p;
    p = (pm_beam_plan){0};
done:
    free(entry);
    free(entry_of_edge);
    progress_free(&w);
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
