/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/sampled.h: blocks to be sampled, and moments that are to be the same. */
#ifndef PM_TEST_SAMPLED_H
#define PM_TEST_SAMPLED_H

#include "pm/alloc.h"
#include "sampler/moments.h"
#include "sampler/weight.h"
#include "support/graphs.h"
#include "support/testing.h"

/* Ones on a permutation, and more with probability p. */
void ones_matrix(uint64_t *rng, int n, double p, pm_matrix *a);

/* The same with entries from 1 to 9. */
void entries_matrix(uint64_t *rng, int n, double p, pm_matrix *a);

/* Cleared; free(). */
pm_moments *new_moments(void);

/* Bit by bit; the largest weights in any sequence. */
void assert_same_moments(pm_moments *a, pm_moments *b);

/* So many samples at once by one, and in two parts by the other: the same sums. */
void assert_same_when_cut(const pm_sampler *whole, const pm_sampler *cut, int64_t count,
                          uint64_t *rng);

#endif
