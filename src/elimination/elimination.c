/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/elimination.h"

#include <stdlib.h>
#include <string.h>

#include "elimination/adjacency.h"
#include "elimination/dissection.h"
#include "elimination/merging.h"
#include "elimination/supernodes.h"
#include "pm/alloc.h"

void pm_elimination_free(pm_elimination *e)
{
    free(e->front);
    free(e->place);
    free(e->entry);
    *e = (pm_elimination){0};
}

double pm_elimination_bytes(const pm_elimination *e)
{
    int64_t places = 0;
    for (int32_t f = 0; f < e->nfronts; ++f)
        places += e->front[f].boundary;
    return (double)e->nfronts * (double)sizeof *e->front + (double)places * (double)sizeof *e->place
           + (double)e->front[e->nfronts].entry * (double)sizeof *e->entry;
}

/* ---- fronts from supernodes ---- */

typedef struct {
    const pm_paired_matrix *p;
    const pm_supernodes *s;
    int32_t *own, *into;
    int32_t *front;  /* number of the front of each supernode */
    int32_t *top;    /* its last supernode */
    int32_t *first;  /* nfronts + 1: its first pair */
    int32_t *time;   /* of each time of the supernodes: the time in the fronts */
    int32_t *pair;   /* the pair eliminated at each time in the fronts */
    int32_t *at;     /* of each pair: that time */
    int32_t *holder; /* of each time in the fronts: the front that owns it */
    int32_t *local;  /* scratch: where a time stands in the front at hand */
    int32_t *sorted; /* boundaries: times in the fronts, those of front f from start[f] on */
    int64_t *start;
    pm_elimination *e;
} maker;

static void maker_free(maker *m)
{
    free(m->own);
    free(m->into);
    free(m->front);
    free(m->top);
    free(m->first);
    free(m->time);
    free(m->pair);
    free(m->at);
    free(m->holder);
    free(m->local);
    free(m->sorted);
    free(m->start);
}

static pm_status maker_alloc(maker *m, pm_error *err)
{
    int64_t n = m->s->n, count = m->s->count;
    m->own = pm_alloc_array(count, sizeof *m->own);
    m->into = pm_alloc_array(count, sizeof *m->into);
    m->front = pm_alloc_array(count, sizeof *m->front);
    m->top = pm_alloc_array(count, sizeof *m->top);
    m->first = pm_calloc_array(count + 1, sizeof *m->first);
    m->time = pm_alloc_array(n, sizeof *m->time);
    m->pair = pm_alloc_array(n, sizeof *m->pair);
    m->at = pm_alloc_array(n, sizeof *m->at);
    m->holder = pm_alloc_array(n, sizeof *m->holder);
    m->local = pm_alloc_array(n, sizeof *m->local);
    m->sorted = pm_alloc_array(m->s->start[count], sizeof *m->sorted);
    m->start = pm_alloc_array(count + 1, sizeof *m->start);
    if (!m->own || !m->into || !m->front || !m->top || !m->first || !m->time || !m->pair || !m->at
        || !m->holder || !m->local || !m->sorted || !m->start)
        return pm_fail_memory(err, "the fronts of an elimination");
    return PM_OK;
}

/* Fronts in the sequence of their last supernodes, which keeps a postorder; pairs front by front. */
static void number_fronts(maker *m)
{
    const pm_supernodes *s = m->s;
    pm_elimination *e = m->e;
    for (int32_t c = 0; c < s->count; ++c)
        if (m->into[c] == c) {
            m->top[e->nfronts] = c;
            m->first[e->nfronts + 1] = m->first[e->nfronts] + m->own[c];
            m->front[c] = e->nfronts++;
        }
    for (int32_t f = 0; f < e->nfronts; ++f)
        m->start[f] = m->first[f]; /* for now: its next free time */
    for (int32_t c = 0; c < s->count; ++c) {
        int32_t f = m->front[c] = m->front[m->into[c]];
        for (int32_t t = s->first[c]; t < s->first[c + 1]; ++t) {
            int32_t now = (int32_t)m->start[f]++;
            m->time[t] = now;
            m->pair[now] = s->sequence[t];
            m->at[s->sequence[t]] = now;
            m->holder[now] = f;
        }
    }
}

