/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_model.h: a block as the beam stores it (pm_sampler.model). */
#ifndef PM_BEAM_MODEL_H
#define PM_BEAM_MODEL_H

#include "beam/beam_plan.h"
#include "sampler/sampler.h"

typedef struct {
    pm_beam_plan plan;
    int32_t nv;    /* vertices of the graph */
    int64_t keep;  /* K: states that a thinning keeps, about */
    int64_t limit; /* states before an edge, at most: 2 K, or the number of all possible states */
} pm_beam_model;

/* Bits of a key in whole bytes. */
static inline int32_t pm_beam_key_bits(const pm_beam_plan *p)
{
    return (p->bits + 7) / 8 * 8;
}

/* The states are thinned if there are more than this after the edge. */
static inline int64_t pm_beam_states_allowed(const pm_beam_model *m, const pm_beam_edge *e)
{
    return e->ends ? m->keep : m->limit;
}

/* The offset (beam/beam_thin.h) of the thinning after edge number `edge` in this sample. */
uint64_t pm_beam_thin_offset_of(const pm_sampler *s, uint64_t sample, int64_t edge);

#endif
