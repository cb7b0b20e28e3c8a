/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/cyclic_blocks.h: blocks modulo primes whose rows are geometric sequences. */
#ifndef PM_TEST_CYCLIC_BLOCKS_H
#define PM_TEST_CYCLIC_BLOCKS_H

#include <stdint.h>

#include "pm/matrix.h"

/* Rows a_i w_i^k with w_i = z^e_i, where n divides the sum of all e_i, so that their product is 1.  p: a prime, 1 modulo n. */
void random_cyclic(uint64_t *rng, int n, uint64_t p, uint64_t *a);
/* The e_i are the multiples of some units, as in Schur matrices, of which these are products with random rows; and, where their sum is not
 * divisible by n, some other numbers. */
void schur_like(uint64_t *rng, int n, uint64_t p, uint64_t *a);
/* Integers from 0 to p - 1. */
void residues_as_matrix(const uint64_t *a, int n, pm_matrix *out);

#endif
