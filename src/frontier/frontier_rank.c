/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step goes through the digits of the new states, slot by slot from the top, and keeps a list of
 * branches: the predecessors that agree with the digits so far, each with its number and its
 * remaining digit sum.  When the slots from `low` up are done, the new states that remain are a
 * span, and so are the old states of each branch; the ring adds these spans. */
#include "config.h"

#include "frontier/frontier_rank.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "frontier/frontier_permute.h"
#include "frontier/frontier_rounds.h"
#include "pm/alloc.h"

enum {
    SERIAL_BELOW = 1 << 20, /* bytes of a level: below, one thread; more would gain little, and
                               wait for each other when the machine is busy */
    PARTS_PER_THREAD = 32
};

typedef struct {
    int64_t base;       /* number of the first old state with the digits so far */
    int64_t entry;      /* the edge that matches v, or PM_UNIT */
    int32_t rest;       /* digit sum of the old slots below */
    int32_t is_matched; /* v has its partner */
} branch;

typedef struct {
    const pm_frontier_step *step;
    const pm_frontier_level *from, *to;
    const pm_ring *ring;
    const char *old;
    char *new;
    int64_t begin, end; /* the new states to compute */
    branch *stack;      /* nslots + 2 lists of max_branches */
    int64_t *src, *entry;
} walker;

static int32_t digit_of(const pm_frontier_slot *s, int32_t matched)
{
    return s->row ? s->lo + s->range - matched : matched - s->lo;
}

static int32_t matched_of(const pm_frontier_slot *s, int32_t digit)
{
    return s->row ? s->lo + s->range - digit : s->lo + digit;
}

/* Append branch b with old digit d in old slot `slot` (-1: none), if there are such states.
 * Returns the new number of branches. */
static inline int push_branch(const walker *w, branch *to, int n, const branch *b, int32_t slot,
                              int32_t d, int32_t is_matched, int64_t entry, int32_t partners_after)
{
    if (!is_matched && !partners_after)
        return n;
    int32_t rest = b->rest;
    int64_t base = b->base;
    if (slot >= 0) {
        if (d < 0 || d > w->from->slots[slot].range
            || !pm_frontier_level_below(w->from, slot, rest - d))
            return n;
        base += pm_frontier_level_offset(w->from, slot, rest, d);
        rest -= d;
    }
    to[n] = (branch){base, entry, rest, is_matched};
    return n + 1;
}

/* The branches for a neighbour that is matched `now` times after the step.  Returns their
 * number. */
static int match_neighbour(const walker *w, const pm_frontier_step_slot *slot, int32_t now,
                           const branch *from, int n, branch *to)
{
    const pm_frontier_slot *s = slot->old_slot >= 0 ? &w->from->slots[slot->old_slot] : NULL;
    int m = 0;
    for (int b = 0; b < n; ++b) {
        /* v is matched to another vertex */
        if (s || now == 0)
            m = push_branch(w, to, m, &from[b], slot->old_slot, s ? digit_of(s, now) : 0,
                            from[b].is_matched, from[b].entry, slot->partners_after);
        /* v is matched to this one */
        if (!from[b].is_matched && (s || now == 1))
            m = push_branch(w, to, m, &from[b], slot->old_slot, s ? digit_of(s, now - 1) : 0, 1,
                            slot->entry, slot->partners_after);
    }
    return m;
}

static int match_self(const walker *w, const pm_frontier_step_slot *slot, const branch *from, int n,
                      branch *to)
{
    const pm_frontier_slot *s = &w->from->slots[slot->old_slot];
    int m = 0;
    for (int b = 0; b < n; ++b) {
        m = push_branch(w, to, m, &from[b], slot->old_slot, digit_of(s, 0), from[b].is_matched,
                        from[b].entry, slot->partners_after);
        if (!from[b].is_matched)
            m = push_branch(w, to, m, &from[b], slot->old_slot, digit_of(s, 1), 1, PM_UNIT,
                            slot->partners_after);
    }
    return m;
}

/* The old states of a step that drops slots. */
static int keep_digit(const walker *w, const pm_frontier_step_slot *slot, const branch *from, int n,
                      branch *to)
{
    int m = 0;
    for (int b = 0; b < n; ++b)
        m = push_branch(w, to, m, &from[b], slot->old_slot, slot->kept, from[b].is_matched,
                        from[b].entry, slot->partners_after);
    return m;
}

/* In place: a state that is its own predecessor comes first, as rings demand.  Returns whether it is
 * the only one. */
static bool is_unchanged(const walker *w, const char *dst, int n)
{
    for (int s = 0; s < n; ++s)
        if (w->old + w->src[s] * w->ring->value_bytes == dst && w->entry[s] == PM_UNIT) {
            int64_t src = w->src[s];
            w->src[s] = w->src[0];
            w->entry[s] = w->entry[0];
            w->src[0] = src;
            w->entry[0] = PM_UNIT;
            return n == 1;
        }
    return false;
}

