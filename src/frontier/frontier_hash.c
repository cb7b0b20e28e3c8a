/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A state is a 128-bit key with a field of bits for each frontier vertex: how often it is matched.
 * A level is divided into partitions by the hash of the key.  A step first lists the transitions of
 * each slice of the old states, sorted by the partition of the new state.  Then every partition
 * adds its transitions in the sequence of the slices.  The numbers of slices and partitions do not
 * depend on the number of threads, so neither does the sequence of additions, nor the result. */
#include "config.h"

#include "frontier/frontier_hash.h"

#include <stdlib.h>
#include <string.h>

#include "core/size.h"
#include "core/team.h"
#include "frontier/state_table.h"
#include "pm/alloc.h"
#include "pm/settings.h"

enum {
    KEY_BITS = 128,
    PARTITIONS = 64,
    SLICES = 64,
    ONE_PARTITION_BELOW = 8192, /* old states: below, one slice and one partition */
    BATCH = 1 << 17             /* old states whose transitions are listed at a time */
};

typedef pm_state_key key;

/* ---- fields ---- */

typedef struct {
    int16_t at, width; /* lowest bit and number of bits; at < 0: no field */
} field;

static int width_of(int32_t cap)
{
    return 32 - __builtin_clz((unsigned)cap);
}

static key mask_of(field f)
{
    return (((key)1 << f.width) - 1) << f.at;
}

/* The position of the lowest `width` adjacent bits that are not used, or -1. */
static int place_field(key used, int width)
{
    key m = ((key)1 << width) - 1;
    for (int at = 0; at + width <= KEY_BITS; ++at)
        if (!(used & m << at))
            return at;
    return -1;
}

/* ---- levels ---- */

/* Which partition a state belongs to decides the sequence of additions, so this hash has no seed.  With
 * keys chosen for it all states are in one partition: then one thread adds them. */
static int partition_of(key k)
{
    uint64_t h = (uint64_t)k * UINT64_C(0x9e3779b97f4a7c15)
                 ^ (uint64_t)(k >> 64) * UINT64_C(0xc2b2ae3d27d4eb4f);
    h ^= h >> 32;
    h *= UINT64_C(0xd6e8feb86659fd93);
    return (int)((h ^ h >> 32) & (PARTITIONS - 1));
}

typedef struct {
    pm_state_table part[PARTITIONS];
    int64_t start[PARTITIONS + 1]; /* number of the first state of each, set by level_close */
} level;

static void level_close(level *l)
{
    l->start[0] = 0;
    for (int p = 0; p < PARTITIONS; ++p)
        l->start[p + 1] = l->start[p] + l->part[p].count;
}

static void level_free(level *l)
{
    for (int p = 0; p < PARTITIONS; ++p)
        pm_state_table_free(&l->part[p]);
}

static int64_t level_bytes(const level *l, int64_t value_bytes)
{
    int64_t bytes = 0;
    for (int p = 0; p < PARTITIONS; ++p)
        bytes += l->part[p].cap * ((int64_t)sizeof(key) + value_bytes + 8);
    return bytes;
}

/* ---- one step ---- */

typedef struct {
    key mask, unit; /* of the neighbour's field */
    key full;       /* the field of a full vertex */
    int64_t entry;
} choice;

typedef struct {
    bool inside;                /* v has a field */
    key self;                   /* mask of that field */
    key leave_mask, leave_full; /* fields that must be full after the step and are then removed */
    choice *choices;            /* the neighbours that v can be matched to */
    int nchoices;
} step;

typedef struct {
    key k;       /* the new state */
    int64_t src; /* number of the old state in its partition */
    int64_t entry;
    int32_t from, to; /* partitions of the old and the new state */
} transition;

/* The transitions of a slice of the old states. */
typedef struct {
    transition *list, *sorted; /* sorted: by the partition of the new state */
    int64_t count, cap, cap_sorted;
    int64_t start[PARTITIONS + 1];
    bool failed;
} slice;

static void add_transition(slice *s, const step *st, key k, int64_t src, int from, int64_t entry,
                           int partitions)
{
    if ((k & st->leave_mask) != st->leave_full)
        return;
    k &= ~st->leave_mask;
    if (PM_GROW(s->list, s->cap, s->count + 1)) {
        s->failed = true;
        return;
    }
    int to = partitions == 1 ? 0 : partition_of(k);
    s->list[s->count++] = (transition){k, src, entry, from, to};
}

static void list_state(slice *s, const step *st, key k, int64_t src, int from, int partitions)
{
    if (st->inside) {
        if (k & st->self) {
            add_transition(s, st, k & ~st->self, src, from, PM_UNIT, partitions);
            return;
        }
    }
    for (int c = 0; c < st->nchoices; ++c)
        if ((k & st->choices[c].mask) != st->choices[c].full)
            add_transition(s, st, k + st->choices[c].unit, src, from, st->choices[c].entry,
                           partitions);
}

