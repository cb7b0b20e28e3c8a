/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/sweep_states.h: vectors over the states, modulo a number. */
#ifndef PM_SWEEP_STATES_H
#define PM_SWEEP_STATES_H

#include <stdint.h>

#include "layers/transfer.h"

/* The values of the graph modulo m, and the multipliers of Shoup's method for them. */
typedef struct {
    const pm_transfer *t;
    uint64_t m;
    uint64_t *value, *multiplier;
    uint64_t *now, *next; /* vectors with room for the widest level */
} pm_state_vector;

/* m: 2 .. 2^62 - 1.  t must stay valid.  Fails: PM_ENOMEM. */
pm_status pm_state_vector_make(const pm_layered *g, const pm_transfer *t, uint64_t m,
                               pm_state_vector *out, pm_error *err);
void pm_state_vector_free(pm_state_vector *v);

/* now = the product of `count` steps and now, from step number `first` on. */
void pm_state_vector_run(pm_state_vector *v, int first, int count, const pm_run *run);
/* now = the transposed product of these steps and now. */
void pm_state_vector_run_back(pm_state_vector *v, int first, int count);

#endif
