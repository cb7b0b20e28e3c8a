/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/testing.h"

#include <time.h>

/* PM_TEST_SEED, or `otherwise`; printed */
static uint64_t seed_or(uint64_t otherwise)
{
    const char *given = getenv("PM_TEST_SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 0) : otherwise;
    printf("# PM_TEST_SEED=%llu\n", (unsigned long long)seed);
    fflush(stdout);
    return seed;
}

uint64_t test_seed(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return seed_or((uint64_t)now.tv_sec * 1000003u + (uint64_t)now.tv_nsec);
}

uint64_t test_same_seed(void)
{
    return seed_or(20261127);
}

int test_rounds(int n)
{
    const char *given = getenv("PM_TEST_ROUNDS");
    double rounds = given ? n * atof(given) : n;
    return rounds > 1 ? (int)rounds : 1;
}

bool test_is_very_short(void)
{
    return test_rounds(20) < 2;
}

bool test_waits(uint64_t *rng)
{
    return test_is_very_short() && pm_rng_below(rng, 3) > 0;
}

int test_size(int usual, int small)
{
    return test_rounds(100) < 100 ? small : usual;
}

int test_step(int k)
{
    return test_size(1, k);
}

int test_gap(int call, int few)
{
    return test_step(few) == 1 ? 1 + call / 12 : few;
}

int test_first(uint64_t *rng, int step)
{
    return (int)pm_rng_below(rng, (uint32_t)test_step(step));
}

bool test_goes_on(int round, int n, bool is_enough)
{
    return round < test_rounds(n) || (!is_enough && round < n);
}
