/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matchings/uniform.h: random perfect matchings, each with probability proportional to its weight
 * (the product of its entries; uniform for a pattern).
 *
 * The frontier programme is run forwards once, exactly but for rounding, and the states after every
 * vertex are kept: the weight of a state is that of all ways to get there.  A matching is drawn
 * backwards from the last state: among the states before a vertex and the edges it can take, in
 * proportion to weight times entry, look-ups in sorted lists.
 *
 * Weights are double-doubles.  A sum or product of positive ones is right within 7 2^-106, so a
 * matching has its probability within (2 e + 20 v) 2^-103 relative, for e entries and v vertices:
 * below 2^-85 for e = 10^5. */
#ifndef PM_UNIFORM_H
#define PM_UNIFORM_H

#include <stdint.h>

#include "beam/beam_plan.h"
#include "beam/state_lists.h"
#include "pm/matrix.h"
#include "pm/run.h"

typedef struct {
    uint64_t seed;
    uint32_t block;
    int64_t n;
    pm_beam_plan plan;
    int64_t nlevels; /* one before the first vertex and one after each */
    pm_states *level;
    int64_t *edges; /* nlevels: the edges before level l are those before edges[l] */
} pm_uniform;

/* The order alone.  a: square, n >= 1, entries > 0; may be freed afterwards.
 * block: blocks of one graph draw from sequences of their own.
 * *bytes: what the states would take at most, were all of them reached; infinite where a double
 * ends.
 * Fails: PM_UNABLE what pm_beam_plan_make says, or too wide a frontier; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_uniform_plan(const pm_matrix *a, uint64_t seed, uint32_t block, const pm_run *run,
                          pm_uniform *out, double *bytes, pm_error *err);

/* The states; before matchings can be drawn.
 * Memory: 8 w + 16 bytes a state, all levels together, keys of w words of 64 bits.
 * Fails (*u is to be freed all the same): PM_EDATA there is no perfect matching, PM_UNABLE more than
 * pm_run_memory; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_uniform_fill(pm_uniform *u, const pm_run *run, pm_error *err);
void pm_uniform_free(pm_uniform *u);

/* col_of[i] = column matched to row i in matching number `sample`, a function of seed, block and
 * sample alone; independent for different ones. */
void pm_uniform_draw(const pm_uniform *u, uint64_t sample, int32_t *col_of);

#endif
