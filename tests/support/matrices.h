/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/matrices.h: random matrices of every field. */
#ifndef PM_TEST_MATRICES_H
#define PM_TEST_MATRICES_H

#include <math.h>
#include <stdlib.h>

#include "number/cnum.h"
#include "pm/matrix.h"
#include "pm/reduce.h"
#include "support/testing.h"

/* A small integer as a rule, of 60 bits once in 20. */
int64_t random_entry(uint64_t *rng);

/* Real, or a random_entry(); scaled by 2^600 once in 10. */
void random_real(uint64_t *rng, pm_dyadic *x);

/* nrows x ncols with density p; some lines are made equal, so that twins occur. */
void random_matrix(uint64_t *rng, pm_field field, int nrows, int ncols, double p, pm_matrix *out);

/* n x n and symmetric: each edge with probability p, each entry of the diagonal with probability `loops`. */
void random_symmetric(uint64_t *rng, pm_field field, int n, double p, double loops, pm_matrix *out);

/* Square a as a block without twins; a stays the caller's. */
void as_block(const pm_matrix *a, pm_block *b);

/* p[0] .. p[n-1]: a permutation of 0 .. n-1. */
void random_permutation(uint64_t *rng, int32_t *p, int32_t n);

#endif
