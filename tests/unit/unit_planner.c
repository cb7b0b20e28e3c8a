/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What algorithms say before they make a plan, against their plans. */
#include "config.h"

#include "planner/candidates.h"
#include "pm/count.h"
#include "support/matrices.h"

static uint64_t rng;

/* The plan of a takes no less than it says; false: there is none. */
static bool keeps_its_word(const pm_algorithm *a, const pm_job *job)
{
    const double least = a->least_seconds(job);
    pm_plan plan;
    pm_error err = {.msg = ""};
    pm_status rc = pm_plan_make(a, job, &plan, &err);
    if (rc == PM_UNABLE)
        return false;
    assert_int_equal(rc, PM_OK);
    if (plan.seconds < least)
        print_error("%s, field %d, n = %d: planned %g s, at least %g\n", a->name,
                    (int)job->block->a.field, (int)job->block->n, plan.seconds, least);
    assert_true(plan.seconds >= least);
    pm_plan_free(&plan);
    return true;
}

/* No sampling, so there are no false alarms. */
static void least_seconds(void **state)
{
    (void)state;
    int plans = 0;
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_matrix a;
        pm_block b;
        pm_run run = {.threads = 1};
        const int n = 2 + (int)pm_rng_below(&rng, 30);
        random_matrix(&rng, (pm_field)(round % 4), n, n, 0.1 + 0.9 * pm_rng_unit(&rng), &a);
        as_block(&a, &b);
        const pm_job job = {.block = &b,
                            .run = &run,
                            .precision = pm_rng_below(&rng, 2) ? PM_KAHAN : PM_QUAD,
                            .rates = &pm_rates_nominal,
                            .memory = INT64_C(1) << 32};
        for (int i = 0; i < PM_NALGORITHMS; ++i)
            if (pm_algorithm_at(i)->least_seconds)
                plans += keeps_its_word(pm_algorithm_at(i), &job);
        pm_block_free(&b);
        pm_matrix_free(&a);
    }
    assert_true(plans > 0);
}

/* ---- rates ---- */

static double planned(const pm_matrix *a, const pm_count_options *opt)
{
    pm_count_report report = {0};
    pm_value v;
    pm_error err = {.msg = ""};
    pm_value_init(&v);
    assert_int_equal(pm_count(a, opt, NULL, &v, &report, &err), PM_OK);
    const double seconds = report.seconds;
    pm_count_report_free(&report);
    pm_value_clear(&v);
    return seconds;
}

/* Only integers are planned with the rates for them.  Beside a block of this size planning is short. */
static void rates_of_integers(void **state)
{
    (void)state;
    for (int field = PM_PATTERN; field <= PM_COMPLEX; ++field) {
        pm_matrix a;
        pm_count_options o = pm_count_defaults();
        o.algorithm = "ryser";
        o.plan_only = true;
        random_matrix(&rng, (pm_field)field, 28, 28, 0.9, &a);
        const double nominal = planned(&a, &o);
        for (int isa = PM_ISA_PORTABLE; isa <= PM_ISA_AVX512IFMA; ++isa) {
            o.integer_rates = pm_rates_nominal_of((pm_isa)isa);
            assert_int_equal(o.integer_rates->isa, isa);
            const double seconds = planned(&a, &o);
            if (field > PM_INTEGER || isa == PM_ISA_AVX512IFMA)
                assert_true(seconds == nominal);
            else if (isa < PM_ISA_AVX512)
                assert_true(seconds > 2 * nominal);
            else
                assert_true(seconds >= nominal);
        }
        o.rates = pm_rates_nominal_of(PM_ISA_PORTABLE);
        assert_true(planned(&a, &o) > nominal || field <= PM_INTEGER);
        pm_matrix_free(&a);
    }
    for (int isa = PM_ISA_PORTABLE; isa <= PM_ISA_AVX512IFMA; ++isa)
        for (int r = 0; r < PM_RATES; ++r)
            assert_true(pm_rates_nominal_of((pm_isa)isa)->seconds[r]
                        >= pm_rates_nominal.seconds[r]);
}

/* ---- prices ---- */

/* Digits that are lost cost twice the time of a short sum, and 0.1 s of a long one. */
static void lost_digits(void **state)
{
    (void)state;
    pm_block b = {.n = 20};
    pm_candidates c = {.job = {.block = &b}};
    const pm_algorithm *sum = pm_algorithm_find("ryser", false, PM_BACKEND_CPU),
                       *frontier = pm_algorithm_find("frontier", false, PM_BACKEND_CPU);
    const pm_plan small = {.algorithm = sum, .seconds = 1e-3},
                  large = {.algorithm = sum, .seconds = 10},
                  other = {.algorithm = frontier, .seconds = 1};
    const pm_plan precise = {.algorithm = sum, .seconds = 1e-3, .is_precise = true};
    assert_true(fabs(pm_candidates_price(&c, &small) - 3e-3) < 1e-9);
    assert_true(fabs(pm_candidates_price(&c, &large) - 10.1) < 1e-9);
    assert_true(fabs(pm_candidates_price(&c, &precise) - 1e-3) < 1e-9);
    assert_true(fabs(pm_candidates_price(&c, &other) - 1) < 1e-9);
    b.n = 100;
    assert_true(fabs(pm_candidates_price(&c, &small) - 0.101) < 1e-9);
    c.job.nmoduli = 1; /* integers */
    assert_true(fabs(pm_candidates_price(&c, &small) - 1e-3) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_seconds),
        cmocka_unit_test(rates_of_integers),
        cmocka_unit_test(lost_digits),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
