/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layers/find_layers.h"

#include <stdlib.h>
#include <string.h>

#include "core/keyed_hash.h"
#include "pm/alloc.h"

enum {
    VALUES_MAX = 64,
    PERIOD_MAX = 64, /* layers */
    ENDS_MAX = 1024, /* layers that are not repeated */
    REPEATS_MIN = 8
};

/* An edge from a layer to the next one, by positions; value: its class, -1: 1. */
typedef struct {
    int32_t from, to, value;
} layer_link;

typedef struct {
    const pm_matrix *a;
    int64_t n;      /* vertices: the rows, then the columns */
    int64_t *start; /* neighbours of vertex v: at[start[v] .. start[v + 1] - 1] */
    struct {
        int32_t vertex, value;
    } * at;
    pm_dyadic value[VALUES_MAX]; /* borrowed */
    int nvalues;
    int32_t *sequence; /* the vertices by layers */
    int64_t *first;    /* of layer t in sequence; nlayers + 1 entries */
    int64_t nlayers;
    int32_t *position; /* of a vertex in its layer; -1: not reached yet */
    layer_link *links; /* from layer t: links[link_start[t] .. link_start[t + 1] - 1] */
    int64_t *link_start;
    uint64_t *hash; /* of the links of each layer and the sizes of both layers */
} search;

static pm_status fail_memory(pm_error *err)
{
    return pm_fail_memory(err, "layers");
}

static pm_status refuse(pm_error *err)
{
    return pm_fail(err, PM_UNABLE, "no layers of the graph are repeated");
}

static void search_free(search *x)
{
    free(x->start);
    free(x->at);
    free(x->sequence);
    free(x->first);
    free(x->position);
    free(x->links);
    free(x->link_start);
    free(x->hash);
}

/* ---- neighbours ---- */

/* The class of a value, -1: 1; VALUES_MAX: there are too many. */
static int class_of(search *x, const pm_dyadic *v)
{
    int k = 0;
    if (pm_dyadic_is_one(v))
        return -1;
    while (k < x->nvalues && !pm_dyadic_equal(&x->value[k], v))
        ++k;
    if (k == x->nvalues && k < VALUES_MAX)
        x->value[x->nvalues++] = *v;
    return k;
}

static pm_status list_neighbours(search *x, pm_error *err)
{
    const pm_matrix *a = x->a;
    const int64_t nnz = pm_matrix_nnz(a);
    x->n = a->nrows + a->ncols;
    x->start = pm_calloc_array(x->n + 2, sizeof *x->start);
    x->at = pm_alloc_array(2 * nnz, sizeof *x->at);
    if (!x->start || !x->at)
        return fail_memory(err);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            ++x->start[i + 2];
            ++x->start[a->nrows + a->colind[k] + 2];
        }
    for (int64_t v = 0; v < x->n; ++v)
        x->start[v + 2] += x->start[v + 1];
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int value = a->re ? class_of(x, &a->re[k]) : -1;
            const int32_t col = (int32_t)(a->nrows + a->colind[k]);
            if (value == VALUES_MAX || (value >= 0 && !pm_dyadic_is_integer(&a->re[k])))
                return refuse(err);
            x->at[x->start[i + 1]].vertex = col;
            x->at[x->start[i + 1]++].value = value;
            x->at[x->start[col + 1]].vertex = (int32_t)i;
            x->at[x->start[col + 1]++].value = value;
        }
    return PM_OK;
}

/* ---- layers ---- */

/* Sets sequence, first and nlayers.  Fails: PM_UNABLE a vertex is not reached, or layers are too large. */
static pm_status find_levels(search *x, int32_t from, pm_error *err)
{
    int64_t count = 1, next = 0;
    for (int64_t v = 0; v < x->n; ++v)
        x->position[v] = -1;
    x->sequence[0] = from;
    x->position[from] = 0;
    for (x->nlayers = 0; next < count; ++x->nlayers) {
        const int64_t end = count;
        x->first[x->nlayers] = next;
        if (end - next > PM_LAYER_BITS / 2)
            return refuse(err);
        for (; next < end; ++next) {
            const int32_t v = x->sequence[next];
            for (int64_t k = x->start[v]; k < x->start[v + 1]; ++k)
                if (x->position[x->at[k].vertex] < 0) {
                    x->position[x->at[k].vertex] = 0;
                    x->sequence[count++] = x->at[k].vertex;
                }
        }
    }
    x->first[x->nlayers] = count;
    return count == x->n ? PM_OK : refuse(err);
}

/* A vertex of the next layer: the positions of its neighbours in this one, and their values. */
typedef struct {
    uint64_t mask, values;
    int32_t vertex;
} newcomer;

