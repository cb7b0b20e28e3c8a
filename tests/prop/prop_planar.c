/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planar graphs, in every field and relabelled: the determinant against the frontier and against
 * the definition.  PM_TEST_SEED repeats a run, PM_TEST_ROUNDS multiplies the rounds. */
#include "config.h"

#include "answers.h"
#include "planar_graphs.h"
#include "pm/alloc.h"
#include "pm/count.h"

static uint64_t rng;

static pm_count_options with(const char *algorithm)
{
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.seed = pm_rng_next(&rng);
    return o;
}

static pm_count_options with_any_reductions(const char *algorithm)
{
    pm_count_options o = with(algorithm);
    o.transpose = pm_rng_below(&rng, 2);
    if (pm_rng_below(&rng, 2))
        o.reduce = (pm_reduce_options){pm_rng_below(&rng, 2), pm_rng_below(&rng, 2),
                                       pm_rng_below(&rng, 2), pm_rng_below(&rng, 2)};
    return o;
}

static void count(const pm_matrix *a, const pm_count_options *o, int threads, pm_value *v)
{
    pm_error err = {""};
    pm_run run = {.threads = threads};
    pm_status rc = pm_count(a, o, &run, v, NULL, &err);
    if (rc)
        print_error("%s\n", err.msg);
    assert_int_equal(rc, PM_OK);
}

static void against_definition(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(2000); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_field field = (pm_field)(round % 4);
        random_planar(&rng, field, 6 + (int)pm_rng_below(&rng, 15), round % 3 == 0, &a);
        if (a.nrows == a.ncols && a.nrows <= 11) {
            pm_count_options o = with_any_reductions("planar");
            pm_value_init(&v);
            permanent_by_expansion(&a, &exact);
            count(&a, &o, 1 + round % 2, &v);
            if (!agrees(&v, &exact))
                print_error("round %d, n = %d\n", round, (int)a.nrows);
            assert_true(agrees(&v, &exact));
            pm_cnum_clear(&exact);
            pm_value_clear(&v);
        }
        pm_matrix_free(&a);
    }
}

static void against_frontier(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_matrix a;
        pm_value x, y, z;
        pm_field field = (pm_field)(round % 4);
        random_planar(&rng, field, 30 + (int)pm_rng_below(&rng, 90), round % 8 == 0, &a);
        pm_count_options planar = with_any_reductions("planar"), frontier = with("frontier");
        pm_count_options any = with(NULL);
        pm_value_init(&x);
        pm_value_init(&y);
        pm_value_init(&z);
        count(&a, &planar, 2, &x);
        count(&a, &frontier, 1, &y);
        count(&a, &any, 2, &z);
        if (!values_agree(&x, &y))
            print_error("round %d, n = %d\n", round, (int)a.nrows);
        assert_true(values_agree(&x, &y));
        assert_true(values_agree(&x, &z));
        pm_value_clear(&x);
        pm_value_clear(&y);
        pm_value_clear(&z);
        pm_matrix_free(&a);
    }
}

/* Real and complex answers are rounded once: the error is 2^-98 of the value at most. */
static void rounded_once(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_matrix a;
        pm_value v;
        pm_field field = round % 2 ? PM_REAL : PM_COMPLEX;
        random_planar(&rng, field, 20 + (int)pm_rng_below(&rng, 80), false, &a);
        pm_count_options o = with("planar");
        o.reduce = (pm_reduce_options){0};
        pm_value_init(&v);
        count(&a, &o, 2, &v);
        pm_xreal size = pm_xreal_add(pm_xreal_abs(v.re), pm_xreal_abs(v.im));
        pm_xreal most = pm_xreal_mul(size, pm_xreal_make(0x1p-98, 0, 0));
        assert_true(pm_xreal_cmpabs(v.error, most) <= 0);
        assert_false(v.is_estimated);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

static void threads_and_ways_change_no_digit(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(40); ++round) {
        pm_matrix a;
        pm_value x, y;
        pm_run run = {.threads = 2};
        random_planar(&rng, (pm_field)(round % 4), 200, false, &a);
        pm_count_options o = with("planar");
        pm_value_init(&x);
        pm_value_init(&y);
        count(&a, &o, 1, &x);
        count(&a, &o, 3, &y);
        assert_true(mpq_equal(x.exact, y.exact));
        assert_memory_equal(&x.re, &y.re, sizeof x.re);
        assert_memory_equal(&x.im, &y.im, sizeof x.im);
        assert_int_equal(pm_count_verify(&a, &o, &run, &x, NULL), PM_OK);
        pm_value_clear(&x);
        pm_value_clear(&y);
        pm_matrix_free(&a);
    }
}

static void any_modulus(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_matrix a;
        pm_value whole, residue;
        random_planar(&rng, (pm_field)(round % 2), 10 + (int)pm_rng_below(&rng, 40), false, &a);
        pm_count_options o = with_any_reductions("planar");
        pm_value_init(&whole);
        pm_value_init(&residue);
        count(&a, &o, 1, &whole);
        o.modulus = 2 + pm_rng_next(&rng) % ((UINT64_C(1) << (1 + pm_rng_below(&rng, 61))) - 1);
        count(&a, &o, 2, &residue);
        assert_int_equal(mpz_fdiv_ui(mpq_numref(whole.exact), o.modulus),
                         mpz_get_ui(mpq_numref(residue.exact)));
        pm_value_clear(&whole);
        pm_value_clear(&residue);
        pm_matrix_free(&a);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int field = 0; field < 4; ++field) {
        pm_matrix a;
        pm_value v;
        pm_run run = {.threads = 1};
        random_planar(&rng, (pm_field)field, 40, false, &a);
        pm_count_options o = with("planar");
        pm_value_init(&v);
        pm_status rc = PM_ENOMEM;
        for (int64_t k = 1; rc; ++k) {
            pm_count_report report = {0};
            pm_alloc_fail_at(k);
            rc = pm_count(&a, &o, &run, &v, &report, NULL);
            pm_alloc_fail_at(0);
            assert_true(rc == PM_OK || rc == PM_ENOMEM);
            pm_count_report_free(&report);
        }
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_definition),
        cmocka_unit_test(against_frontier),
        cmocka_unit_test(rounded_once),
        cmocka_unit_test(threads_and_ways_change_no_digit),
        cmocka_unit_test(any_modulus),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("planar", tests, NULL, NULL);
}
