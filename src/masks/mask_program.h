/* SPDX-License-Identifier: GPL-3.0-or-later */
/* masks/mask_program.h: an order of the vertices of a general graph, compiled into levels and steps.
 *
 * Begin here.  order/vertex_order.h describes orders and the frontier.  A level is a sequence of slots, slot 0 the lowest,
 * with a frontier vertex in each.  A state says which of them are matched: the digit of slot q is bit q of its mask.
 * The number of the state is this mask; where the level is `implied`, without bit 0, which follows from the parity of the others.
 *
 * The step of vertex v turns the level before it into the one after it.  A neighbour of v that was not processed before
 *   enters  if it has no processed neighbour yet,
 *   stays   if it is in both levels,
 *   leaves  if v is its last neighbour: it must be matched after the step,
 *   is `both` if it enters and leaves at once: it must be matched to v.
 * v itself leaves too, matched to one of them or before, or alone with the weight of its loop.  A neighbour with a loop never leaves by a
 * step of another vertex, but by one of its own, which follows at once.
 *
 * The room may include cuda, frontier (for the arithmetic), algorithm, order, reduce, matrix, ledger, number and core. */
#ifndef PM_MASK_PROGRAM_H
#define PM_MASK_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/mask_step.h"
#include "order/vertex_order.h"
#include "pm/status.h"

typedef struct {
    int32_t nslots;
    bool implied; /* the digit of slot 0 is not in the numbers of the states */
    bool parity;  /* of the digit sum of all states, where it is the same for all */
    int32_t *slots;
} pm_mask_level;

/* Bits of the numbers of its states. */
static inline int32_t pm_mask_bits(const pm_mask_level *l)
{
    return l->nslots - l->implied;
}

/* A neighbour of the vertex of a step, or another vertex of the new level. */
typedef struct {
    int32_t old_slot, new_slot; /* -1: in none */
    int64_t entry; /* of the edge to the vertex of the step, or PM_UNIT; untouched: not read */
    bool is_neighbour;
} pm_mask_touch;

typedef struct {
    int32_t vertex; /* -1: a permutation, which changes the sequence of the slots, and `implied` */
    int32_t own_slot; /* of the vertex in the old level, or -1 */
    bool has_loop;
    int64_t loop; /* the entry of its loop, or PM_UNIT */
    int32_t
        low; /* so many lowest slots are equal in both levels, untouched, and equally numbered */
    int32_t nbefore; /* of the touches: neighbours that leave or are `both`, those come first */
    int32_t ntouches;
    pm_mask_touch *
        touches; /* neighbours that leave or are both; then the vertices of the new level from slot `low` up */
    double transitions; /* (state, predecessor) pairs */
} pm_mask_step;

typedef struct {
    bool is_zero; /* no state is left at some level: the answer is 0, and nothing below is set */
    int32_t nsteps, nlevels;
    pm_mask_step *steps;
    pm_mask_level *levels; /* nsteps + 1 */
    int32_t most_bits;     /* of the largest level */
    double transitions, states, weighted;
    int64_t depth; /* no chain of dependent additions and multiplications is longer */
} pm_mask_program;

/* loop: for each vertex the entry of its loop, or PM_UNIT for a loop of weight 1, or PM_MASK_NO_LOOP.
 * Fails: PM_UNABLE a level has more than PM_MASK_SLOTS slots; PM_ENOMEM. */
enum { PM_MASK_NO_LOOP = -2 };
pm_status pm_mask_program_compile(const pm_block_graph *g, const int64_t *loop,
                                  const pm_vertex_order *o, pm_mask_program *out, pm_error *err);
void pm_mask_program_free(pm_mask_program *p);

#endif