static int by_neighbours(const void *p, const void *q)
{
    const newcomer *a = p, *b = q;
    if (a->mask != b->mask)
        return a->mask < b->mask ? -1 : 1;
    if (a->values != b->values)
        return a->values < b->values ? -1 : 1;
    return a->vertex < b->vertex ? -1 : 1;
}

static int by_ends(const void *p, const void *q)
{
    const layer_link *a = p, *b = q;
    return a->from != b->from ? a->from - b->from : a->to - b->to;
}

/* Numbers the vertices of layer t + 1, whose places in sequence follow those of layer t. */
static void number_layer(search *x, int64_t t)
{
    newcomer list[PM_LAYER_BITS];
    const int64_t size = x->first[t + 2] - x->first[t + 1];
    for (int64_t i = 0; i < size; ++i) {
        newcomer *c = &list[i];
        *c = (newcomer){0, 0, x->sequence[x->first[t + 1] + i]};
        for (int64_t k = x->start[c->vertex]; k < x->start[c->vertex + 1]; ++k) {
            const int32_t other = x->at[k].vertex;
            if (x->position[other] < 0) /* it is in a later layer */
                continue;
            c->mask |= UINT64_C(1) << x->position[other];
            c->values += (uint64_t)(x->at[k].value + 2) * (2 * (uint64_t)x->position[other] + 1);
        }
    }
    qsort(list, (size_t)size, sizeof *list, by_neighbours);
    for (int64_t i = 0; i < size; ++i)
        x->sequence[x->first[t + 1] + i] = list[i].vertex;
}

/* The links from layer t, all of whose vertices have positions, as those of layer t + 1 get. */
static void link_layer(search *x, int64_t t, int64_t *count)
{
    const int64_t begin = *count;
    for (int64_t i = x->first[t + 1]; i < x->first[t + 2]; ++i) {
        const int32_t v = x->sequence[i];
        for (int64_t k = x->start[v]; k < x->start[v + 1]; ++k)
            if (x->position[x->at[k].vertex] >= 0)
                x->links[(*count)++] = (layer_link){x->position[x->at[k].vertex],
                                                    (int32_t)(i - x->first[t + 1]), x->at[k].value};
    }
    qsort(x->links + begin, (size_t)(*count - begin), sizeof *x->links, by_ends);
}

/* A graph with two sides has no edges within a layer. */
static void link_layers(search *x)
{
    int64_t count = 0;
    for (int64_t v = 0; v < x->n; ++v)
        x->position[v] = -1;
    x->position[x->sequence[0]] = 0;
    for (int64_t t = 0; t < x->nlayers; ++t) {
        x->link_start[t] = count;
        if (t + 1 < x->nlayers) {
            number_layer(x, t);
            link_layer(x, t, &count);
        }
        for (int64_t i = x->first[t]; i < x->first[t + 1]; ++i)
            x->position[x->sequence[i]] = -2; /* done */
        for (int64_t i = x->first[t + 1]; t + 1 < x->nlayers && i < x->first[t + 2]; ++i)
            x->position[x->sequence[i]] = (int32_t)(i - x->first[t + 1]);
        const int64_t sizes = (x->first[t + 1] - x->first[t]) * (PM_LAYER_BITS + 1)
                              + (t + 1 < x->nlayers ? x->first[t + 2] - x->first[t + 1] : 0);
        x->hash[t] = pm_keyed_hash((uint64_t)sizes, x->links + x->link_start[t],
                                   (size_t)(count - x->link_start[t]) * sizeof *x->links);
    }
    x->link_start[x->nlayers] = count;
}

/* ---- the period ---- */

static int64_t size_of(const search *x, int64_t t)
{
    return t < x->nlayers ? x->first[t + 1] - x->first[t] : 0;
}

/* Layers s and t have the same size, the same links, and as many vertices after them. */
static bool are_equal(const search *x, int64_t s, int64_t t)
{
    const int64_t links = x->link_start[s + 1] - x->link_start[s];
    return x->hash[s] == x->hash[t] && size_of(x, s) == size_of(x, t)
           && size_of(x, s + 1) == size_of(x, t + 1)
           && links == x->link_start[t + 1] - x->link_start[t]
           && memcmp(x->links + x->link_start[s], x->links + x->link_start[t],
                     (size_t)links * sizeof *x->links)
                  == 0;
}

typedef struct {
    int64_t begin, count, period; /* layers begin .. begin + count - 1 have this period */
} stretch;

static stretch longest_stretch(const search *x, int64_t period)
{
    stretch best = {0, 0, period};
    int64_t run = 0;
    for (int64_t t = 0; t + period < x->nlayers; ++t) {
        run = are_equal(x, t, t + period) ? run + 1 : 0;
        if (run > 0 && run + period > best.count)
            best = (stretch){t - run + 1, run + period, period};
    }
    return best;
}