/* A span of new states with the given number of the first one; n branches at b. */
static void pull_span(walker *w, int64_t base, int64_t states, const branch *b, int n)
{
    int64_t begin = base > w->begin ? base : w->begin;
    int64_t end = base + states < w->end ? base + states : w->end;
    char *dst = w->new + begin * w->ring->value_bytes;
    if (n == 0) {
        w->ring->zero(w->ring, dst, end - begin);
        return;
    }
    for (int s = 0; s < n; ++s) {
        w->src[s] = b[s].base + (begin - base);
        w->entry[s] = b[s].entry;
    }
    if (!w->step->in_place || !is_unchanged(w, dst, n))
        w->ring->pull(w->ring, dst, w->old, w->src, w->entry, n, end - begin);
}

/* The new states whose digits above step slot i are given: numbers from base on, remaining digit
 * sum rest, n branches at b. */
static void walk(walker *w, int32_t i, int32_t rest, int64_t base, branch *b, int n)
{
    const pm_frontier_step *step = w->step;
    int32_t below = i < step->nslots ? step->slots[i].new_count : step->low;
    int64_t states = pm_frontier_level_below(w->to, below, rest);
    if (base >= w->end || base + states <= w->begin)
        return;
    if (n == 0 || i == step->nslots) {
        pull_span(w, base, states, b, n);
        return;
    }
    const pm_frontier_step_slot *slot = &step->slots[i];
    branch *next = b + step->max_branches;
    if (slot->new_slot < 0) {
        /* a vertex that leaves is full: before its last step its lo was capacity - 1 */
        int32_t full = slot->old_slot >= 0 ? w->from->slots[slot->old_slot].lo + 1 : 1;
        int m = slot->role == PM_ROLE_SELF      ? match_self(w, slot, b, n, next)
                : slot->role == PM_ROLE_DROPPED ? keep_digit(w, slot, b, n, next)
                                                : match_neighbour(w, slot, full, b, n, next);
        walk(w, i + 1, rest, base, next, m);
        return;
    }
    const pm_frontier_slot *s = &w->to->slots[slot->new_slot];
    for (int32_t d = 0; d <= s->range && d <= rest; ++d) {
        int64_t count = pm_frontier_level_below(w->to, slot->new_slot, rest - d);
        if (!count)
            continue;
        int m = 0;
        if (slot->role == PM_ROLE_UNTOUCHED)
            for (int k = 0; k < n; ++k)
                m = push_branch(w, next, m, &b[k], slot->old_slot, d, b[k].is_matched, b[k].entry,
                                slot->partners_after);
        else
            m = match_neighbour(w, slot, matched_of(s, d), b, n, next);
        walk(w, i + 1, rest - d, base, next, m);
        base += count;
    }
}

static pm_status walker_init(walker *w, const walker *from, pm_error *err)
{
    *w = *from;
    int64_t depth = w->step->nslots + 1, width = w->step->max_branches;
    w->stack = pm_alloc_array((depth + 1) * width, sizeof *w->stack);
    w->src = pm_alloc_array(width, sizeof *w->src);
    w->entry = pm_alloc_array(width, sizeof *w->entry);
    return w->stack && w->src && w->entry ? PM_OK : pm_fail_memory(err, "frontier step");
}

static void walker_free(walker *w)
{
    free(w->stack);
    free(w->src);
    free(w->entry);
}

static void walk_from_top(walker *w, int64_t begin, int64_t end)
{
    w->begin = begin;
    w->end = end;
    w->stack[0] = (branch){0, PM_UNIT, w->from->sum, w->step->kind == PM_STEP_DROP};
    walk(w, 0, w->to->sum, 0, w->stack, 1);
}

/* The new states begin .. end - 1, in parts that threads take. */
static pm_status walk_parallel(const walker *start, int64_t begin, int64_t end, const pm_run *run,
                               pm_error *err)
{
    pm_status status = PM_OK;
    int threads = pm_team(run, pm_run_threads(run));
    int64_t parts = (int64_t)threads * PARTS_PER_THREAD, each = (end - begin) / parts + 1;
#pragma omp parallel num_threads(threads)
    {
        walker mine;
        pm_status mine_rc = walker_init(&mine, start, NULL);
        if (mine_rc) {
#pragma omp critical
            status = mine_rc;
        }
#pragma omp for schedule(dynamic, 1)
        for (int64_t k = 0; k < parts; ++k) {
            int64_t from = begin + k * each, to = from + each < end ? from + each : end;
            if (!mine_rc && from < to && !pm_run_stopped(run))
                walk_from_top(&mine, from, to);
        }
        walker_free(&mine);
    }
    return status ? pm_fail_memory(err, "frontier step") : PM_OK;
}