static int ascending(const void *x, const void *y)
{
    int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

/* Sizes, parents, and the boundaries in ascending times. */
static void set_boundaries(maker *m)
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
                                 .parent = length ? m->holder[list[0]] : -1,
                                 .place = m->start[f]};
    }
    for (int32_t f = 0; f < e->nfronts; ++f)
        if (e->front[f].parent >= 0)
            ++e->front[e->front[f].parent].children;
}

/* ---- entries ---- */

static int32_t owner(const maker *m, int32_t row, int64_t k)
{
    int32_t i = m->at[row], j = m->at[m->p->colind[k]];
    return m->holder[i < j ? i : j];
}

/* Sorted by front; rows and columns are times as yet. */
static void sort_entries(maker *m)
{
    const pm_paired_matrix *p = m->p;
    pm_front *front = m->e->front;
    for (int32_t i = 0; i < p->n; ++i)
        for (int64_t k = p->rowptr[i]; k < p->rowptr[i + 1]; ++k)
            ++front[owner(m, i, k) + 1].entry;
    for (int32_t f = 0; f < m->e->nfronts; ++f)
        front[f + 1].entry += front[f].entry;
    for (int32_t i = p->n - 1; i >= 0; --i)
        for (int64_t k = p->rowptr[i + 1] - 1; k >= p->rowptr[i]; --k)
            m->e->entry[--front[owner(m, i, k) + 1].entry] =
                (pm_front_entry){m->at[i], m->at[p->colind[k]], p->source[k], p->sign[k]};
    for (int32_t f = 0; f < m->e->nfronts; ++f)
        front[f].entry = front[f + 1].entry;
    front[m->e->nfronts].entry = p->rowptr[p->n];
}

/* Where all that goes into front f stands there; child: its last child, which are the fronts before
 * it that have it as parent. */
static void place_in(maker *m, int32_t f, const int32_t *child, const int32_t *sibling)
{
    pm_elimination *e = m->e;
    const pm_front *front = &e->front[f];
    for (int32_t x = 0; x < front->pairs; ++x)
        m->local[m->first[f] + x] = x;
    for (int32_t y = 0; y < front->boundary; ++y)
        m->local[m->sorted[front->place + y]] = front->pairs + y;
    for (int32_t c = child[f]; c >= 0; c = sibling[c])
        for (int64_t y = e->front[c].place; y < e->front[c].place + e->front[c].boundary; ++y)
            e->place[y] = m->local[m->sorted[y]];
    for (int64_t k = front[0].entry; k < front[1].entry; ++k) {
        e->entry[k].row = m->local[e->entry[k].row];
        e->entry[k].col = m->local[e->entry[k].col];
    }
}

static void place_all(maker *m)
{
    pm_elimination *e = m->e;
    int32_t *child = m->own, *sibling = m->into; /* not needed any more */
    for (int32_t f = 0; f < e->nfronts; ++f)
        child[f] = -1;
    for (int32_t f = 0; f < e->nfronts; ++f) {
        place_in(m, f, child, sibling);
        if (e->front[f].parent >= 0) {
            sibling[f] = child[e->front[f].parent];
            child[e->front[f].parent] = f;
        }
    }
}

/* ---- what it takes ---- */