/* The shortest period of a stretch that leaves few layers over. */
static bool find_period(const search *x, stretch *out)
{
    for (int64_t period = 1; period <= PERIOD_MAX; ++period) {
        *out = longest_stretch(x, period);
        if (out->count >= REPEATS_MIN * period && x->nlayers - out->count <= ENDS_MAX)
            return true;
    }
    return false;
}

/* ---- the graph in layers ---- */

static pm_status copy_layer(const search *x, int64_t t, pm_layer *l, pm_error *err)
{
    const int64_t begin = x->link_start[t], end = x->link_start[t + 1];
    l->size = (int)size_of(x, t);
    l->next = (int)size_of(x, t + 1);
    l->edge = pm_alloc_array(end - begin, sizeof *l->edge);
    if (!l->edge)
        return fail_memory(err);
    for (int64_t k = begin; k < end; ++k)
        l->edge[l->nedges++] =
            (pm_layer_edge){x->links[k].from, x->links[k].to + l->size, x->links[k].value};
    return PM_OK;
}

static pm_status copy_layers(const search *x, const stretch *s, pm_layered *out, pm_error *err)
{
    pm_layered g = {
        .head = (int)s->begin, .cycle = (int)s->period, .repeats = s->count / s->period};
    const int64_t after = s->begin + g.repeats * s->period;
    g.tail = (int)(x->nlayers - after);
    g.layer = pm_calloc_array(g.head + g.cycle + g.tail, sizeof *g.layer);
    g.value = pm_calloc_array(VALUES_MAX, sizeof *g.value);
    pm_status status = g.layer && g.value ? PM_OK : fail_memory(err);
    for (int k = 0; k < x->nvalues && !status; ++k)
        pm_dyadic_set(&g.value[g.nvalues++], &x->value[k]);
    for (int k = 0; k < g.head + g.cycle + g.tail && !status; ++k)
        status = copy_layer(x, k < g.head + g.cycle ? k : after + k - g.head - g.cycle, &g.layer[k],
                            err);
    if (status)
        pm_layered_free(&g);
    else
        *out = g;
    return status;
}

/* ---- the whole ---- */

static pm_status allocate(search *x, pm_error *err)
{
    x->sequence = pm_alloc_array(x->n, sizeof *x->sequence);
    x->first = pm_alloc_array(x->n + 2, sizeof *x->first);
    x->position = pm_alloc_array(x->n, sizeof *x->position);
    x->links = pm_alloc_array(pm_matrix_nnz(x->a), sizeof *x->links);
    x->link_start = pm_alloc_array(x->n + 1, sizeof *x->link_start);
    x->hash = pm_alloc_array(x->n, sizeof *x->hash);
    return x->sequence && x->first && x->position && x->links && x->link_start && x->hash
               ? PM_OK
               : fail_memory(err);
}

/* *out: a vertex as far as possible from vertex 0.  Layers by the distance from it are small. */
static pm_status find_far_vertex(search *x, int32_t *out, pm_error *err)
{
    int64_t count = 1;
    int32_t *queue = x->sequence;
    for (int64_t v = 0; v < x->n; ++v)
        x->position[v] = -1;
    queue[0] = 0;
    x->position[0] = 0;
    for (int64_t next = 0; next < count; ++next)
        for (int64_t k = x->start[queue[next]]; k < x->start[queue[next] + 1]; ++k)
            if (x->position[x->at[k].vertex] < 0) {
                x->position[x->at[k].vertex] = 0;
                queue[count++] = x->at[k].vertex;
            }
    *out = queue[count - 1];
    return count == x->n ? PM_OK : refuse(err);
}

pm_status pm_layered_find(const pm_matrix *a, const pm_run *run, pm_layered *out, pm_error *err)
{
    search x = {.a = a};
    stretch s;
    int32_t from = 0;
    if (a->nrows == 0 || a->ncols == 0 || a->field > PM_REAL)
        return refuse(err);
    pm_status status = list_neighbours(&x, err);
    if (!status)
        status = allocate(&x, err);
    if (!status)
        status = find_far_vertex(&x, &from, err);
    if (!status)
        status = find_levels(&x, from, err);
    if (!status && pm_run_stopped(run))
        status = PM_ESTOPPED;
    if (!status && x.nlayers < REPEATS_MIN)
        status = refuse(err);
    if (!status) {
        link_layers(&x);
        status = find_period(&x, &s) ? copy_layers(&x, &s, out, err) : refuse(err);
    }
    search_free(&x);
    return status;
}