static pm_status run_step(const pm_frontier_program *p, int32_t i, const pm_ring *ring,
                          const pm_run *run, char *array, pm_error *err)
{
    const pm_frontier_level *from = &p->levels[i], *to = &p->levels[i + 1];
    char *old = array + from->offset * ring->value_bytes;
    char *new = array + to->offset * ring->value_bytes;
    walker w,
        start = {
            .step = &p->steps[i], .from = from, .to = to, .ring = ring, .old = old, .new = new};
    if (p->steps[i].kind == PM_STEP_PERMUTE)
        return pm_frontier_permute(from, to, ring, run, old, new, err);
    pm_status status = walker_init(&w, &start, err);
    pm_frontier_rounds rounds = pm_frontier_rounds_of(p, i);
    bool has_threads = pm_run_threads(run) > 1;
    for (int64_t begin, end; !status && pm_frontier_rounds_next(&rounds, &begin, &end);) {
        if (has_threads && (end - begin) * ring->value_bytes >= SERIAL_BELOW)
            status = walk_parallel(&start, begin, end, run, err);
        else
            walk_from_top(&w, begin, end);
    }
    walker_free(&w);
    return status;
}

/* ---- stored levels ---- */

static char *level_of(const pm_frontier_program *p, int32_t i, const pm_ring *ring, char *array)
{
    return array + p->levels[i].offset * ring->value_bytes;
}

/* Makes the level that the steps begin with, *first. */
static pm_status begin(const pm_frontier_program *p, const pm_ring *ring, pm_frontier_pass *pass,
                       char *array, int32_t *first, pm_error *err)
{
    const int64_t stored = pass ? pass->stored.step : 0;
    pm_status status = PM_OK;
    *first = 0;
    if (stored > 0 && stored < p->nsteps)
        status = pm_frontier_pass_read(pass, ring, p->levels[stored].states,
                                       level_of(p, (int32_t)stored, ring, array), first, err);
    if (!status && *first == 0)
        ring->one(ring, level_of(p, 0, ring, array));
    return status;
}

static pm_status store(const pm_frontier_program *p, const pm_ring *ring, pm_frontier_pass *pass,
                       char *array, int32_t step, bool stops, pm_error *err)
{
    return pm_frontier_pass_write(pass, ring, p->levels[step].states,
                                  level_of(p, step, ring, array), step, stops, err);
}

/* After a stop within step i, whose old level is still there unless the step is in place. */
static pm_status stop(const pm_frontier_program *p, const pm_ring *ring, pm_frontier_pass *pass,
                      char *array, int32_t i, pm_error *err)
{
    pm_status status = PM_OK;
    if (!p->steps[i].in_place)
        status = store(p, ring, pass, array, i, true, err);
    return status ? status : pm_fail(err, PM_ESTOPPED, "stopped");
}

/* ---- all steps ---- */

static pm_status run_steps(const pm_frontier_program *p, const pm_ring *ring,
                           pm_frontier_pass *pass, const pm_run *run, double done, double share,
                           char *array, pm_error *err)
{
    double total = 0, so_far = 0;
    int32_t first;
    for (int32_t i = 0; i < p->nlevels; ++i)
        total += (double)p->levels[i].states;
    pm_status status = begin(p, ring, pass, array, &first, err);
    for (int32_t i = 0; i < first; ++i)
        so_far += (double)p->levels[i].states;
    for (int32_t i = first; i < p->nsteps && !status; ++i) {
        status = run_step(p, i, ring, run, array, err);
        if (!status && pm_run_stopped(run))
            status = stop(p, ring, pass, array, i, err);
        else if (!status)
            status = store(p, ring, pass, array, i + 1, false, err);
        so_far += (double)p->levels[i].states;
        pm_run_progress(run, done + share * so_far / total, "frontier");
    }
    return status;
}

pm_status pm_frontier_rank_run_pass(const pm_frontier_program *p, const pm_ring *ring,
                                    pm_frontier_pass *pass, const pm_run *run, double done,
                                    double share, void *value, pm_error *err)
{
    const pm_frontier_level *last = &p->levels[p->nsteps];
    assert(!p->in_place || ring->lanes);
    char *array = pm_alloc_huge(p->room, (size_t)ring->value_bytes);
    pm_status status = array ? run_steps(p, ring, pass, run, done, share, array, err)
                             : pm_fail_memory(err, "states of the frontier");
    assert(status || last->states == 1);
    if (!status)
        memcpy(value, array + last->offset * ring->value_bytes, (size_t)ring->value_bytes);
    free(array);
    return status;
}

pm_status pm_frontier_rank_run(const pm_frontier_program *p, const pm_ring *ring, const pm_run *run,
                               double done, double share, void *value, pm_error *err)
{
    return pm_frontier_rank_run_pass(p, ring, NULL, run, done, share, value, err);
}
