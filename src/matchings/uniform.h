/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matchings/uniform.h: random perfect matchings, each with probability proportional to its weight
 * (the product of its entries; uniform for a pattern).
 *
 * The transfer-matrix method runs forwards once and keeps the states of all levels.  The weight of
 * a state is the sum over all partial matchings that lead to it, exact except for rounding.  A
 * matching is drawn backwards from the last state: at each vertex, one of the states before it and
 * the edge that leads from there are chosen with probability proportional to weight times entry.
 * The states are found in sorted lists.
 *
 * Weights are double-doubles.  A sum or product of positive numbers has a relative error of at most
 * 7 2^-106, so the probability of a matching has a relative error of at most (2 e + 20 v) 2^-103,
 * for e entries and v vertices: below 2^-85 for e = 10^5. */
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
    int64_t nlevels; /* one before the first vertex, and one after each vertex */
    pm_states *level;
    int64_t *edges; /* nlevels entries: the edges 0 .. edges[l] - 1 come before level l */
} pm_uniform;

/* Computes the order.  a: square, n >= 1, entries > 0; may be freed afterwards.
 * block: number of the block; blocks of a graph have different random sequences.
 * *bytes: memory of the states when all of them are reached, an upper bound; may be INFINITY.
 * *out: freed by the caller with pm_uniform_free.
 * Fails: PM_UNABLE the frontier is too wide; what pm_beam_plan_make fails with; PM_ESTOPPED,
 * PM_ENOMEM. */
pm_status pm_uniform_plan(const pm_matrix *a, uint64_t seed, uint32_t block, const pm_run *run,
                          pm_uniform *out, double *bytes, pm_error *err);

/* Computes the states; called once, before pm_uniform_draw.
 * Memory: 8 w + 16 bytes for each state of all levels, for keys of w words of 64 bits.
 * Fails: PM_EDATA there is no perfect matching; PM_UNABLE more than pm_run_memory is needed;
 * PM_ESTOPPED, PM_ENOMEM.  The caller frees *u in any case. */
pm_status pm_uniform_fill(pm_uniform *u, const pm_run *run, pm_error *err);
void pm_uniform_free(pm_uniform *u);

/* The bound of the relative error above: one of the total variation. */
double pm_uniform_total_variation(const pm_uniform *u);

/* col_of[i] = column that is matched to row i in matching number `sample`, a function of seed,
 * block and sample only.  Different matchings are independent. */
void pm_uniform_draw(const pm_uniform *u, uint64_t sample, int32_t *col_of);

#endif
