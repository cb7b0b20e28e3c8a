/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/elimination.h"

#include <stdlib.h>
#include <string.h>

#include "elimination/delays.h"
#include "elimination/dissection.h"
#include "elimination/permutation.h"
#include "elimination/rooted_graph.h"
#include "elimination/supernodes.h"
#include "pm/alloc.h"

void pm_elimination_free(pm_elimination *e)
{
    free(e->front);
    free(e->position);
    free(e->entry);
    *e = (pm_elimination){0};
}

double pm_elimination_bytes(const pm_elimination *e)
{
    int64_t places = 0;
    for (int32_t f = 0; f < e->nfronts; ++f)
        places += e->front[f].boundary;
    return (double)e->nfronts * (double)sizeof *e->front
           + (double)places * (double)sizeof *e->position
           + (double)e->front[e->nfronts].entry * (double)sizeof *e->entry;
}

/* ---- supernodes that share a front ---- */

/* Multiplications of a front with `own` pairs of its own and `all` in all. */
static double front_multiplications(double own, double all)
{
    double rest = all - own;
    return (all * (all * all - 1) - rest * (rest * rest - 1)) / 3;
}

/* Of a skew-symmetric front half of the cells are computed, and there is a pivot for two pairs; but all cells are
 * cleared. */
static double share(bool is_skew)
{
    return is_skew ? 0.5 : 1;
}

/* Predicted time of a front in units of a multiplication: its multiplications, the work for each
 * cell, for each pivot and for the front as a whole. */
static double front_cost(double own, double all, bool is_skew)
{
    double rest = all - own;
    double each = front_multiplications(own, all) + 4 * rest * rest + 200 * own;
    return share(is_skew) * each + 8 * all * all + 300;
}

/* A supernode joins the front of its parent where this costs less than two fronts.
 * kept: the last supernode is a front by itself.
 * merged_into[c]: the last supernode of the front of supernode c.
 * own[c]: the pairs of that front, where merged_into[c] is c.
 * Both have s->count entries. */
static void merge_supernodes(const pm_supernodes *s, bool is_skew, bool kept, int32_t *own,
                             int32_t *merged_into)
{
    for (int32_t c = 0; c < s->count; ++c) {
        own[c] = s->first[c + 1] - s->first[c];
        merged_into[c] = c;
    }
    for (int32_t c = 0; c < s->count; ++c) {
        int32_t up = s->parent[c];
        if (up < 0 || (kept && up == s->count - 1))
            continue;
        double mine = own[c], rest = (double)(s->start[c + 1] - s->start[c]);
        double above = own[up], last = (double)(s->start[up + 1] - s->start[up]);
        if (front_cost(mine + above, mine + above + last, is_skew)
            <= front_cost(mine, mine + rest, is_skew) + front_cost(above, above + last, is_skew)) {
            merged_into[c] = up;
            own[up] += own[c];
        }
    }
    for (int32_t c = s->count - 1; c >= 0; --c)
        merged_into[c] = merged_into[merged_into[c]];
}

/* ---- fronts from supernodes ---- */

typedef struct {
    const pm_paired_matrix *p;
    const pm_adjacency *g; /* of p; NULL: no delayed pairs are foretold */
    const pm_supernodes *s;
    int32_t *own, *merged_into; /* see merge_supernodes */
    int32_t *front;             /* of each supernode: its front */
    int32_t *top;               /* of each front: its last supernode */
    int32_t *first;             /* of each front: its first time; nfronts + 1 entries */
    int32_t *time;              /* of each time in s->sequence: the new time, front by front */
    int32_t *pair;              /* of each new time: the pair eliminated then */
    int32_t *time_of_pair;      /* of each pair: its new time */
    int32_t *owner_of_time;     /* of each new time: the front that owns the pair */
    int32_t *local;             /* scratch: of each new time: its index in the current front */
    int32_t *sorted;            /* new times of the boundaries, of front f from start[f] on */
    int64_t *start;
    pm_elimination *e;
} builder;

static void builder_free(builder *m)
{
    free(m->own);
    free(m->merged_into);
    free(m->front);
    free(m->top);
    free(m->first);
    free(m->time);
    free(m->pair);
    free(m->time_of_pair);
    free(m->owner_of_time);
    free(m->local);
    free(m->sorted);
    free(m->start);
}

