/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/degree_lists.h: samples of rasmussen, rasmussen+, look+ and hub+ for any number of rows
 * and any positive entries, with lists of neighbours.  For patterns of up to 64 rows all choices
 * and weights are the same as those of cuda/degree_masks.h, which describes the methods.
 *
 * With entries a_ij, an unmatched column j is chosen with probability proportional to v_ij T(c_j),
 * where v_ij is the entry in units of 2^-24 of the largest entry of its row, rounded to an integer
 * > 0.  The weight is multiplied by a_ij / probability. */
#ifndef PM_DEGREE_LISTS_H
#define PM_DEGREE_LISTS_H

#include "cuda/sample_sequence.h"
#include "sampler/neighbours.h"

/* A matrix and a method.  Nothing is owned. */
typedef struct {
    const pm_neighbours *lists;
    const uint32_t *table;           /* T(c) < 2^32; below 2^25 where not all entries are 1 */
    const uint32_t *integer_entries; /* v[k] of position k of the rows; NULL: all entries are 1 */
    int in_sequence;                 /* rows are matched in the order 0, 1, ... */
    int forces;                      /* as in pm_degree_masks */
} pm_degree_lists;

/* v[k] for every position k of the rows; l->rowval must not be NULL.  The caller frees it with
 * free().  Returns NULL when out of memory. */
uint32_t *pm_degree_integer_entries(const pm_neighbours *l);

/* Bytes of scratch memory for the functions below. */
size_t pm_degree_lists_scratch(const pm_neighbours *l);
/* Returns the weight of a sample; scratch: any contents, aligned to 4. */
pm_wide_product pm_degree_lists_draw(const pm_degree_lists *g, void *scratch,
                                     pm_sample_sequence *s);

/* A sample in steps.  start: no row and no column is matched.  assign: matches row i with column j,
 * which must have an entry there.  draw_rest: draws the columns of the `steps` unmatched rows and
 * returns the weight of these choices. */
void pm_degree_lists_start(const pm_degree_lists *g, void *scratch);
void pm_degree_lists_assign(const pm_degree_lists *g, void *scratch, int32_t i, int32_t j);
pm_wide_product pm_degree_lists_draw_rest(const pm_degree_lists *g, void *scratch, int32_t steps,
                                          pm_sample_sequence *s);

#endif
