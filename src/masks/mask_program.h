/* SPDX-License-Identifier: GPL-3.0-or-later */
/* masks/mask_program.h: an order of the vertices of a general graph, compiled into steps that work in one array of states.
 *
 * Begin here.  order/vertex_order.h describes orders and the frontier.  Each frontier vertex has a bit of the number of a state, its
 * *place*, which says whether it is matched: directly, or turned (1: it is not matched).  Bits that no vertex has are *idle*, and have one
 * value in all states that count; the values of other numbers are arbitrary.
 * If the program is `implied`, one frontier vertex has no bit: its digit follows from the others.
 *
 * The step of v.  Let T be the states in which v is matched, and -v the same without v; write f for the values.
 *     f(T)  += sum over neighbours w that T has matched of a_vw f(T - w, -v)
 * reads what it does not write.  Then the states without v have no use: a neighbour u that enters takes the bit of v, turned, and
 *     f(-v) *= a_vu
 * is the case that v takes u.  A second one that enters gets another bit.  What leaves must be matched: its bit becomes idle.
 * If v has no bit, a neighbour x that leaves gives its own:  f(-x) = a_vx f(-x) + the sum over the others of a_vw f(x, - w).
 * If none leaves, v gets an idle bit.  If none enters and there is no idle bit either, f(T) is the sum over w of a_vw f(T - w),
 * in rounds: first where all neighbours are matched, then where all but one are, and so on.
 *
 * The room may include cuda, frontier (for the arithmetic), algorithm, order, reduce, matrix, ledger, number and core. */
#ifndef PM_MASK_PROGRAM_H
#define PM_MASK_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/mask_step.h"
#include "order/vertex_order.h"
#include "pm/status.h"

/* A sum, or an exchange of states (cuda/mask_step.h). */
typedef struct {
    /* The numbers of the step: those that are `fixed` but for the bits `varying`. */
    uint64_t varying, fixed;
    uint64_t live; /* bits of frontier vertices */
    bool is_exchange, keeps;
    int32_t nsources;
    pm_mask_source *sources;
    uint64_t counted,
        base; /* 0; or only states are written in which `count` of these bits differ from base */
    int32_t count;
    int32_t npairs;
    int32_t low[PM_MASK_LOW], high[PM_MASK_LOW];
    uint64_t turned; /* a bit, or 0 */
    bool odd;
} pm_mask_step;

typedef struct {
    bool is_zero; /* no state is left at some step: the answer is 0, and nothing below is set */
    int32_t nsteps;
    pm_mask_step *steps;
    int32_t *bits; /* nsteps + 1: before a step, and after the last one, numbers are below 2^bits */
    int32_t most_bits; /* of these */
    int64_t last;      /* the number of the only state after all steps; at first it is 0 */
    double transitions, states,
        weighted;  /* states read, written; read with a weight other than 1 */
    int64_t depth; /* no chain of dependent additions and multiplications is longer */
} pm_mask_program;

/* loop: for each vertex the entry of its loop, or PM_UNIT for a loop of weight 1, or PM_MASK_NO_LOOP.
 * Fails: PM_UNABLE a number would have more than PM_MASK_SLOTS bits; PM_ENOMEM. */
enum { PM_MASK_NO_LOOP = -2 };
pm_status pm_mask_program_compile(const pm_block_graph *g, const int64_t *loop,
                                  const pm_vertex_order *o, pm_mask_program *out, pm_error *err);
void pm_mask_program_free(pm_mask_program *p);

/* States that a step writes, and reads. */
double pm_mask_step_states(const pm_mask_step *s);
double pm_mask_step_reads(const pm_mask_step *s);
/* Those in which source k is present. */
double pm_mask_source_reads(const pm_mask_step *s, int32_t k);

/* Step i as cuda/mask_step.h has it. */
void pm_mask_flatten(const pm_mask_step *step, pm_mask_flat *out);

#endif
