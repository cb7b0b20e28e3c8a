/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/degree_lists.h: what cuda/degree_masks.h does, for any number of rows and any entries:
 * the same choices and the same weights, by lists of neighbours and counts of what is left.
 *
 * With entries a_ij column j is chosen with probability ~ v_ij T(c_j), v the entry in units of
 * 2^-24 of the largest one in its row, and the weight gets the factor a_ij / probability. */
#ifndef PM_DEGREE_LISTS_H
#define PM_DEGREE_LISTS_H

#include "cuda/sample_sequence.h"
#include "sampler/neighbours.h"

typedef struct {
    const pm_neighbours *lists;
    const uint32_t *table; /* T(c) < 2^32, below 2^25 where there are entries */
    const uint32_t *parts; /* v, one a place of the rows; NULL where all entries are 1 */
    int in_sequence, forces;
} pm_degree_lists;

/* v for every place; l->rowval is not NULL.  NULL when memory ends. */
uint32_t *pm_degree_integer_entries(const pm_neighbours *l);

/* Bytes of scratch memory. */
size_t pm_degree_lists_scratch(const pm_neighbours *l);
pm_wide_product pm_degree_lists_draw(const pm_degree_lists *g, void *scratch,
                                     pm_sample_sequence *s);

/* The same in parts: all is left; row i gets column j, an entry of it; the
 * weight of the `steps` rows left. */
void pm_degree_lists_start(const pm_degree_lists *g, void *scratch);
void pm_degree_lists_assign(const pm_degree_lists *g, void *scratch, int32_t i, int32_t j);
pm_wide_product pm_degree_lists_draw_rest(const pm_degree_lists *g, void *scratch, int32_t steps,
                                          pm_sample_sequence *s);

#endif