static pm_status builder_alloc(builder *m, pm_error *err)
{
    int64_t n = m->s->n, count = m->s->count;
    m->own = pm_alloc_array(count, sizeof *m->own);
    m->merged_into = pm_alloc_array(count, sizeof *m->merged_into);
    m->front = pm_alloc_array(count, sizeof *m->front);
    m->top = pm_alloc_array(count, sizeof *m->top);
    m->first = pm_calloc_array(count + 1, sizeof *m->first);
    m->time = pm_alloc_array(n, sizeof *m->time);
    m->pair = pm_alloc_array(n, sizeof *m->pair);
    m->time_of_pair = pm_alloc_array(n, sizeof *m->time_of_pair);
    m->owner_of_time = pm_alloc_array(n, sizeof *m->owner_of_time);
    m->local = pm_alloc_array(n, sizeof *m->local);
    m->sorted = pm_alloc_array(m->s->start[count], sizeof *m->sorted);
    m->start = pm_alloc_array(count + 1, sizeof *m->start);
    if (!m->own || !m->merged_into || !m->front || !m->top || !m->first || !m->time || !m->pair
        || !m->time_of_pair || !m->owner_of_time || !m->local || !m->sorted || !m->start)
        return pm_fail_memory(err, "the fronts of an elimination");
    return PM_OK;
}

/* Number the fronts by their last supernodes, which is a postorder, and the pairs front by
 * front. */
static void number_fronts(builder *m)
{
    const pm_supernodes *s = m->s;
    pm_elimination *e = m->e;
    for (int32_t c = 0; c < s->count; ++c)
        if (m->merged_into[c] == c) {
            m->top[e->nfronts] = c;
            m->first[e->nfronts + 1] = m->first[e->nfronts] + m->own[c];
            m->front[c] = e->nfronts++;
        }
    for (int32_t f = 0; f < e->nfronts; ++f)
        m->start[f] = m->first[f]; /* until set_boundaries: the next free time of the front */
    for (int32_t c = 0; c < s->count; ++c) {
        int32_t f = m->front[c] = m->front[m->merged_into[c]];
        for (int32_t t = s->first[c]; t < s->first[c + 1]; ++t) {
            int32_t now = (int32_t)m->start[f]++;
            m->time[t] = now;
            m->pair[now] = s->sequence[t];
            m->time_of_pair[s->sequence[t]] = now;
            m->owner_of_time[now] = f;
        }
    }
}

