/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random perfect matchings: every one comes as often as its weight says (chi-square).
 * False alarm: 1e-7 a run, 80 p values that are below FREQUENCIES_CHANCE once in 10^9 each. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "matchings/hub_matching.h"
#include "matchings/uniform.h"
#include "pm/alloc.h"
#include "support/matching_frequencies.h"
#include "support/positive.h"

enum { MAX_N = 6, DRAWS = 10000 };

static pm_status make_uniform(const pm_matrix *a, uint64_t seed, uint32_t block, const pm_run *run,
                              pm_uniform *u, pm_error *err)
{
    double bytes;
    pm_status s = pm_uniform_plan(a, seed, block, run, u, &bytes, err);
    if (s != PM_OK)
        return s;
    s = pm_uniform_fill(u, run, err);
    if (s != PM_OK)
        pm_uniform_free(u);
    return s;
}

static void seen_by_frontier(const pm_matrix *a, uint64_t seed, matching_list *l)
{
    pm_uniform u;
    assert_int_equal(make_uniform(a, seed, 1, NULL, &u, NULL), PM_OK);
    for (uint64_t i = 0; i < DRAWS; ++i) {
        int32_t col_of[MAX_N];
        pm_uniform_draw(&u, i, col_of);
        matching_list_see(l, col_of);
    }
    pm_uniform_free(&u);
}

/* The number of tries is U / permanent on average, geometrically distributed. */
static void seen_by_rejection(const pm_matrix *a, uint64_t seed, pm_xreal exact, matching_list *l)
{
    pm_hub_matching h;
    double tries = 0;
    assert_int_equal(pm_hub_matching_make(a, seed, 1, &h, NULL), PM_OK);
    void *scratch = aligned_alloc(64, (h.scratch / 64 + 1) * 64);
    for (uint64_t i = 0; i < DRAWS; ++i) {
        int32_t col_of[MAX_N];
        int64_t t = pm_hub_matching_draw(&h, scratch, i, 1000000, NULL, col_of);
        assert_true(t > 0);
        matching_list_see(l, col_of);
        tries += (double)t;
    }
    double p = 1 / weight_ratio(h.bound, exact);
    assert_true(p < 1 + 1e-9);
    assert_true(fabs(tries / DRAWS - 1 / p) <= 6 * sqrt((1 - p) / DRAWS) / p + 1e-9);
    free(scratch);
    pm_hub_matching_free(&h);
}

static void check_distribution(bool by_rejection)
{
    uint64_t rng = test_seed();
    int graphs = test_rounds(40);
    frequencies f = {0};
    for (int round = 0; round < graphs; ++round) {
        pm_matrix a;
        pm_xreal exact;
        matching_list l;
        positive_matrix(&rng, by_rejection || round % 2 ? PM_PATTERN : PM_INTEGER,
                        1 + (int)pm_rng_below(&rng, MAX_N), 0.4 + 0.6 * pm_rng_unit(&rng), false,
                        &a, &exact);
        matching_list_make(&a, false, &l);
        if (by_rejection)
            seen_by_rejection(&a, rng, exact, &l);
        else
            seen_by_frontier(&a, rng, &l);
        frequencies_add(&f, &l);
        matching_list_free(&l);
        pm_matrix_free(&a);
    }
    frequencies_end(&f);
}

static void test_frontier(void **state)
{
    (void)state;
    check_distribution(false);
}

static void test_rejection(void **state)
{
    (void)state;
    check_distribution(true);
}

/* A large graph: every draw is a perfect matching, and draws depend on their number alone. */
static void test_large(void **state)
{
    enum { N = 300, WIDTH = 4 };
    pm_triples t = {.field = PM_PATTERN, .nrows = N, .ncols = N};
    pm_matrix a;
    pm_uniform u;
    int32_t col_of[N], again[N];
    int stays = 0;
    (void)state;
    for (int i = 0; i < N; ++i)
        for (int k = -WIDTH; k <= WIDTH; ++k)
            if (i + k >= 0 && i + k < N)
                assert_int_equal(pm_triples_add(&t, i, i + k, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &a, NULL), PM_OK);
    assert_int_equal(make_uniform(&a, 3, 0, NULL, &u, NULL), PM_OK);
    for (uint64_t s = 0; s < 50; ++s) {
        char taken[N] = {0};
        pm_uniform_draw(&u, s, col_of);
        for (int i = 0; i < N; ++i) {
            assert_true(entry_at(&a, i, col_of[i]) >= 0);
            assert_false(taken[col_of[i]]);
            taken[col_of[i]] = 1;
            stays += col_of[i] == i;
        }
        pm_uniform_draw(&u, s, again);
        assert_memory_equal(col_of, again, sizeof again);
    }
    assert_true(stays > 50 * N / 50 && stays < 50 * N / 2);
    pm_uniform_free(&u);
    pm_matrix_free(&a);
}

static void test_refusals(void **state)
{
    uint64_t rng = test_seed();
    pm_matrix a;
    pm_xreal exact;
    pm_uniform u;
    pm_error err = {.msg = ""};
    double bytes;
    const pm_run little = {.max_memory = 1000};
    (void)state;
    positive_matrix(&rng, PM_PATTERN, 12, 0.9, false, &a, &exact);
    assert_int_equal(make_uniform(&a, 3, 0, &little, &u, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "allowed"));
    assert_int_equal(pm_uniform_plan(&a, 3, 0, NULL, &u, &bytes, NULL), PM_OK);
    pm_uniform_free(&u);
    const pm_run enough = {.max_memory = (int64_t)bytes};
    assert_int_equal(make_uniform(&a, 3, 0, &enough, &u, &err), PM_OK);
    pm_uniform_free(&u);
    pm_status rc = PM_ENOMEM;
    int failures = 0;
    for (int64_t k = 1; rc != PM_OK; k += 1 + k / 20) {
        err.msg[0] = 0;
        pm_alloc_fail_at(k);
        rc = make_uniform(&a, 3, 0, NULL, &u, &err);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || (rc == PM_ENOMEM && strlen(err.msg) > 0));
        failures += rc != PM_OK;
    }
    assert_true(failures > 20);
    pm_uniform_free(&u);
    pm_matrix_free(&a);
    do {
        positive_matrix(&rng, PM_PATTERN, 5, 0.3, true, &a, &exact);
        if (exact.hi != 0)
            pm_matrix_free(&a);
    } while (exact.hi != 0);
    assert_int_equal(make_uniform(&a, 3, 0, NULL, &u, &err), PM_EDATA);
    pm_matrix_free(&a);
    pm_hub_matching h;
    positive_matrix(&rng, PM_INTEGER, 8, 0.9, false, &a, &exact);
    assert_int_equal(pm_hub_matching_make(&a, 3, 0, &h, &err), PM_UNABLE);
    pm_matrix_make_pattern(&a);
    rc = PM_ENOMEM;
    for (int64_t k = 1; rc != PM_OK; ++k) {
        pm_alloc_fail_at(k);
        rc = pm_hub_matching_make(&a, 3, 0, &h, &err);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || rc == PM_ENOMEM);
    }
    int32_t col_of[8];
    void *scratch = aligned_alloc(64, (h.scratch / 64 + 1) * 64);
    assert_int_equal(pm_hub_matching_draw(&h, scratch, 0, 0, NULL, col_of), 0);
    const pm_run late = {.deadline = 1e-9};
    assert_int_equal(pm_hub_matching_draw(&h, scratch, 0, 1000000, &late, col_of), 0);
    free(scratch);
    pm_hub_matching_free(&h);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frontier),
        cmocka_unit_test(test_rejection),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
