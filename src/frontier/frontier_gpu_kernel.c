/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_gpu_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "frontier/frontier_permute.h"
#include "pm/alloc.h"

enum {
    SHARED = 24 << 10,      /* bytes of shared memory that leave room for enough thread blocks */
    SHARED_MOST = 48 << 10, /* bytes of shared memory that any device has */
    LEAST_BATCH = 32,
    BLOCKS = 512, /* thread blocks of a step if its chunks stay within the limits below */
    LEAST_CHUNK = 256,
    MOST_CHUNK = 32768,    /* states */
    PERMUTED_CHUNK = 8192, /* the same of a permutation */
    TILE_LOW = 5,          /* lowest slots of a tile */
    LIST_MOST = 1024,
    DROP_SHIFT = 1 /* either sign will do */
};

typedef struct {
    const pm_frontier_program *p;
    long long *below; /* of each level: index of its table */
    pm_flat_program out;
} flattener;

/* ---- tables ---- */

/* Append `count` zeros to the table; *at: their index. */
static pm_status add_table(flattener *f, int64_t count, long long *at, pm_error *err)
{
    *at = f->out.ntable;
    if (PM_GROW(f->out.table, f->out.cap_table, f->out.ntable + count))
        return pm_fail_memory(err, "tables of the frontier");
    memset(f->out.table + *at, 0, (size_t)count * sizeof *f->out.table);
    f->out.ntable += count;
    return PM_OK;
}

/* *at: the index of `below` of a level. */
static pm_status add_below(flattener *f, const pm_frontier_level *l, long long *at, pm_error *err)
{
    int64_t count = (l->nslots + 1) * (int64_t)(l->sum + 1);
    pm_status status = add_table(f, count, at, err);
    for (int64_t k = 0; k < count && !status; ++k)
        f->out.table[*at + k] = l->below[k];
    return status;
}

static pm_status add_levels(flattener *f, pm_error *err)
{
    pm_status status = PM_OK;
    for (int32_t i = 0; i < f->p->nlevels && !status; ++i)
        status = add_below(f, &f->p->levels[i], &f->below[i], err);
    return status;
}

/* Runs of level l whose slots below `low` are left alone. */
static pm_status add_spans(flattener *f, const pm_frontier_level *l, int32_t low, long long *at,
                           pm_error *err)
{
    int32_t width = l->sum + 1;
    pm_status status = add_table(f, (l->nslots + 1) * (int64_t)width, at, err);
    if (status)
        return status;
    for (int32_t s = 0; s < width; ++s)
        f->out.table[*at + low * width + s] = pm_frontier_level_below(l, low, s) > 0;
    for (int32_t q = low; q < l->nslots; ++q) {
        const long long *row = f->out.table + *at + q * width;
        for (int32_t s = 0; s < width; ++s)
            for (int32_t d = 0;
                 d <= l->slots[q].range && d <= s && pm_frontier_level_below(l, q + 1, s); ++d)
                f->out.table[*at + (q + 1) * width + s] += row[s - d];
    }
    return PM_OK;
}

/* ---- digits ---- */

static pm_status add_digit(flattener *f, const pm_dev_frontier_digit *digit, pm_error *err)
{
    if (PM_GROW(f->out.digits, f->out.cap_digits, f->out.ndigits + 1))
        return pm_fail_memory(err, "steps of the frontier");
    f->out.digits[f->out.ndigits++] = *digit;
    return PM_OK;
}

static int32_t digit_of(const pm_frontier_slot *s, int32_t matched)
{
    return s->row ? s->lo + s->range - matched : matched - s->lo;
}

static pm_dev_frontier_digit digit_from(const pm_frontier_level *from, const pm_frontier_level *to,
                                        const pm_frontier_step_slot *slot, bool is_row_step)
{
    const pm_frontier_slot *was = slot->old_slot >= 0 ? &from->slots[slot->old_slot] : NULL;
    const pm_frontier_slot *is = slot->new_slot >= 0 ? &to->slots[slot->new_slot] : NULL;
    /* neighbours are on the other side; one that is not in the old layout was never matched */
    pm_frontier_slot never = {.row = !is_row_step};
    if (!was)
        was = &never;
    /* how often it is matched after the step: a vertex that leaves is full; for a vertex in both
     * layouts `pass` does not depend on it */
    int32_t now = is || slot->role == PM_ROLE_SELF ? 0 : was->lo + 1;
    return (pm_dev_frontier_digit){.new_slot = slot->new_slot,
                                   .new_range = is ? is->range : 0,
                                   .old_slot = slot->old_slot,
                                   .old_range = was->range,
                                   .pass = digit_of(was, now) - (is ? digit_of(is, now) : 0),
                                   .can_partner = slot->role != PM_ROLE_UNTOUCHED,
                                   .weight =
                                       slot->role == PM_ROLE_SELF ? PM_UNIT : (int)slot->entry};
}

/* Old states that remain when slots are dropped are the predecessors of a vertex without neighbours
 * that has its partner: its slot is the highest of those dropped. */
