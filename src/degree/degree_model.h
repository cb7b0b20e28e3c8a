/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/degree_model.h: a block as the methods of degree/integer_state.c have it. */
#ifndef PM_DEGREE_MODEL_H
#define PM_DEGREE_MODEL_H

#include "cuda/degree_masks.h"
#include "degree/degree_lists.h"
#include "sampler/thread_samples_gpu.h"

typedef struct {
    pm_neighbours lists;
    uint32_t *table, *parts;
    uint64_t *mask; /* of the rows, then of the columns; NULL: by lists */
    pm_degree_masks by_masks;
    pm_degree_lists by_lists;
} pm_degree_model;

#endif
