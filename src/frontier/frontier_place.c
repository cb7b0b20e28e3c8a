/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the levels of a program lie in the array of all levels.
 *
 * Steps in place that process a vertex or permute tie two levels together: the old states are where
 * they were, new ones come behind or before them.  So a chain of such levels has one place, that of
 * its last and largest level, which contains all others.  Every chain lies at one of the two ends of
 * the array.  A drop can go from any place to any other.  A step that is not in place needs its two
 * levels apart; then the chains before and after it lie at different ends. */
#include "config.h"

#include <stdlib.h>

#include "frontier/frontier_compile.h"
#include "pm/alloc.h"

enum {
    BOTTOM,
    TOP,
    ALIGNED = 32 /* states: the multiple at which levels at the top begin, if they do not share
                  * the array with others (a warp of a device then reads whole lines) */
};

typedef struct {
    int32_t first, last; /* levels */
    int64_t before;      /* states of the last level before those of the first */
    bool is_apart;       /* its first level and the chain before must have nothing in common */
    int64_t room[2];     /* with this chain at either end: states that it and those before need */
    int side[2];         /* and the end at which the chain before then lies */
} chain;

static bool is_tied(const pm_frontier_step *s)
{
    return s->in_place && s->kind != PM_STEP_DROP;
}

/* Cut the levels into chains.  Returns their number. */
static int32_t find_chains(const pm_frontier_program *p, chain *c)
{
    int32_t n = 0;
    for (int32_t i = 0; i < p->nlevels; ++i) {
        const pm_frontier_step *s = i > 0 ? &p->steps[i - 1] : NULL;
        if (!s || !is_tied(s))
            c[n++] = (chain){.first = i, .is_apart = s && !s->in_place};
        else
            c[n - 1].before += s->before;
        c[n - 1].last = i;
    }
    return n;
}

/* The states that chain c needs at this end, and the chain before at the other one: from the end of
 * the array up to the first level, and that chain. */
static int64_t room_apart(const pm_frontier_program *p, const chain *was, const chain *c, int side)
{
    int64_t first = p->levels[c->first].states, all = p->levels[c->last].states;
    int64_t inner = side == BOTTOM ? c->before : all - c->before - first;
    /* each is below 2^62 */
    uint64_t sum = (uint64_t)p->levels[was->last].states + (uint64_t)(first + inner) + ALIGNED;
    return sum < INT64_MAX ? (int64_t)sum : INT64_MAX;
}

static void choose_side(const pm_frontier_program *p, const chain *was, chain *c, int side)
{
    int64_t least = p->levels[c->last].states, best = INT64_MAX;
    for (int before = BOTTOM; before <= TOP && was; ++before) {
        int64_t room = was->room[before] > least ? was->room[before] : least;
        if (c->is_apart && before == side)
            continue;
        if (c->is_apart && room_apart(p, was, c, side) > room)
            room = room_apart(p, was, c, side);
        if (room < best) {
            best = room;
            c->side[side] = before;
        }
    }
    c->room[side] = was ? best : least;
}

static void place(pm_frontier_program *p, const chain *c, int side)
{
    int64_t at = 0;
    if (side == TOP) {
        at = p->room - p->levels[c->last].states;
        at -= at % ALIGNED;
    }
    at += c->before;
    p->levels[c->first].offset = at;
    for (int32_t i = c->first + 1; i <= c->last; ++i) {
        at -= p->steps[i - 1].before;
        p->levels[i].offset = at;
    }
}

pm_status pm_frontier_place_levels(pm_frontier_program *p, pm_error *err)
{
    chain *c = pm_alloc_array(p->nlevels, sizeof *c);
    if (!c)
        return pm_fail_memory(err, "frontier levels");
    int32_t n = find_chains(p, c);
    for (int32_t i = 0; i < n; ++i)
        for (int side = BOTTOM; side <= TOP; ++side)
            choose_side(p, i > 0 ? &c[i - 1] : NULL, &c[i], side);
    int side = c[n - 1].room[TOP] < c[n - 1].room[BOTTOM] ? TOP : BOTTOM;
    p->room = c[n - 1].room[side];
    for (int32_t i = n - 1; i >= 0; --i) {
        place(p, &c[i], side);
        side = c[i].side[side];
    }
    free(c);
    return PM_OK;
}
