/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/triangulations.h: random planar graphs on one set of vertices, and one random edge of any field. */
#ifndef PM_TEST_TRIANGULATIONS_H
#define PM_TEST_TRIANGULATIONS_H

#include "support/matrices.h"

/* Adds an edge with one random weight of the field of t, as two entries. */
void add_random_edge(pm_triples *t, uint64_t *rng, int32_t u, int32_t v);

/* A random triangulation of the sphere, 3 <= vertices <= 400, of whose edges each is kept with the given
 * probability; vertices are numbered at random.  As a symmetric matrix. */
void random_triangulation(uint64_t *rng, pm_field field, int32_t vertices, double kept,
                          pm_matrix *out);

#endif
