/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/scaling_model.h: a block as the methods of scaling/scaling.c have it. */
#ifndef PM_SCALING_MODEL_H
#define PM_SCALING_MODEL_H

#include "scaling/remainder.h"

typedef struct {
    pm_neighbours lists;
    pm_padded_matrix whole;
    int interval, sweeps, complete;
    size_t remainder_bytes;
    bool in_sequence, has_two_sides;
} pm_scaling_model;

/* Last rows that are counted exactly. */
static inline int pm_scaling_complete(const pm_scaling_model *m)
{
    return m->complete < m->lists.n ? m->complete : m->lists.n;
}

#endif
