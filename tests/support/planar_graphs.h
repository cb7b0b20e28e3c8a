/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/planar_graphs.h: random planar bipartite graphs, drawn as they grow. */
#ifndef PM_TEST_PLANAR_GRAPHS_H
#define PM_TEST_PLANAR_GRAPHS_H

#include "support/matrices.h"

/* One random entry of the field of t. */
void add_drawn(pm_triples *t, uint64_t *rng, int32_t row, int32_t col);

/* As a matrix of a field, rows and columns numbered at random; not square where the sides differ,
 * which only `wild` ones do. */
void random_planar(uint64_t *rng, pm_field field, int vertices, bool wild, pm_matrix *out);

/* The same with so many more entries, where there is room; all in one row where that is a hub. */
void add_chords(uint64_t *rng, int chords, bool is_hub, pm_matrix *a);

#endif