/* List the transitions of old states first .. last-1. */
static void list_slice(slice *s, const step *st, const level *old, int64_t first, int64_t last,
                       int partitions)
{
    s->count = 0;
    int p = 0;
    for (int64_t i = first; i < last && !s->failed; ++i) {
        while (i >= old->start[p + 1])
            ++p;
        int64_t src = i - old->start[p];
        list_state(s, st, old->part[p].keys[src], src, p, partitions);
    }
    if (s->failed || PM_GROW(s->sorted, s->cap_sorted, s->count)) {
        s->failed = true;
        return;
    }
    int64_t at[PARTITIONS + 1] = {0};
    for (int64_t i = 0; i < s->count; ++i)
        ++at[s->list[i].to + 1];
    for (int q = 0; q < PARTITIONS; ++q)
        at[q + 1] += at[q];
    memcpy(s->start, at, sizeof s->start);
    for (int64_t i = 0; i < s->count; ++i)
        s->sorted[at[s->list[i].to]++] = s->list[i];
}

static bool add_transitions(pm_state_table *t, int p, const slice *slices, int nslices,
                            const level *old, const pm_ring *ring)
{
    for (int s = 0; s < nslices; ++s)
        for (int64_t i = slices[s].start[p]; i < slices[s].start[p + 1]; ++i) {
            const transition *f = &slices[s].sorted[i];
            int64_t at = pm_state_table_find(t, f->k, ring);
            if (at < 0)
                return false;
            ring->push(ring, t->values + at * ring->value_bytes, old->part[f->from].values, f->src,
                       f->entry);
        }
    return true;
}

static pm_status run_step(const step *st, const level *old, level *new, slice *slices,
                          const pm_ring *ring, const pm_run *run, int64_t memory, pm_error *err)
{
    int64_t total = old->start[PARTITIONS];
    bool small = total < ONE_PARTITION_BELOW, failed = false;
    int nslices = small ? 1 : SLICES, partitions = small ? 1 : PARTITIONS;
    int threads = small ? 1 : pm_team(run, pm_run_threads(run));
    for (int64_t first = 0; first < total; first += BATCH) {
        int64_t n = total - first < BATCH ? total - first : BATCH;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
        for (int s = 0; s < nslices; ++s)
            list_slice(&slices[s], st, old, first + n * s / nslices, first + n * (s + 1) / nslices,
                       partitions);
        for (int s = 0; s < nslices; ++s)
            failed = failed || slices[s].failed;
        if (!failed) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(|| : failed)
            for (int p = 0; p < partitions; ++p)
                failed = failed || !add_transitions(&new->part[p], p, slices, nslices, old, ring);
        }
        if (failed)
            return pm_fail_memory(err, "states of the frontier");
        if (level_bytes(old, ring->value_bytes) + level_bytes(new, ring->value_bytes) > memory)
            return pm_fail(
                err, PM_UNABLE,
                "refused: the states of the frontier need more memory than the %s allowed%s",
                pm_size((double)memory).s, pm_hint_text(PM_HINT_MEMORY));
    }
    level_close(new);
    return PM_OK;
}

/* ---- the program ---- */

/* The key while an order is followed. */
typedef struct {
    const pm_block_graph *g;
    field *fields;      /* of each vertex */
    int32_t *processed; /* of each vertex: neighbours processed */
    char *gone;         /* of each vertex: it was processed or has left */
    key used;           /* bits of the key that belong to a field */
    choice *choices;    /* of the current step */
} key_layout;

static pm_status key_layout_init(key_layout *m, const pm_block_graph *g, pm_error *err)
{
    *m = (key_layout){.g = g};
    m->fields = pm_alloc_array(g->nv, sizeof *m->fields);
    m->processed = pm_calloc_array(g->nv, sizeof *m->processed);
    m->gone = pm_calloc_array(g->nv, 1);
    m->choices = pm_alloc_array(g->nv, sizeof *m->choices);
    if (!m->fields || !m->processed || !m->gone || !m->choices)
        return pm_fail_memory(err, "frontier");
    for (int32_t v = 0; v < g->nv; ++v)
        m->fields[v] = (field){-1, 0};
    return PM_OK;
}

static void key_layout_free(key_layout *m)
{
    free(m->fields);
    free(m->processed);
    free(m->gone);
    free(m->choices);
}

static void release(key_layout *m, int32_t u)
{
    m->gone[u] = 1;
    if (m->fields[u].at >= 0)
        m->used &= ~mask_of(m->fields[u]);
}