static pm_dev_frontier_digit dropped_digit(const pm_frontier_level *from,
                                           const pm_frontier_step_slot *slot, bool is_first)
{
    return (pm_dev_frontier_digit){.new_slot = -1,
                                   .old_slot = slot->old_slot,
                                   .old_range = from->slots[slot->old_slot].range,
                                   .pass = slot->kept + (is_first ? DROP_SHIFT : 0),
                                   .can_partner = is_first,
                                   .weight = PM_UNIT};
}

/* ---- a vertex ---- */

static void set_shape(pm_dev_frontier_step *s, const pm_frontier_level *to)
{
    int64_t chunk = to->states / BLOCKS, most = s->is_permutation ? PERMUTED_CHUNK : MOST_CHUNK;
    s->states = to->states;
    s->chunk = (int)(chunk < LEAST_CHUNK ? LEAST_CHUNK : chunk > most ? most : chunk);
    s->batch = PM_FLAT_THREADS;
    while (s->batch > LEAST_BATCH && pm_flat_shared(s) > SHARED)
        s->batch /= 2;
}

static pm_status add_vertex(flattener *f, int32_t i, pm_dev_frontier_step *out, pm_error *err)
{
    pm_status status = PM_OK;
    const pm_frontier_level *from = &f->p->levels[i], *to = &f->p->levels[i + 1];
    const pm_frontier_step *s = &f->p->steps[i];
    out->low = s->low;
    out->ndigits = s->nslots;
    out->shift = s->kind == PM_STEP_DROP ? DROP_SHIFT : s->is_row ? 1 : -1;
    for (int32_t k = 0; k < s->nslots && !status; ++k) {
        pm_dev_frontier_digit digit = s->slots[k].role == PM_ROLE_DROPPED
                                          ? dropped_digit(from, &s->slots[k], !out->sources)
                                          : digit_from(from, to, &s->slots[k], s->is_row);
        out->sources += digit.can_partner;
        out->is_weighted |= digit.weight >= 0;
        status = add_digit(f, &digit, err);
    }
    return status ? status : add_spans(f, to, s->low, &out->spans, err);
}

/* ---- a permutation ---- */

static int32_t slot_with(const pm_frontier_level *l, int32_t vertex)
{
    int32_t q = 0;
    while (l->slots[q].vertex != vertex)
        ++q;
    return q;
}

static pm_status add_chunks(flattener *f, const pm_frontier_level *from, pm_dev_frontier_step *out,
                            uint64_t *old_code, pm_error *err)
{
    long long at;
    out->nchunks = pm_frontier_permute_chunks(from, out->chunks, old_code);
    if (!out->nchunks)
        return pm_fail_internal(err, "a permutation of too many slots was compiled");
    out->is_binary = 1;
    for (int32_t q = 0; q < from->nslots; ++q)
        out->is_binary &= from->slots[q].range <= 1;
    out->list = (int64_t)out->nchunks * (out->old_width + 1) << PM_FRONTIER_CHUNK_BITS;
    pm_status status = add_table(f, from->nslots, &at, err);
    out->old_range = at;
    for (int32_t q = 0; q < from->nslots && !status; ++q)
        f->out.table[at + q] = from->slots[q].range;
    return status;
}

/* Choose the lowest slots whose digit vectors are listed, and count the vectors of each digit
 * sum. */
static pm_status add_list(flattener *f, const pm_frontier_level *to, pm_dev_frontier_step *out,
                          pm_error *err)
{
    int64_t total = 1;
    long long at;
    while (out->low < to->nslots && total * (to->slots[out->low].range + 1) <= LIST_MOST)
        total *= to->slots[out->low++].range + 1;
    pm_status status = add_table(f, to->sum + 2, &at, err);
    if (status)
        return status;
    long long *start = f->out.table + at;
    for (int32_t s = 0; s <= to->sum; ++s)
        start[s + 1] = start[s] + pm_frontier_level_below(to, out->low, s);
    out->list_start = at;
    out->list_size = start[to->sum + 1];
    return PM_OK;
}

/* The layout in whose sequence a permutation in place goes through the states.  Its lowest slots are the lowest ones
 * of the array, so that states with consecutive numbers come together, then all others that move.  So two states that
 * change places are in one tile: states with equal digits in the other slots, some megabytes, which the
 * cache of the device holds. */
static pm_status tile(const pm_frontier_level *from, const pm_frontier_level *to,
                      pm_frontier_level *out, pm_error *err)
{
    int32_t n = 0;
    *out = (pm_frontier_level){.nslots = to->nslots, .sum = to->sum, .states = to->states};
    out->slots = pm_alloc_array(to->nslots, sizeof *out->slots);
    if (!out->slots)
        return pm_fail_memory(err, "steps of the frontier");
    for (int above = 0; above < 2; ++above)
        for (int32_t q = 0; q < to->nslots; ++q)
            if (above == (q >= TILE_LOW && from->slots[q].vertex == to->slots[q].vertex))
                out->slots[n++] = to->slots[q];
    return pm_frontier_level_count(out, err);
}

