/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/testing.h: cmocka, and random numbers whose seed is printed. */
#ifndef PM_TESTING_H
#define PM_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/rng.h"

/* PM_TEST_SEED, or the time; printed as a TAP comment, so that a failure can be run again. */
uint64_t test_seed(void);

/* The same: PM_TEST_SEED, or a constant.  For means of variables with heavy tails, which no number of samples puts near what is
 * expected as often as a false alarm below 1e-6 asks for. */
uint64_t test_same_seed(void);

/* n, times PM_TEST_ROUNDS (a fraction too) when that is set; at least 1. */
int test_rounds(int n);

/* The size of a case: the usual one, or `small` when fewer rounds are wanted (PM_TEST_ROUNDS below 1). */
int test_size(int usual, int small);

/* So few rounds as under valgrind: long cases are left out. */
bool test_is_very_short(void);

/* The same for a long test: true in two of three such runs, in which it is skipped. */
bool test_waits(uint64_t *rng);

/* From one given case to the next: 1, or k when fewer rounds are wanted. */
int test_step(int k);

/* From one call that is made to fail to the next: 1 for the first ones, more later, or `few` when fewer rounds are
 * wanted. */
int test_gap(int call, int few);

/* The first given case: 0, or one of the first `step` when fewer rounds are wanted: other cases in each run. */
int test_first(uint64_t *rng, int step);

/* Whether there is a round after so many: test_rounds(n), or n if need be where something must
 * occur and has not occurred often enough. */
bool test_goes_on(int round, int n, bool is_enough);

#endif