static int ascending(const void *x, const void *y)
{
    int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

/* Set sizes and parents of the fronts, and their boundaries in ascending times. */
static void set_boundaries(builder *m)
{
    const pm_supernodes *s = m->s;
    pm_elimination *e = m->e;
    m->start[0] = 0;
    for (int32_t f = 0; f < e->nfronts; ++f) {
        int32_t c = m->top[f];
        int64_t length = s->start[c + 1] - s->start[c];
        int32_t *list = &m->sorted[m->start[f]];
        for (int64_t y = 0; y < length; ++y)
            list[y] = m->time[s->later[s->start[c] + y]];
        qsort(list, (size_t)length, sizeof *list, ascending);
        m->start[f + 1] = m->start[f] + length;
        e->front[f] = (pm_front){.pairs = m->first[f + 1] - m->first[f],
                                 .boundary = (int32_t)length,
                                 .parent = length ? m->owner_of_time[list[0]] : -1,
                                 .position = m->start[f]};
    }
    for (int32_t f = 0; f < e->nfronts; ++f)
        if (e->front[f].parent >= 0)
            ++e->front[e->front[f].parent].children;
}

/* ---- entries ---- */

static int32_t entry_owner(const builder *m, int32_t row, int64_t k)
{
    int32_t i = m->time_of_pair[row], j = m->time_of_pair[m->p->colind[k]];
    return m->owner_of_time[i < j ? i : j];
}

/* Of a skew-symmetric matrix the entry below the diagonal: the order of times is that of local
 * indices. */
static pm_front_entry entry_of(const builder *m, int32_t row, int64_t k)
{
    const pm_paired_matrix *p = m->p;
    pm_front_entry x = {m->time_of_pair[row], m->time_of_pair[p->colind[k]], p->source[k],
                        p->sign[k]};
    if (p->is_skew && x.row < x.col)
        x = (pm_front_entry){x.col, x.row, x.source, x.sign ^ PM_ALL_SIGNS};
    return x;
}

/* Sort the entries by front; their rows and columns are times until set_local_indices. */
static void sort_entries(builder *m)
{
    const pm_paired_matrix *p = m->p;
    pm_front *front = m->e->front;
    for (int32_t i = 0; i < p->n; ++i)
        for (int64_t k = p->rowptr[i]; k < p->rowptr[i + 1]; ++k)
            ++front[entry_owner(m, i, k) + 1].entry;
    for (int32_t f = 0; f < m->e->nfronts; ++f)
        front[f + 1].entry += front[f].entry;
    for (int32_t i = p->n - 1; i >= 0; --i)
        for (int64_t k = p->rowptr[i + 1] - 1; k >= p->rowptr[i]; --k)
            m->e->entry[--front[entry_owner(m, i, k) + 1].entry] = entry_of(m, i, k);
    for (int32_t f = 0; f < m->e->nfronts; ++f)
        front[f].entry = front[f + 1].entry;
    front[m->e->nfronts].entry = p->rowptr[p->n];
}

/* Set the indices, local to front f, of its children's boundaries and of its entries.
 * child: of each front, its last child; sibling: of each front, the next child of its parent. */
static void set_local_indices(builder *m, int32_t f, const int32_t *child, const int32_t *sibling)
{
    pm_elimination *e = m->e;
    const pm_front *front = &e->front[f];
    for (int32_t x = 0; x < front->pairs; ++x)
        m->local[m->first[f] + x] = x;
    for (int32_t y = 0; y < front->boundary; ++y)
        m->local[m->sorted[front->position + y]] = front->pairs + y;
    for (int32_t c = child[f]; c >= 0; c = sibling[c])
        for (int64_t y = e->front[c].position; y < e->front[c].position + e->front[c].boundary; ++y)
            e->position[y] = m->local[m->sorted[y]];
    for (int64_t k = front[0].entry; k < front[1].entry; ++k) {
        e->entry[k].row = m->local[e->entry[k].row];
        e->entry[k].col = m->local[e->entry[k].col];
    }
}

static void set_all_local_indices(builder *m)
{
    pm_elimination *e = m->e;
    int32_t *child = m->own, *sibling = m->merged_into; /* reused as scratch */
    for (int32_t f = 0; f < e->nfronts; ++f)
        child[f] = -1;
    for (int32_t f = 0; f < e->nfronts; ++f) {
        set_local_indices(m, f, child, sibling);
        if (e->front[f].parent >= 0) {
            sibling[f] = child[e->front[f].parent];
            child[e->front[f].parent] = f;
        }
    }
}

/* ---- cost ---- */

/* Predict work and memory.  waiting: scratch; the fronts whose parts are on the stack.
 * delayed: of each front, the pairs that are left for its parent. */
static void measure(pm_elimination *e, int32_t *waiting, const int32_t *delayed)
{
    int64_t depth = 0, cells = 0;
    for (int32_t f = 0; f < e->nfronts; ++f) {
        const pm_front *front = &e->front[f];
        int64_t own = front->pairs, freed = 0;
        for (int32_t c = 0; c < front->children; ++c) {
            const int32_t part = waiting[--depth];
            const int64_t size = (int64_t)e->front[part].boundary + delayed[part];
            freed += size * size;
            own += delayed[part];
        }
        const int64_t all = own + front->boundary;
        const int64_t done = front->parent >= 0 ? own - delayed[f] : own;
        e->multiplications += share(e->is_skew) * front_multiplications((double)done, (double)all);
        e->work += front_cost((double)done, (double)all, e->is_skew);
        e->peak = cells + all * all > e->peak ? cells + all * all : e->peak;
        cells -= freed;
        if (front->parent >= 0) {
            e->delayed += delayed[f];
            waiting[depth++] = f;
            cells += (all - done) * (all - done);
        }
    }
}

/* Without delays, unless the matrix is skew-symmetric. */
static pm_status predict(builder *m, pm_error *err)
{
    int32_t *waiting = m->own, *delayed = m->merged_into; /* reused as scratch */
    pm_elimination *e = m->e;
    pm_status status = PM_OK;
    for (int32_t f = 0; f < e->nfronts; ++f)
        delayed[f] = 0;
    if (e->is_skew && m->g)
        status = pm_delays_foretell(m->g, e, m->pair, m->time_of_pair, m->first, delayed, err);
    if (!status)
        measure(e, waiting, delayed);
    return status;
}

static void hash_order(builder *m)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (int32_t t = 0; t < m->s->n; ++t)
        for (int bit = 0; bit < 32; bit += 8)
            h = (h ^ ((uint32_t)m->pair[t] >> bit & 255)) * UINT64_C(0x100000001b3);
    m->e->order_hash = h;
}