/* way: the layout in whose sequence the states are moved. */
static pm_status add_moves(flattener *f, int32_t i, const pm_frontier_level *way,
                           pm_dev_frontier_step *out, pm_error *err)
{
    const pm_frontier_level *from = &f->p->levels[i], *to = &f->p->levels[i + 1];
    uint64_t old_code[PM_FRONTIER_CHUNKS * PM_FRONTIER_CHUNK_BITS];
    pm_status status = add_chunks(f, from, out, old_code, err);
    if (!status)
        status = add_list(f, way, out, err);
    out->ndigits = way->nslots - out->low;
    for (int32_t q = way->nslots - 1; q >= 0 && !status; --q) {
        const int32_t vertex = way->slots[q].vertex;
        pm_dev_frontier_digit digit = {.new_slot = q,
                                       .new_range = way->slots[q].range,
                                       .old_slot = -1,
                                       .code = old_code[slot_with(from, vertex)]};
        if (out->in_place) /* both layouts have the same ranges */
            digit.own = old_code[slot_with(to, vertex)];
        status = add_digit(f, &digit, err);
    }
    const int64_t end = out->list + out->sources * out->list_size;
    if (end > f->out.scratch)
        f->out.scratch = end;
    return status ? status : add_spans(f, way, out->low, &out->spans, err);
}

static pm_status add_permutation(flattener *f, int32_t i, pm_dev_frontier_step *out, pm_error *err)
{
    const pm_frontier_level *to = &f->p->levels[i + 1];
    pm_frontier_level tiles = {0};
    out->is_permutation = 1;
    out->sources = out->in_place ? 2 : 1;
    if (!out->in_place)
        return add_moves(f, i, to, out, err);
    pm_status status = tile(&f->p->levels[i], to, &tiles, err);
    if (!status)
        status = add_below(f, &tiles, &out->new_below, err);
    if (!status)
        status = add_moves(f, i, &tiles, out, err);
    free(tiles.slots);
    free(tiles.below);
    return status;
}

/* ---- all steps ---- */

static pm_status add_step(flattener *f, int32_t i, pm_error *err)
{
    const pm_frontier_level *from = &f->p->levels[i], *to = &f->p->levels[i + 1];
    pm_dev_frontier_step s = {.digits = f->out.ndigits,
                              .new_below = f->below[i + 1],
                              .old_below = f->below[i],
                              .in_place = f->p->steps[i].in_place,
                              .stays = to->offset - from->offset,
                              .new_width = to->sum + 1,
                              .old_width = from->sum + 1};
    pm_status status = f->p->steps[i].kind == PM_STEP_PERMUTE ? add_permutation(f, i, &s, err)
                                                              : add_vertex(f, i, &s, err);
    if (status)
        return status;
    set_shape(&s, to);
    if (pm_flat_shared(&s) > SHARED_MOST)
        return pm_fail(err, PM_UNABLE,
                       "the frontier on a GPU has no room for a vertex with %d neighbours",
                       s.sources);
    f->out.steps[f->out.nsteps++] = s;
    return PM_OK;
}

pm_status pm_flat_make(const pm_frontier_program *p, pm_flat_program *out, pm_error *err)
{
    flattener f = {.p = p};
    f.below = pm_alloc_array(p->nlevels, sizeof *f.below);
    f.out.steps = pm_alloc_array(p->nsteps, sizeof *f.out.steps);
    pm_status status =
        f.below && f.out.steps ? add_levels(&f, err) : pm_fail_memory(err, "steps of the frontier");
    for (int32_t i = 0; i < p->nsteps && !status; ++i)
        status = add_step(&f, i, err);
    free(f.below);
    if (status)
        pm_flat_free(&f.out);
    else
        *out = f.out;
    return status;
}

void pm_flat_free(pm_flat_program *f)
{
    free(f->steps);
    free(f->digits);
    free(f->table);
    *f = (pm_flat_program){0};
}

double pm_flat_bytes(const pm_flat_program *f)
{
    return (double)f->nsteps * sizeof *f->steps + (double)f->ndigits * sizeof *f->digits
           + 8 * ((double)f->ntable + (double)f->scratch);
}

/* ---- launches ---- */

int64_t pm_flat_shared(const pm_dev_frontier_step *s)
{
    return 8 + (int64_t)s->batch * (8 + (s->is_weighted ? 12 : 8) * s->sources);
}

int64_t pm_flat_blocks(const pm_dev_frontier_step *s, int64_t states)
{
    return (states + s->chunk - 1) / s->chunk;
}

int64_t pm_flat_table_blocks(const pm_dev_frontier_step *s)
{
    int64_t count = 0;
    for (int k = 0; k < s->nchunks; ++k)
        count += s->chunks[k].codes * s->old_width;
    if (s->is_permutation && count < s->list_size)
        count = s->list_size;
    return (count + PM_FLAT_THREADS - 1) / PM_FLAT_THREADS;
}

char *pm_flat_text(const pm_ring *ring)
{
    int bits = ring->lanes ? (int)(8 * ring->value_bytes / ring->lanes) : 64;
    return pm_frontier_text(ring->lanes, ring->parts, bits);
}
