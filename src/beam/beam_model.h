/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_model.h: the model of a beam's sampler. */
#ifndef PM_BEAM_MODEL_H
#define PM_BEAM_MODEL_H

#include "beam/beam_plan.h"
#include "sampler/sampler.h"

typedef struct {
    pm_beam_plan plan;
    int32_t nv;    /* vertices of the graph */
    int64_t keep;  /* K */
    int64_t limit; /* states before an edge, at most: 2 K, or all that there can be */
} pm_beam_model;

/* Bits of a key that are looked at: whole bytes. */
static inline int32_t pm_beam_key_bits(const pm_beam_plan *p)
{
    return (p->bits + 7) / 8 * 8;
}

/* With more states than this after the edge they are thinned. */
static inline int64_t pm_beam_states_allowed(const pm_beam_model *m, const pm_beam_edge *e)
{
    return e->ends ? m->keep : m->limit;
}

/* What the thinning after edge number `edge` of this sample starts from (beam/beam_thin.h). */
uint64_t pm_beam_thin_offset_of(const pm_sampler *s, uint64_t sample, int64_t edge);

#endif
