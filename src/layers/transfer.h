/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/transfer.h: the transfer matrix of a graph in layers, as a product of sparse steps.
 *
 * A step matches the first vertex of a layer that is left.  Before it a state is a set of vertices of this
 * layer and the next one, those that are matched already.  The value of a state is the weighted number of
 * ways to reach it. */
#ifndef PM_TRANSFER_H
#define PM_TRANSFER_H

#include <stdint.h>

#include "layers/layered.h"
#include "pm/run.h"
#include "pm/status.h"

/* Value d after the step = the sum over k = start[d] .. start[d + 1] - 1 of entry[k] times the value
 * source[k] before it. */
typedef struct {
    int64_t from, to; /* states before and after the step */
    int64_t *start;   /* to + 1 entries, for each state after it */
    int32_t *source;  /* start[to] entries */
    int32_t *entry;   /* of the values of the graph, -1: 1; NULL: all are 1 */
} pm_transfer_step;

typedef struct {
    pm_transfer_step *step; /* of the head, of one cycle, and of the tail */
    int head, cycle, tail;  /* numbers of steps */
    int64_t states;         /* before the first step of the cycle, and after the last one */
    int64_t widest;         /* states of the largest level */
    int64_t transitions;    /* of one cycle */
    /* Of a ring: states from which the same state is reached, and a state and those that it reaches, are in one
     * component; of a strip all are in one.  From 0. */
    int32_t *component; /* of the states */
    int32_t ncomponents;
} pm_transfer;

/* g: borrowed during the call only.
 * most: the steps may have so many transitions together.
 * Fails: PM_UNABLE more than `most`, or a ring whose parts have too many vertices; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_transfer_make(const pm_layered *g, int64_t most, const pm_run *run, pm_transfer *out,
                           pm_error *err);
void pm_transfer_free(pm_transfer *t);

#endif