/* g: as in builder.  kept: as in merge_supernodes. */
static pm_status make_fronts(const pm_paired_matrix *p, const pm_adjacency *g,
                             const pm_supernodes *s, bool kept, pm_elimination *out, pm_error *err)
{
    pm_elimination e = {.n = p->n, .is_skew = p->is_skew};
    builder m = {.p = p, .g = g, .s = s, .e = &e};
    pm_status status = builder_alloc(&m, err);
    e.front = pm_calloc_array((int64_t)s->count + 1, sizeof *e.front);
    e.position = pm_alloc_array(s->start[s->count], sizeof *e.position);
    e.entry = pm_alloc_array(p->rowptr[p->n], sizeof *e.entry);
    if (!status && (!e.front || !e.position || !e.entry))
        status = pm_fail_memory(err, "the fronts of an elimination");
    if (!status) {
        merge_supernodes(s, p->is_skew, kept, m.own, m.merged_into);
        number_fronts(&m);
        set_boundaries(&m);
        sort_entries(&m);
        set_all_local_indices(&m);
        status = predict(&m, err);
        hash_order(&m);
        e.is_odd =
            p->is_skew && pm_permutation_is_odd(m.pair, p->n, m.local); /* m.local as scratch */
    }
    builder_free(&m);
    if (status)
        pm_elimination_free(&e);
    else
        *out = e;
    return status;
}

/* ---- orders ---- */

pm_status pm_elimination_order(const pm_paired_matrix *p, uint64_t seed, int32_t *order,
                               pm_error *err)
{
    pm_adjacency g;
    pm_status status = pm_adjacency_make(p, &g, err);
    if (status)
        return status;
    status = pm_dissection_order(&g, seed, order, err);
    pm_adjacency_free(&g);
    return status;
}

pm_status pm_elimination_make(const pm_paired_matrix *p, const int32_t *order, pm_elimination *out,
                              pm_error *err)
{
    pm_adjacency g;
    pm_supernodes s = {0};
    pm_status status = pm_adjacency_make(p, &g, err);
    if (status)
        return status;
    status = pm_supernodes_find(&g, order, 0, &s, err);
    if (!status)
        status = make_fronts(p, &g, &s, false, out, err);
    pm_supernodes_free(&s);
    pm_adjacency_free(&g);
    return status;
}

pm_status pm_elimination_make_rooted(const pm_paired_matrix *p, const int32_t *order, int32_t kept,
                                     pm_elimination *out, pm_error *err)
{
    pm_adjacency g, joined = {0};
    pm_supernodes s = {0};
    pm_status status = pm_adjacency_make(p, &g, err);
    if (status)
        return status;
    status = pm_rooted_graph_make(&g, order, kept, &joined, err);
    pm_adjacency_free(&g);
    if (!status)
        status = pm_supernodes_find(&joined, order, kept, &s, err);
    if (!status)
        status = make_fronts(p, NULL, &s, true, out, err);
    pm_supernodes_free(&s);
    pm_adjacency_free(&joined);
    return status;
}

pm_status pm_elimination_make_dense(const pm_paired_matrix *p, pm_elimination *out, pm_error *err)
{
    int32_t n = p->n;
    pm_status status = PM_OK;
    pm_supernodes s = {.n = n, .count = n > 0};
    s.sequence = pm_alloc_array(n, sizeof *s.sequence);
    s.first = pm_calloc_array(2, sizeof *s.first);
    s.parent = pm_alloc_array(1, sizeof *s.parent);
    s.start = pm_calloc_array(2, sizeof *s.start);
    s.later = pm_alloc_array(0, sizeof *s.later);
    if (!s.sequence || !s.first || !s.parent || !s.start || !s.later) {
        status = pm_fail_memory(err, "a dense elimination");
    } else {
        for (int32_t t = 0; t < n; ++t)
            s.sequence[t] = t;
        s.first[s.count] = n;
        s.parent[0] = -1;
        status = make_fronts(p, NULL, &s, false, out, err);
    }
    pm_supernodes_free(&s);
    return status;
}
