/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/degree_model.h: a block as the methods of degree/integer_state.c store it
 * (pm_sampler.model). */
#ifndef PM_DEGREE_MODEL_H
#define PM_DEGREE_MODEL_H

#include "cuda/degree_masks.h"
#include "degree/degree_lists.h"
#include "sampler/thread_samples_gpu.h"

typedef struct {
    pm_neighbours lists;
    uint32_t *table;           /* T of cuda/degree_masks.h */
    uint32_t *integer_entries; /* v of degree/degree_lists.h; NULL: all entries are 1 */
    uint64_t *mask;            /* [2 n]: pm_neighbours_masks; NULL: samples are drawn with lists */
    pm_degree_masks by_masks;  /* valid where mask is not NULL */
    pm_degree_lists by_lists;
} pm_degree_model;

#endif
