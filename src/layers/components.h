/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/components.h: the states of each component of a transfer matrix.  States of different components never meet, so one vector
 * sweeps a state of each at the same time. */
#ifndef PM_COMPONENTS_H
#define PM_COMPONENTS_H

#include "layers/sweep_states.h"

/* The states of component c: member[first[c] .. first[c + 1] - 1]. */
typedef struct {
    int64_t *first;
    int32_t *member;
} pm_components;

/* *m: zeroed before; freed by the caller, also after a failure.  Fails: PM_ENOMEM. */
pm_status pm_components_make(const pm_transfer *t, pm_components *m, pm_error *err);
void pm_components_free(pm_components *m);

static inline int64_t pm_component_size(const pm_components *m, int32_t c)
{
    return m->first[c + 1] - m->first[c];
}

/* now = one state of each component that has more than k: its state number k. */
void pm_components_set_states(pm_state_vector *v, const pm_components *m, int64_t k);

#endif