/* Make the step of v and update the layout.  Returns false if the key has too few bits. */
static bool make_step(key_layout *m, int32_t v, step *st)
{
    const pm_block_graph *g = m->g;
    *st = (step){.choices = m->choices};
    if (m->fields[v].at >= 0) {
        st->inside = true;
        st->self = mask_of(m->fields[v]);
    }
    for (int64_t j = g->ptr[v]; j < g->ptr[v + 1]; ++j) {
        int32_t u = g->adj[j];
        ++m->processed[u];
        if (m->gone[u])
            continue;
        if (m->fields[u].at < 0) {
            int width = width_of(g->cap[u]), at = place_field(m->used, width);
            if (at < 0)
                return false;
            m->fields[u] = (field){(int16_t)at, (int16_t)width};
            m->used |= mask_of(m->fields[u]);
        }
        key unit = (key)1 << m->fields[u].at, full = unit * (unsigned)g->cap[u];
        m->choices[st->nchoices++] = (choice){mask_of(m->fields[u]), unit, full, g->entry[j]};
        if (m->processed[u] == g->ptr[u + 1] - g->ptr[u]) {
            st->leave_mask |= mask_of(m->fields[u]);
            st->leave_full |= full;
        }
    }
    /* the bits of a field can be used again only after the step */
    for (int64_t j = g->ptr[v]; j < g->ptr[v + 1]; ++j)
        if (!m->gone[g->adj[j]]
            && m->processed[g->adj[j]] == g->ptr[g->adj[j] + 1] - g->ptr[g->adj[j]])
            release(m, g->adj[j]);
    release(m, v);
    return true;
}

static pm_status too_wide(pm_error *err)
{
    return pm_fail(err, PM_UNABLE, "the frontier is too wide for the %d-bit keys of frontier-hash",
                   KEY_BITS);
}

pm_status pm_frontier_hash_fits(const pm_block_graph *g, const pm_vertex_order *o, pm_error *err)
{
    key_layout m;
    step st;
    pm_status status = key_layout_init(&m, g, err);
    for (int32_t t = 0; t < o->len && !status; ++t)
        if (!m.gone[o->seq[t]] && !make_step(&m, o->seq[t], &st))
            status = too_wide(err);
    key_layout_free(&m);
    return status;
}

double pm_frontier_hash_seconds(const pm_frontier_program *p, int residues, double rate)
{
    return rate * (p->transitions * (1 + 0.05 * residues) + p->nsteps * 20);
}

double pm_frontier_hash_bytes(const pm_frontier_program *p, int64_t value_bytes)
{
    double a_state = (double)sizeof(key) + 2 * sizeof(uint32_t) + (double)value_bytes;
    return 2 * a_state * (double)p->room;
}

pm_status pm_frontier_hash_run(const pm_block_graph *g, const pm_vertex_order *o,
                               const pm_ring *ring, const pm_run *run, int64_t memory, double done,
                               double share, void *value, pm_error *err)
{
    key_layout m;
    level *old = pm_calloc_array(1, sizeof *old), *new = pm_calloc_array(1, sizeof *new);
    slice *slices = pm_calloc_array(SLICES, sizeof *slices);
    pm_status status = key_layout_init(&m, g, err);
    if (!status && (!old || !new || !slices || pm_state_table_find(&old->part[0], 0, ring) < 0))
        status = pm_fail_memory(err, "frontier");
    if (!status) {
        ring->one(ring, old->part[0].values);
        level_close(old);
    }
    for (int32_t t = 0; t < o->len && !status; ++t) {
        step st;
        if (m.gone[o->seq[t]])
            continue;
        if (!make_step(&m, o->seq[t], &st)) {
            status = too_wide(err);
            break;
        }
        status = run_step(&st, old, new, slices, ring, run, memory, err);
        level *emptied = old;
        old = new;
        new = emptied;
        level_free(new);
        if (!status && pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped");
        pm_run_progress(run, done + share * t / o->len, "frontier");
    }
    if (!status) {
        /* one state, the empty key, or none at all */
        if (old->start[PARTITIONS] == 1)
            for (int p = 0; p < PARTITIONS; ++p) {
                if (old->part[p].count)
                    memcpy(value, old->part[p].values, (size_t)ring->value_bytes);
            }
        else
            ring->zero(ring, value, 1);
    }
    for (int s = 0; slices && s < SLICES; ++s) {
        free(slices[s].list);
        free(slices[s].sorted);
    }
    if (old)
        level_free(old);
    if (new)
        level_free(new);
    free(old);
    free(new);
    free(slices);
    key_layout_free(&m);
    return status;
}
