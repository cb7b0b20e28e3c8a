/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_program.h: a frontier order compiled for the rank kernel.
 *
 * A level is a layout: the frontier vertices in some sequence of slots, slot 0 the lowest.  The
 * digit of a slot is how often its vertex is matched (rows: how often it is not), so that all
 * states of a level have one digit sum (order/vertex_order.h).  States are numbered in lexicographic
 * order of their digits, the highest slot first (for digits 0/1: the combinadic rank):
 *
 *   rank = sum over slots, from the top, of the states with a smaller digit there
 *        = sum over slots q of  below[q][rest] + ... + below[q][rest - digit + 1],
 *   below[q][s] = number of ways in which the q lowest slots have digit sum s.
 *
 * Two layouts that share their lowest slots therefore share whole runs of neighbouring states,
 * below[low][s] long.  A step touches v and its neighbours only; below the lowest slot touched,
 * runs flow into runs, and a transition costs no more than an addition and its memory traffic.
 * When what a step touches lies too low, the slots are sorted first by the time of their next
 * touch, the farthest lowest (as Belady evicts): a permutation step. */
#ifndef PM_PROGRAM_H
#define PM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "order/vertex_order.h"
#include "pm/status.h"

typedef struct {
    int32_t vertex;
    int32_t lo;    /* least number of times it can be matched */
    int32_t range; /* digits 0..range */
    bool row;      /* digit = lo + range - matched, else matched - lo */
} pm_slot;

typedef struct {
    int32_t nslots, sum;
    int64_t states;
    pm_slot *slots; /* bottom first */
    int64_t *below; /* [q * (sum + 1) + s], q = 0..nslots: in how many ways the slots below q
                     * have digit sum s; 0 where those from q on cannot make it up to sum */
} pm_level;

typedef enum {
    PM_ITEM_KEEP,   /* an untouched slot, in both layouts */
    PM_ITEM_SELF,   /* the vertex processed, in the old layout */
    PM_ITEM_TOUCH,  /* a neighbour that stays */
    PM_ITEM_LEAVE,  /* a neighbour that must be full now, in the old layout */
    PM_ITEM_ENTER,  /* a neighbour that comes in, in the new layout */
    PM_ITEM_THROUGH /* a neighbour that enters and leaves: it must take v */
} pm_item_kind;

typedef struct {
    pm_item_kind kind;
    int32_t old_slot, new_slot; /* or -1 */
    int32_t new_below;          /* new slots at and below this item */
    int32_t picks_after;        /* items after this one that can match v */
    int64_t entry;              /* of the edge to v, or PM_UNIT */
} pm_item;

typedef struct {
    int32_t vertex; /* processed, or -1: a permutation of the slots */
    bool is_row;
    int32_t low; /* lowest slots that both layouts share */
    int32_t max_branches;
    int32_t nitems;
    pm_item *items; /* from the top down to slot `low` */
    double runs;    /* predicted */
} pm_step;

typedef struct {
    bool empty; /* some level admits no state: the answer is 0, and nothing below is set */
    int32_t nsteps, nlevels;
    pm_step *steps;
    pm_level *levels;                /* nsteps + 1: levels[i] stands before steps[i] */
    int64_t even_states, odd_states; /* largest level of each parity: the two buffers */
    int64_t max_states;
    double transitions; /* (state, predecessor) pairs, all steps */
    double weighted;    /* share of them with a weight other than 1 */
    double runs;
    double permuted; /* states that permutation steps move */
    int64_t depth;   /* additions and multiplications one after another, at most */
} pm_frontier_program;

/* value_bytes: of the ring that will run it (permutations cost by it).
 * Fails: PM_UNABLE a level has 2^62 states or more; PM_ENOMEM. */
pm_status pm_frontier_program_compile(const pm_block_graph *g, const pm_vertex_order *o,
                                      int64_t value_bytes, pm_frontier_program *out, pm_error *err);
void pm_frontier_program_free(pm_frontier_program *p);

/* Seconds of one run on one core, for values of that many bytes, with `unit` and `weighted` seconds
 * a transition; what it costs besides is the nominal figure times scale. */
double pm_frontier_program_seconds(const pm_frontier_program *p, int64_t value_bytes, double unit,
                                   double weighted, double scale);
/* Bytes of its two buffers. */
double pm_frontier_program_bytes(const pm_frontier_program *p, int64_t value_bytes);

static inline int64_t pm_level_below(const pm_level *l, int32_t q, int32_t s)
{
    return s < 0 || s > l->sum ? 0 : l->below[(int64_t)q * (l->sum + 1) + s];
}

/* States with a digit smaller than d in slot q, given that the slots 0..q have digit sum rest. */
static inline int64_t pm_level_offset(const pm_level *l, int32_t q, int32_t rest, int32_t d)
{
    int64_t sum = 0;
    for (int32_t e = 0; e < d; ++e)
        sum += pm_level_below(l, q, rest - e);
    return sum;
}

#endif