/* Contributions wait on the stack below the front that adds them up. */
static void measure(pm_elimination *e, int64_t *waiting)
{
    int64_t depth = 0, cells = 0;
    for (int32_t f = 0; f < e->nfronts; ++f) {
        const pm_front *front = &e->front[f];
        int64_t all = (int64_t)front->pairs + front->boundary;
        e->multiplications += pm_front_multiplications(front->pairs, (double)all);
        e->work += pm_front_cost(front->pairs, (double)all);
        e->peak = cells + all * all > e->peak ? cells + all * all : e->peak;
        for (int32_t c = 0; c < front->children; ++c)
            cells -= waiting[--depth];
        if (front->parent >= 0) {
            waiting[depth++] = (int64_t)front->boundary * front->boundary;
            cells += waiting[depth - 1];
        }
    }
}

static void hash_order(maker *m)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (int32_t t = 0; t < m->s->n; ++t)
        for (int bit = 0; bit < 32; bit += 8)
            h = (h ^ ((uint32_t)m->pair[t] >> bit & 255)) * UINT64_C(0x100000001b3);
    m->e->order_hash = h;
}

static pm_status make_fronts(const pm_paired_matrix *p, const pm_supernodes *s, pm_elimination *out,
                             pm_error *err)
{
    pm_elimination e = {.n = p->n};
    maker m = {.p = p, .s = s, .e = &e};
    pm_status rc = maker_alloc(&m, err);
    e.front = pm_calloc_array((int64_t)s->count + 1, sizeof *e.front);
    e.place = pm_alloc_array(s->start[s->count], sizeof *e.place);
    e.entry = pm_alloc_array(p->rowptr[p->n], sizeof *e.entry);
    if (!rc && (!e.front || !e.place || !e.entry))
        rc = pm_fail_memory(err, "the fronts of an elimination");
    if (!rc) {
        pm_merge_supernodes(s, m.own, m.into);
        number_fronts(&m);
        set_boundaries(&m);
        sort_entries(&m);
        place_all(&m);
        measure(&e, m.start); /* not needed any more */
        hash_order(&m);
    }
    maker_free(&m);
    if (rc)
        pm_elimination_free(&e);
    else
        *out = e;
    return rc;
}

/* ---- orders ---- */

pm_status pm_elimination_order(const pm_paired_matrix *p, uint64_t seed, int32_t *order,
                               pm_error *err)
{
    pm_adjacency g;
    pm_status rc = pm_adjacency_make(p, &g, err);
    if (rc)
        return rc;
    rc = pm_dissection_order(&g, seed, order, err);
    pm_adjacency_free(&g);
    return rc;
}

pm_status pm_elimination_make(const pm_paired_matrix *p, const int32_t *order, pm_elimination *out,
                              pm_error *err)
{
    pm_adjacency g;
    pm_supernodes s = {0};
    pm_status rc = pm_adjacency_make(p, &g, err);
    if (rc)
        return rc;
    rc = pm_supernodes_find(&g, order, &s, err);
    if (!rc)
        rc = make_fronts(p, &s, out, err);
    pm_supernodes_free(&s);
    pm_adjacency_free(&g);
    return rc;
}

pm_status pm_elimination_make_dense(const pm_paired_matrix *p, pm_elimination *out, pm_error *err)
{
    int32_t n = p->n;
    pm_status rc = PM_OK;
    pm_supernodes s = {.n = n, .count = n > 0};
    s.sequence = pm_alloc_array(n, sizeof *s.sequence);
    s.first = pm_calloc_array(2, sizeof *s.first);
    s.parent = pm_alloc_array(1, sizeof *s.parent);
    s.start = pm_calloc_array(2, sizeof *s.start);
    s.later = pm_alloc_array(0, sizeof *s.later);
    if (!s.sequence || !s.first || !s.parent || !s.start || !s.later) {
        rc = pm_fail_memory(err, "a dense elimination");
    } else {
        for (int32_t t = 0; t < n; ++t)
            s.sequence[t] = t;
        s.first[s.count] = n;
        s.parent[0] = -1;
        rc = make_fronts(p, &s, out, err);
    }
    pm_supernodes_free(&s);
    return rc;
}
