/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/testing.h: cmocka, and random numbers whose seed is printed. */
#ifndef PM_TESTING_H
#define PM_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "core/rng.h"

/* PM_TEST_SEED, or the time; printed as a TAP comment, so that a failure can be run again. */
static inline uint64_t test_seed(void)
{
    const char *given = getenv("PM_TEST_SEED");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t seed =
        given ? strtoull(given, NULL, 0) : (uint64_t)now.tv_sec * 1000003u + (uint64_t)now.tv_nsec;
    printf("# PM_TEST_SEED=%llu\n", (unsigned long long)seed);
    fflush(stdout);
    return seed;
}

/* n, times PM_TEST_ROUNDS (a fraction too) when that is set; at least 1. */
static inline int test_rounds(int n)
{
    const char *given = getenv("PM_TEST_ROUNDS");
    double rounds = given ? n * atof(given) : n;
    return rounds > 1 ? (int)rounds : 1;
}

/* From one given case to the next: 1, or k when fewer rounds are wanted. */
static inline int test_step(int k)
{
    return test_rounds(100) < 100 ? k : 1;
}

/* Whether there is a round after so many: test_rounds(n), or n if need be where something must occur
 * and has not occurred often enough. */
static inline bool test_goes_on(int round, int n, bool is_enough)
{
    return round < test_rounds(n) || (!is_enough && round < n);
}

#endif
