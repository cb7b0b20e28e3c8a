/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of ranges against arrays of bits. */
#include "config.h"

#include "support/testing.h"

#include <string.h>

#include "ledger/ranges.h"
#include "pm/alloc.h"

enum { SIZE = 64 };

static uint64_t rng;

typedef struct {
    pm_ranges set;
    bool has[SIZE];
    uint64_t origin; /* index of has[0] */
} pair;

/* Also next to 0, and next to the largest index. */
static uint64_t random_origin(void)
{
    switch (pm_rng_below(&rng, 3)) {
    case 0: return 0;
    case 1: return UINT64_MAX - SIZE;
    default: return pm_rng_next(&rng) % (UINT64_MAX - SIZE);
    }
}

static uint64_t count_of(const pair *p)
{
    uint64_t n = 0;
    for (int i = 0; i < SIZE; ++i)
        n += p->has[i];
    return n;
}

/* Ascending, not empty, not adjacent, and the same indices. */
static void assert_same(const pair *p)
{
    bool has[SIZE] = {false};
    for (int64_t k = 0; k < p->set.count; ++k) {
        const pm_range *r = &p->set.range[k];
        assert_true(r->first < r->end);
        assert_true(k == 0 || p->set.range[k - 1].end < r->first);
        assert_true(r->first >= p->origin && r->end <= p->origin + SIZE);
        for (uint64_t i = r->first; i < r->end; ++i)
            has[i - p->origin] = true;
    }
    assert_memory_equal(has, p->has, sizeof has);
    assert_int_equal(pm_ranges_size(&p->set), count_of(p));
}

static void random_range(int *first, int *end)
{
    *first = (int)pm_rng_below(&rng, SIZE + 1);
    *end = *first + (int)pm_rng_below(&rng, pm_rng_below(&rng, 2) ? 4 : SIZE + 1);
    *end = *end > SIZE ? SIZE : *end;
}

static void ask(const pair *p)
{
    int first, end, gap_first = -1, gap_end;
    pm_range gap = {1, 0};
    bool meets = false;
    random_range(&first, &end);
    for (int i = first; i < end; ++i) {
        meets |= p->has[i];
        if (gap_first < 0 && !p->has[i])
            gap_first = i;
    }
    assert_true(pm_ranges_meet(&p->set, p->origin + (uint64_t)first, p->origin + (uint64_t)end)
                == meets);
    bool got = pm_ranges_gap(&p->set, p->origin + (uint64_t)first, p->origin + (uint64_t)end, &gap);
    assert_true(got == (gap_first >= 0));
    if (!got)
        return;
    for (gap_end = gap_first; gap_end < end && !p->has[gap_end];)
        ++gap_end;
    assert_int_equal(gap.first, p->origin + (uint64_t)gap_first);
    assert_int_equal(gap.end, p->origin + (uint64_t)gap_end);
}

static void against_bits(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(2000); ++round) {
        pair p = {.origin = random_origin()};
        ask(&p);
        for (int k = 0; k < 12; ++k) {
            int first, end;
            random_range(&first, &end);
            for (int i = first; i < end; ++i)
                p.has[i] = true;
            assert_true(
                pm_ranges_add(&p.set, p.origin + (uint64_t)first, p.origin + (uint64_t)end));
            assert_same(&p);
            ask(&p);
        }
        pm_ranges_free(&p.set);
        assert_int_equal(p.set.count, 0);
    }
}

/* Without memory a set stays as it is. */
static void failing_memory(void **state)
{
    (void)state;
    pair p = {.origin = 0};
    int64_t failures = 0;
    for (int i = 0; i < SIZE; i += 2) {
        pm_alloc_fail_at(1);
        bool is_added = pm_ranges_add(&p.set, (uint64_t)i, (uint64_t)i + 1);
        pm_alloc_fail_at(0);
        failures += !is_added;
        p.has[i] = is_added;
        assert_same(&p);
        if (!is_added)
            assert_true(pm_ranges_add(&p.set, (uint64_t)i, (uint64_t)i + 1));
        p.has[i] = true;
        assert_same(&p);
    }
    assert_in_range(failures, 2, SIZE / 4);
    pm_ranges_free(&p.set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_bits),
                                       cmocka_unit_test(failing_memory)};
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
