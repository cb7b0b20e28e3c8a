/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/scaling_model.h: a block as the methods of scaling/scaling.c store it (pm_sampler.model).
 * */
#ifndef PM_SCALING_MODEL_H
#define PM_SCALING_MODEL_H

#include "scaling/remainder.h"

typedef struct {
    pm_neighbours lists;
    pm_padded_matrix matrix;
    int interval;           /* the remainder is scaled before every interval-th step, */
    int iterations;         /* with this number of iterations */
    int complete;           /* the last rows that are counted exactly; may exceed lists.n */
    size_t remainder_bytes; /* pm_remainder_bytes(&matrix) */
    bool in_sequence;       /* rows are matched in the order 0, 1, ... */
    bool has_two_sides;     /* scaling++: a step may also choose a column first */
} pm_scaling_model;

/* The number of last rows that are counted exactly. */
static inline int pm_scaling_complete(const pm_scaling_model *m)
{
    return m->complete < m->lists.n ? m->complete : m->lists.n;
}

#endif
