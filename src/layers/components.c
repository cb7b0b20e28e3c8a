/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layers/components.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

pm_status pm_components_make(const pm_transfer *t, pm_components *m, pm_error *err)
{
    m->first = pm_calloc_array(t->ncomponents + 2, sizeof *m->first);
    m->member = pm_alloc_array(t->states, sizeof *m->member);
    if (!m->first || !m->member)
        return pm_fail_memory(err, "states of layers");
    for (int64_t s = 0; s < t->states; ++s)
        ++m->first[t->component[s] + 2];
    for (int32_t c = 0; c < t->ncomponents; ++c)
        m->first[c + 2] += m->first[c + 1];
    for (int64_t s = 0; s < t->states; ++s)
        m->member[m->first[t->component[s] + 1]++] = (int32_t)s;
    return PM_OK;
}

void pm_components_free(pm_components *m)
{
    free(m->first);
    free(m->member);
    *m = (pm_components){0};
}

void pm_components_set_states(pm_state_vector *v, const pm_components *m, int64_t k)
{
    memset(v->now, 0, (size_t)v->t->widest * sizeof *v->now);
    for (int32_t c = 0; c < v->t->ncomponents; ++c)
        if (k < pm_component_size(m, c))
            v->now[m->member[m->first[c] + k]] = 1 % v->m;
}
