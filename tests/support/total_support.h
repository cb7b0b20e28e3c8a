/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/total_support.h: square patterns in which every entry is in a perfect matching, and
 * weights. */
#ifndef PM_TEST_TOTAL_SUPPORT_H
#define PM_TEST_TOTAL_SUPPORT_H

#include "pm/matrix.h"

/* The union of `degree` random permutations.  The caller frees *a. */
void permutations_union(uint64_t *rng, int n, int degree, pm_matrix *a);

/* The pattern of the entries > 0 of an n x n matrix whose rows have `stride` places; the entries into x, by rows.  The caller
 * frees *a. */
void positive_entries(int n, int stride, const double *full, pm_matrix *a, double *x);

/* Mycielski's graph of chromatic number k: its scaling has entries over many magnitudes, and the plain
 * iteration needs many thousand sweeps.  The caller frees *a. */
void mycielskian(int k, pm_matrix *a);

/* Between 2^(-octaves/2) and 2^(octaves/2).  The caller frees them. */
double *random_weights(uint64_t *rng, int64_t nnz, int octaves);

#endif
