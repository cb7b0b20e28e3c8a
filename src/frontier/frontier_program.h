/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_program.h: the frontier program: a vertex order compiled into levels and steps.
 *
 * Begin here.  This room is the frontier method: the transfer-matrix method of statistical physics,
 * which programmers call broken-profile dynamic programming.  order/vertex_order.h describes
 * states, frontier and orders; this file the numbering of states and the steps; ring.h the
 * arithmetic.  Three engines run a program: frontier_rank.h (arrays indexed by the number of the
 * state), frontier_hash.h (hash tables) and frontier_gpu.c.  frontier.c and frontier_gpu.c hold the
 * algorithms (algorithm/algorithm.h).  The room may include cuda, algorithm, gpu, order, reduce,
 * matrix, number and core.
 *
 * A level is a sequence of slots, slot 0 the lowest, with one frontier vertex in each slot: its
 * layout.  The digit of a slot is the number of times that its vertex is matched (for rows: is not
 * matched), so all states of a level have one digit sum.  States are numbered in lexicographic
 * order of their digits, the highest slot first (for digits 0 and 1: the combinadic rank).  Let
 *   below[q][s] = the number of ways in which the q lowest slots have digit sum s.
 * If `rest` is the digit sum of the slots 0 .. q, the number of a state is
 *   sum over slots q, from the top, of the number of states with a smaller digit in slot q
 *   = sum over slots q of  below[q][rest] + ... + below[q][rest - digit + 1].
 *
 * A span is a set of consecutive states with equal digits from slot `low` up; it has below[low][s]
 * states.  A step changes the digits of v and its neighbours only.  If the `low` lowest slots hold
 * none of them, every span of the new level is a sum of spans of the old level, and a transition
 * costs an addition and its memory traffic.  If these slots lie too low, a permutation step comes
 * first: it sorts the slots by the time of the next step that changes them, the latest lowest (as
 * Belady's rule evicts pages).
 *
 * All levels lie in one array, each from its `offset` on.  Two levels of a step lie apart, unless
 * the program is compiled to run in place (frontier/frontier_in_place.c): then the array has room for
 * the largest level and no more, if all large steps can be in place. */
#ifndef PM_FRONTIER_PROGRAM_H
#define PM_FRONTIER_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "order/vertex_order.h"
#include "pm/status.h"

typedef struct {
    int32_t vertex;
    int32_t lo;    /* least number of times that it can be matched */
    int32_t range; /* its digit is in 0 .. range */
    bool row;      /* digit = lo + range - matched, else matched - lo */
} pm_frontier_slot;

typedef struct {
    int32_t nslots, sum;
    int64_t states;
    int64_t offset;          /* of its first state in the array of all levels */
    pm_frontier_slot *slots; /* the lowest first */
    int64_t *below;          /* below[q * (sum + 1) + s], q = 0 .. nslots: in how many ways the
                              * slots below q have digit sum s; 0 where the slots from q on cannot
                              * have the digit sum sum - s */
} pm_frontier_level;

/* What a step does to a vertex. */
typedef enum {
    PM_ROLE_UNTOUCHED,         /* in both layouts, not a neighbour */
    PM_ROLE_SELF,              /* the vertex processed; in the old layout */
    PM_ROLE_STAYS,             /* a neighbour in both layouts */
    PM_ROLE_LEAVES,            /* a neighbour in the old layout; must be full after the step */
    PM_ROLE_ENTERS,            /* a neighbour in the new layout */
    PM_ROLE_ENTERS_AND_LEAVES, /* a neighbour in neither layout: it must be matched to v */
    PM_ROLE_DROPPED            /* of a step that drops slots: in the old layout */
} pm_frontier_role;

/* A vertex from slot `low` up in one of the two layouts. */
typedef struct {
    pm_frontier_role role;
    int32_t old_slot, new_slot; /* or -1 */
    int32_t new_count;          /* number of new slots from this one down */
    int32_t partners_after;     /* later step slots whose vertex may be matched to v */
    int32_t kept;               /* dropped: the digit of the old states that remain */
    int64_t entry;              /* of the edge to v, or PM_UNIT */
} pm_frontier_step_slot;

typedef enum {
    PM_STEP_VERTEX,  /* processes a vertex */
    PM_STEP_PERMUTE, /* permutes the slots */
    PM_STEP_DROP     /* drops slots: the states with one digit in each of them remain */
} pm_frontier_step_kind;

typedef struct {
    pm_frontier_step_kind kind;
    int32_t vertex; /* the one processed, or -1 */
    bool is_row;
    bool in_place;  /* the two levels may have states in common in the array.  A permutation then
                    * swaps pairs of states; a drop runs in rounds (frontier/frontier_rounds.h) */
    int64_t before; /* in place, of a vertex: new states before those that the old ones become */
    int32_t low;    /* so many lowest slots are the same in both layouts */
    int32_t max_branches; /* branches of a span, at most (frontier_rank.c) */
    int32_t nslots;
    pm_frontier_step_slot *slots; /* from the top down to slot `low` */
    double spans;                 /* number of spans of the new level */
    double transitions;           /* (state, predecessor) pairs, nearly; their sum is exact in a
                                   * program that is not in place */
} pm_frontier_step;

typedef struct {
    bool is_zero; /* some level has no state: the answer is 0, and nothing below is set */
    int32_t nsteps, nlevels;
    pm_frontier_step *steps;
    pm_frontier_level *levels; /* nsteps + 1: steps[i] leads from levels[i] to levels[i + 1] */
    bool in_place;
    int64_t room;       /* states of the array of all levels */
    int64_t max_states; /* of the largest level */
    double transitions; /* (state, predecessor) pairs, in all steps */
    double weighted;    /* share of them with a weight other than 1 */
    double spans;       /* in all steps */
    double permuted;    /* states that permutation steps move */
    int64_t depth;      /* no chain of dependent additions and multiplications is longer */
} pm_frontier_program;

/* value_bytes: of the ring that will run the program; decides where permutations are worth it.
 * in_place: take one array instead of two where steps permit it.  Such a program is for residues:
 * its additions have another sequence.
 * Fails: PM_UNABLE a level has 2^62 states or more; PM_ENOMEM. */
pm_status pm_frontier_program_compile(const pm_block_graph *g, const pm_vertex_order *o,
                                      int64_t value_bytes, bool in_place, pm_frontier_program *out,
                                      pm_error *err);
void pm_frontier_program_free(pm_frontier_program *p);

/* Predicted seconds of one run on one core, with values of value_bytes bytes.
 * unit, weighted: seconds of a transition with weight 1 and with another weight.
 * scale: factor of the nominal seconds of everything else. */
double pm_frontier_program_seconds(const pm_frontier_program *p, int64_t value_bytes, double unit,
                                   double weighted, double scale);
/* Bytes of the array of all levels. */
double pm_frontier_program_bytes(const pm_frontier_program *p, int64_t value_bytes);

/* Sets `below` of a level whose slots and digit sum are set.  The caller frees it, also after a failure.
 * Fails: PM_UNABLE the level has 2^62 states or more; PM_ENOMEM. */
pm_status pm_frontier_level_count(pm_frontier_level *l, pm_error *err);

/* below[q][s], 0 for every s outside 0 .. sum. */
static inline int64_t pm_frontier_level_below(const pm_frontier_level *l, int32_t q, int32_t s)
{
    return s < 0 || s > l->sum ? 0 : l->below[(int64_t)q * (l->sum + 1) + s];
}

/* The number of states with a digit smaller than d in slot q, where the slots 0 .. q have digit sum
 * rest. */
static inline int64_t pm_frontier_level_offset(const pm_frontier_level *l, int32_t q, int32_t rest,
                                               int32_t d)
{
    int64_t sum = 0;
    for (int32_t e = 0; e < d; ++e)
        sum += pm_frontier_level_below(l, q, rest - e);
    return sum;
}

#endif
