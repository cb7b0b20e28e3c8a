/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_gpu_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "frontier/frontier_rank.h"
#include "pm/alloc.h"

enum {
    SHARED = 24 << 10,      /* bytes that leave room for enough blocks */
    SHARED_MOST = 48 << 10, /* bytes that any device has */
    LEAST_BATCH = 32,
    BLOCKS = 512, /* of a step, while they are small enough: most of a card */
    LEAST_CHUNK = 256,
    MOST_CHUNK = 8192, /* states */
    LIST_MOST = 1024
};

typedef struct {
    const pm_frontier_program *p;
    int64_t *below; /* of each level: where its table begins */
    pm_flat_program out;
} flattener;

/* ---- tables ---- */

/* Room for count numbers, 0; *at: where they begin. */
static pm_status add_table(flattener *f, int64_t count, int64_t *at, pm_error *err)
{
    *at = f->out.ntable;
    if (PM_GROW(f->out.table, f->out.cap_table, f->out.ntable + count))
        return pm_fail_memory(err, "tables of the frontier");
    memset(f->out.table + *at, 0, (size_t)count * sizeof *f->out.table);
    f->out.ntable += count;
    return PM_OK;
}

static pm_status add_levels(flattener *f, pm_error *err)
{
    pm_status rc = PM_OK;
    for (int32_t i = 0; i < f->p->nlevels && !rc; ++i) {
        const pm_level *l = &f->p->levels[i];
        int64_t count = (l->nslots + 1) * (int64_t)(l->sum + 1);
        rc = add_table(f, count, &f->below[i], err);
        for (int64_t k = 0; k < count && !rc; ++k)
            f->out.table[f->below[i] + k] = l->below[k];
    }
    return rc;
}

/* Runs of level l whose slots below `low` are left alone. */
static pm_status add_runs(flattener *f, const pm_level *l, int32_t low, int64_t *at, pm_error *err)
{
    int32_t width = l->sum + 1;
    pm_status rc = add_table(f, (l->nslots + 1) * (int64_t)width, at, err);
    if (rc)
        return rc;
    for (int32_t s = 0; s < width; ++s)
        f->out.table[*at + low * width + s] = pm_level_below(l, low, s) > 0;
    for (int32_t q = low; q < l->nslots; ++q) {
        const long long *row = f->out.table + *at + q * width;
        for (int32_t s = 0; s < width; ++s)
            for (int32_t d = 0; d <= l->slots[q].range && d <= s && pm_level_below(l, q + 1, s);
                 ++d)
                f->out.table[*at + (q + 1) * width + s] += row[s - d];
    }
    return PM_OK;
}

/* ---- items ---- */

static pm_status add_item(flattener *f, const pm_frontier_item *item, pm_error *err)
{
    if (PM_GROW(f->out.items, f->out.cap_items, f->out.nitems + 1))
        return pm_fail_memory(err, "steps of the frontier");
    f->out.items[f->out.nitems++] = *item;
    return PM_OK;
}

static int32_t digit_of(const pm_slot *s, int32_t matched)
{
    return s->row ? s->lo + s->range - matched : matched - s->lo;
}

static pm_frontier_item item_of(const pm_level *from, const pm_level *to, const pm_item *item,
                                bool is_row_step)
{
    const pm_slot *was = item->old_slot >= 0 ? &from->slots[item->old_slot] : NULL;
    const pm_slot *is = item->new_slot >= 0 ? &to->slots[item->new_slot] : NULL;
    /* neighbours stand on the other side; one that is not in the old layout was never matched */
    pm_slot never = {.row = !is_row_step};
    if (!was)
        was = &never;
    /* how often it is matched: any number will do where it stands in both layouts, a vertex that
     * leaves is full */
    int32_t now = is || item->kind == PM_ITEM_SELF ? 0 : was->lo + 1;
    return (pm_frontier_item){.new_slot = item->new_slot,
                              .new_range = is ? is->range : 0,
                              .old_slot = item->old_slot,
                              .old_range = was->range,
                              .pass = digit_of(was, now) - (is ? digit_of(is, now) : 0),
                              .can_pick = item->kind != PM_ITEM_KEEP,
                              .weight = item->kind == PM_ITEM_SELF ? PM_UNIT : (int)item->entry};
}

/* ---- a vertex ---- */

static void set_shape(pm_frontier_step *s, const pm_level *to)
{
    int64_t chunk = to->states / BLOCKS;
    s->states = to->states;
    s->chunk = chunk < LEAST_CHUNK ? LEAST_CHUNK : chunk > MOST_CHUNK ? MOST_CHUNK : (int)chunk;
    s->batch = PM_FLAT_THREADS;
    while (s->batch > LEAST_BATCH && pm_flat_shared(s) > SHARED)
        s->batch /= 2;
}

static pm_status add_vertex(flattener *f, int32_t i, pm_frontier_step *out, pm_error *err)
{
    pm_status rc = PM_OK;
    const pm_step *s = &f->p->steps[i];
    out->low = s->low;
    out->nitems = s->nitems;
    out->shift = s->is_row ? 1 : -1;
    for (int32_t k = 0; k < s->nitems && !rc; ++k) {
        pm_frontier_item item =
            item_of(&f->p->levels[i], &f->p->levels[i + 1], &s->items[k], s->is_row);
        out->sources += item.can_pick;
        out->is_weighted |= item.weight >= 0;
        rc = add_item(f, &item, err);
    }
    return rc;
}

/* ---- a permutation ---- */

static int32_t slot_with(const pm_level *l, int32_t vertex)
{
    int32_t q = 0;
    while (l->slots[q].vertex != vertex)
        ++q;
    return q;
}

