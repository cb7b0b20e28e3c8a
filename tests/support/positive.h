/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/positive.h: random matrices with positive entries, their permanents as logarithms,
 * and beams over them. */
#ifndef PM_TEST_POSITIVE_H
#define PM_TEST_POSITIVE_H

#include "beam/beam.h"
#include "pm/value.h"
#include "support/matrices.h"

/* Square, of any field but complex; *exact: its permanent, not 0 unless any is true.  Entries of
 * one matrix may differ by many orders of magnitude, but integers are 1 to 9. */
void positive_matrix(uint64_t *rng, pm_field field, int n, double p, bool any, pm_matrix *a,
                     pm_xreal *exact);

double xreal_log10(pm_xreal x);

/* w over x */
double weight_ratio(pm_weight w, pm_xreal x);

/* Scratch of a sampler, aligned as it asks for, with bytes in it that are no zeros. */
void *scratch_of(const pm_sampler *s);

/* The beam as a sampler, of so many states. */
pm_status make_beam(const pm_matrix *a, int64_t states, uint64_t seed, pm_sampler *s);
/* The same of a graph on one set of vertices. */
pm_status make_graph_beam(const pm_matrix *a, int64_t states, uint64_t seed, pm_sampler *s);

#endif