static pm_status add_chunks(flattener *f, const pm_level *from, pm_frontier_step *out,
                            uint64_t *old_code, pm_error *err)
{
    int64_t at, used = 0;
    out->nchunks = pm_rank_cut(from, out->chunks, old_code);
    if (!out->nchunks)
        return pm_fail(err, PM_EINTERNAL, "a permutation of too many slots was compiled");
    for (int k = 0; k < out->nchunks; ++k) {
        pm_frontier_chunk *c = &out->chunks[k];
        c->is_binary = c->codes == INT64_C(1) << (c->last - c->first);
        c->offset = used;
        c->sum = used + c->codes * (from->sum + 1);
        used = c->sum + c->codes;
    }
    out->list = used;
    pm_status rc = add_table(f, from->nslots, &at, err);
    out->old_range = at;
    for (int32_t q = 0; q < from->nslots && !rc; ++q)
        f->out.table[at + q] = from->slots[q].range;
    return rc;
}

/* The lowest slots whose patterns are listed, and how many of each digit sum. */
static pm_status add_list(flattener *f, const pm_level *to, pm_frontier_step *out, pm_error *err)
{
    int64_t total = 1, at;
    while (out->low < to->nslots && total * (to->slots[out->low].range + 1) <= LIST_MOST)
        total *= to->slots[out->low++].range + 1;
    pm_status rc = add_table(f, to->sum + 2, &at, err);
    if (rc)
        return rc;
    long long *start = f->out.table + at;
    for (int32_t s = 0; s <= to->sum; ++s)
        start[s + 1] = start[s] + pm_level_below(to, out->low, s);
    out->list_start = at;
    out->list_size = start[to->sum + 1];
    return PM_OK;
}

static pm_status add_permutation(flattener *f, int32_t i, pm_frontier_step *out, pm_error *err)
{
    const pm_level *from = &f->p->levels[i], *to = &f->p->levels[i + 1];
    uint64_t old_code[PM_FRONTIER_CHUNKS * PM_FRONTIER_CHUNK_BITS];
    out->is_sorted = 1;
    out->sources = 1;
    pm_status rc = add_chunks(f, from, out, old_code, err);
    if (!rc)
        rc = add_list(f, to, out, err);
    out->nitems = to->nslots - out->low;
    for (int32_t q = to->nslots - 1; q >= 0 && !rc; --q) {
        pm_frontier_item item = {.new_slot = q,
                                 .new_range = to->slots[q].range,
                                 .old_slot = -1,
                                 .code = old_code[slot_with(from, to->slots[q].vertex)]};
        rc = add_item(f, &item, err);
    }
    if (out->list + out->list_size > f->out.scratch)
        f->out.scratch = out->list + out->list_size;
    return rc;
}

/* ---- all steps ---- */

static pm_status add_step(flattener *f, int32_t i, pm_error *err)
{
    int64_t runs;
    const pm_level *from = &f->p->levels[i], *to = &f->p->levels[i + 1];
    pm_frontier_step s = {.items = f->out.nitems,
                          .new_below = f->below[i + 1],
                          .old_below = f->below[i],
                          .new_width = to->sum + 1,
                          .old_width = from->sum + 1};
    pm_status rc =
        f->p->steps[i].vertex < 0 ? add_permutation(f, i, &s, err) : add_vertex(f, i, &s, err);
    if (!rc)
        rc = add_runs(f, to, s.low, &runs, err);
    if (rc)
        return rc;
    s.runs = runs;
    set_shape(&s, to);
    if (pm_flat_shared(&s) > SHARED_MOST)
        return pm_fail(err, PM_UNABLE, "a vertex with %d neighbours is too much for a GPU",
                       s.sources);
    f->out.steps[f->out.nsteps++] = s;
    return PM_OK;
}

pm_status pm_flat_make(const pm_frontier_program *p, pm_flat_program *out, pm_error *err)
{
    flattener f = {.p = p};
    f.below = pm_alloc_array(p->nlevels, sizeof *f.below);
    f.out.steps = pm_alloc_array(p->nsteps, sizeof *f.out.steps);
    pm_status rc =
        f.below && f.out.steps ? add_levels(&f, err) : pm_fail_memory(err, "steps of the frontier");
    for (int32_t i = 0; i < p->nsteps && !rc; ++i)
        rc = add_step(&f, i, err);
    free(f.below);
    if (rc)
        pm_flat_free(&f.out);
    else
        *out = f.out;
    return rc;
}

void pm_flat_free(pm_flat_program *f)
{
    free(f->steps);
    free(f->items);
    free(f->table);
    *f = (pm_flat_program){0};
}

double pm_flat_bytes(const pm_flat_program *f)
{
    return (double)f->nsteps * sizeof *f->steps + (double)f->nitems * sizeof *f->items
           + 8 * ((double)f->ntable + (double)f->scratch);
}

/* ---- launches ---- */

int64_t pm_flat_shared(const pm_frontier_step *s)
{
    return 8 + (int64_t)s->batch * (8 + (s->is_weighted ? 12 : 8) * s->sources);
}

int64_t pm_flat_blocks(const pm_frontier_step *s)
{
    return (s->states + s->chunk - 1) / s->chunk;
}

int64_t pm_flat_table_blocks(const pm_frontier_step *s)
{
    int64_t count = 0;
    for (int k = 0; k < s->nchunks; ++k)
        count += s->chunks[k].codes * s->old_width;
    if (s->is_sorted && count < s->list_size)
        count = s->list_size;
    return (count + PM_FLAT_THREADS - 1) / PM_FLAT_THREADS;
}

char *pm_flat_text(const pm_ring *ring)
{
    return pm_frontier_text(ring->lanes, ring->parts);
}
