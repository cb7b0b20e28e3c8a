/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sparse methods: every form, order and vector unit against the definition, ranges that add
 * up, predictions against what is done, refusals. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "planner/registry.h"
#include "pm/alloc.h"
#include "reference/textbook.h"
#include "sparse/skip.h"
#include "sparse/sparse_ryser.h"
#include "sparse/transversals.h"
#include "support/answers.h"
#include "support/matrices.h"
#include "sweep/ryser_driver.h"

static uint64_t rng;

/* ---- blocks ---- */

static void random_block(pm_field field, int n, double density, pm_block *b)
{
    pm_matrix a;
    random_matrix(&rng, field, n, n, density, &a);
    as_block(&a, b);
    pm_matrix_free(&a);
}

/* Entries of small size, with a full diagonal. */
static void small_block(pm_field field, int n, double density, pm_block *b)
{
    pm_matrix a;
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            pm_dyadic re = {0}, im = {0};
            if (i != j && pm_rng_unit(&rng) >= density)
                continue;
            if (field == PM_INTEGER)
                pm_dyadic_set_si(&re, (int64_t)pm_rng_below(&rng, 3) - 4);
            if (field >= PM_REAL)
                pm_dyadic_set_d(&re, ldexp(pm_rng_unit(&rng) - 0.3, -(int)pm_rng_below(&rng, 40)));
            if (field == PM_COMPLEX)
                pm_dyadic_set_d(&im, pm_rng_unit(&rng) - 0.5);
            assert_int_equal(pm_triples_add(&t, i, j, 0, field == PM_PATTERN ? NULL : &re,
                                            field == PM_COMPLEX ? &im : NULL, NULL),
                             PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "small", &a, NULL), PM_OK);
    pm_triples_free(&t);
    as_block(&a, b);
    pm_matrix_free(&a);
}

/* ---- values ---- */

/* ---- methods ---- */

static pm_status skip_portable(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    return pm_skip_prepare_isa(s, choice, PM_ISA_PORTABLE, out, err);
}

static pm_status skip_avx2(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    pm_isa isa = pm_isa_best() < PM_ISA_AVX2 ? pm_isa_best() : PM_ISA_AVX2;
    return pm_skip_prepare_isa(s, choice, isa, out, err);
}

enum { WAYS = 2 + 1 + PM_FORMS * 2 * 3 };

/* Way 0 .. WAYS - 1: every method with every choice. */
static void count_way(const pm_block *b, int way, bool transposed, int threads, pm_value *v)
{
    static const pm_sweep_method
        sparse = {.name = "sparyser", .bits = 61, .prepare = pm_sparse_ryser_prepare},
        listed = {.name = "enumerate", .bits = 61, .prepare = pm_transversals_prepare},
        skip[] = {{.name = "skipper", .bits = 61, .prepare = pm_skip_prepare},
                  {.name = "skipper", .bits = 61, .prepare = skip_portable},
                  {.name = "skipper", .bits = 61, .prepare = skip_avx2}};
    pm_run run = {.threads = threads};
    pm_job job = {.block = b, .run = &run};
    pm_error err = {.msg = ""};
    pm_sparse_choice order = {.keep_order = way == 1};
    pm_skip_choice jump = {.form = (pm_form)((way - 3) % PM_FORMS),
                           .keep_order = (way - 3) / PM_FORMS % 2,
                           .piece = 64};
    pm_status rc;
    if (way < 2)
        rc = pm_ryser_driver_permanent(&job, &sparse, &order, transposed, v, &err);
    else if (way == 2)
        rc = pm_ryser_driver_permanent(&job, &listed, NULL, transposed, v, &err);
    else
        rc = pm_ryser_driver_permanent(&job, &skip[(way - 3) / PM_FORMS / 2], &jump, transposed, v,
                                       &err);
    if (rc)
        print_error("%s\n", err.msg);
    assert_int_equal(rc, PM_OK);
}

static void every_way_is_exact(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(32); ++round) {
        pm_block b;
        pm_cnum exact = {0};
        pm_field field = (pm_field)(round % 4);
        int n = 1 + (int)pm_rng_below(&rng, round % 16 < 12 ? 8 : 12);
        /* enumerate visits every transversal */
        double density = 0.15 + (n <= 8 ? 0.8 : 0.4) * pm_rng_unit(&rng);
        if (round % 8 < 4)
            small_block(field, n, density, &b);
        else
            random_block(field, n, density, &b);
        textbook_transfer_matrix(&b.a, &exact);
        for (int way = 0; way < WAYS; ++way) {
            pm_value v;
            pm_value_init(&v);
            count_way(&b, way, pm_rng_next(&rng) & 1, 1 + way % 2, &v);
            if (!agrees(&v, &exact))
                print_error("round %d, way %d, n = %d, field %d\n", round, way, n, field);
            assert_true(agrees(&v, &exact));
            pm_value_clear(&v);
        }
        pm_cnum_clear(&exact);
        pm_block_free(&b);
    }
}

/* Positive entries: at n = 10 subsets cancel five digits, and bounds cost two more. */
static void errors_are_not_empty(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(20); ++round) {
        pm_matrix a;
        pm_block b;
        pm_triples t = {.field = PM_REAL, .nrows = 10, .ncols = 10};
        for (int i = 0; i < 10; ++i)
            for (int j = 0; j < 10; ++j) {
                pm_dyadic re = {0};
                pm_dyadic_set_d(&re, 0.25 + pm_rng_unit(&rng));
                assert_int_equal(pm_triples_add(&t, i, j, 0, &re, NULL, NULL), PM_OK);
            }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "r", &a, NULL), PM_OK);
        pm_triples_free(&t);
        as_block(&a, &b);
        pm_matrix_free(&a);
        for (int way = 0; way < WAYS; ++way) {
            pm_value v;
            if (way == 2) /* 10! transversals */
                continue;
            pm_value_init(&v);
            count_way(&b, way, false, 1, &v);
            assert_true(v.re.hi > 0 && v.error.hi > 0);
            assert_true(pm_xreal_cmpabs(v.error, pm_xreal_mul(v.re, pm_xreal_make(1e-8, 0, 0)))
                        < 0);
            pm_value_clear(&v);
        }
        pm_block_free(&b);
    }
}

/* Larger ones against each other; real ones have a sampled spread. */
static void methods_agree(void **state)
{
    (void)state;
    static const pm_algorithm *const methods[] = {&pm_algorithm_sparyser, &pm_algorithm_skipper,
                                                  &pm_algorithm_enumerate, &pm_algorithm_ryser,
                                                  &pm_algorithm_frontier};
    enum { METHODS = sizeof methods / sizeof *methods };
    for (int round = 0; round < test_rounds(24); ++round) {
        pm_block b;
        pm_field field = (pm_field)(round % 6 < 3 ? 0 : round % 6 - 2);
        pm_value v[METHODS];
        pm_run run = {.threads = 2};
        uint64_t primes[8] = {0};
        int n = field == PM_PATTERN ? 16 + (int)pm_rng_below(&rng, 5) : 20;
        small_block(field, n, 0.12, &b);
        pm_job job = {.block = &b,
                      .run = &run,
                      .memory = INT64_C(1) << 30,
                      .rates = &pm_rates_nominal,
                      .seed = 1};
        for (int i = 0; i < METHODS; ++i) {
            pm_plan plan = {.algorithm = methods[i]};
            pm_error err = {.msg = ""};
            pm_value_init(&v[i]);
            /* the frontier counts modulo primes: it is for the inexact fields here */
            if (methods[i] == &pm_algorithm_frontier && field <= PM_INTEGER)
                continue;
            pm_status rc = methods[i]->plan(&job, &plan, &err);
            if (!rc)
                rc = methods[i]->run(&job, &plan, primes, &v[i], &err);
            if (rc)
                print_error("%s: %s\n", methods[i]->name, err.msg);
            assert_int_equal(rc, PM_OK);
            if (!values_agree(&v[0], &v[i]))
                print_error("round %d, %s, n = %d, field %d\n", round, methods[i]->name, n, field);
            assert_true(values_agree(&v[0], &v[i]));
            pm_plan_free(&plan);
        }
        for (int i = 0; i < METHODS; ++i)
            pm_value_clear(&v[i]);
        pm_block_free(&b);
    }
}

/* ---- ranges ---- */

static void prepare(const pm_square *s, int way, pm_sweep *out)
{
    pm_skip_choice jump = {.form = (pm_form)(way - 2), .piece = s->n > 16 ? 1 << 15 : 256};
    pm_status rc = way == 0   ? pm_sparse_ryser_prepare(s, NULL, out, NULL)
                   : way == 1 ? pm_transversals_prepare(s, NULL, out, NULL)
                              : pm_skip_prepare(s, &jump, out, NULL);
    assert_int_equal(rc, PM_OK);
}

static uint64_t random_cut(const pm_sweep *s)
{
    uint64_t cut = pm_rng_next(&rng) % (s->count + 1);
    return cut / s->grain * s->grain;
}

static void ranges_add_up(void **state)
{
    (void)state;
    pm_run run = {.threads = 2};
    for (int round = 0; round < test_rounds(16); ++round) {
        pm_block b;
        pm_square s;
        small_block((pm_field)(round % 4), round % 8 < 4 ? 20 : 13, 0.1, &b);
        assert_int_equal(pm_square_make(&b, false, 61, 0, &s, NULL), PM_OK);
        for (int way = 0; way < 2 + PM_FORMS; ++way) {
            pm_sweep sweep;
            pm_sum whole, part, sum;
            memset(&sum, 0, sizeof sum);
            prepare(&s, way, &sweep);
            uint64_t cut = random_cut(&sweep), other = random_cut(&sweep);
            uint64_t first = cut < other ? cut : other, last = cut < other ? other : cut;
            uint64_t ends[] = {0, first, last, sweep.count};
            assert_int_equal(pm_sweep_range(&sweep, 0, sweep.count, &run, &whole, NULL), PM_OK);
            for (int i = 0; i < 3; ++i) {
                assert_int_equal(pm_sweep_range(&sweep, ends[i], ends[i + 1], &run, &part, NULL),
                                 PM_OK);
                pm_sum_add(&sum, &part, sweep.limbs);
            }
            assert_memory_equal(whole.limb, sum.limb, (size_t)sweep.limbs * sizeof *whole.limb);
            double error = sweep.rounding * whole.absolute;
            assert_true(dd_distance(sum.re, whole.re) <= error);
            assert_true(dd_distance(sum.im, whole.im) <= error);
            assert_true(fabs(whole.absolute - sum.absolute) <= 1e-12 * whole.absolute);
            assert_true(fabs(whole.spread - sum.spread) <= 1e-6 * whole.spread);
            pm_sweep_free(&sweep);
        }
        pm_square_free(&s);
        pm_block_free(&b);
    }
}

/* 64 rows: a piece of the sum by definition, in numbers of any size. */
static void sixty_four(void **state)
{
    (void)state;
    pm_block b;
    pm_square s;
    pm_sweep sweep;
    pm_sum sum;
    pm_run run = {.threads = 1};
    pm_terms t;
    pm_column_order order;
    small_block(PM_INTEGER, 64, 0.6, &b);
    assert_int_equal(pm_square_make(&b, false, 61, 0, &s, NULL), PM_OK);
    pm_pattern pattern = pm_square_pattern(&s);
    assert_int_equal(pm_column_order_sort(&pattern, order.cols, order.rows, NULL), PM_OK);
    assert_int_equal(pm_terms_make(&s, PM_FORM_BALANCED, &order, &t, NULL), PM_UNABLE);
    assert_int_equal(pm_terms_make(&s, PM_FORM_SIGNS, &order, &t, NULL), PM_OK);
    assert_int_equal(pm_sparse_ryser_prepare(&s, NULL, &sweep, NULL), PM_OK);
    assert_true(sweep.count == UINT64_C(1) << 63 && sweep.limbs == t.limbs && t.limbs > 2);
    uint64_t first = pm_rng_next(&rng) >> 1 & ~UINT64_C(0xff), end = first + 256;
    mpz_t by_definition, term, limbs;
    mpz_inits(by_definition, term, limbs, NULL);
    for (uint64_t g = first; g < end; ++g) {
        mpz_set_si(term, g % 2 ? -1 : 1);
        for (int32_t i = 0; i < t.n; ++i) {
            int64_t x = t.start_re[i];
            for (int k = 0; k < t.flips; ++k)
                for (int32_t e = t.colptr[k]; e < t.colptr[k + 1]; ++e)
                    if (t.rowind[e] == i && (g ^ g >> 1) >> k & 1)
                        x -= t.re[e];
            mpz_mul_si(term, term, x);
        }
        mpz_add(by_definition, by_definition, term);
    }
    assert_int_equal(pm_sweep_range(&sweep, first, end, &run, &sum, NULL), PM_OK);
    mpz_import(limbs, (size_t)sweep.limbs, -1, 8, 0, 0, sum.limb);
    mpz_sub(limbs, limbs, by_definition);
    mpz_fdiv_r_2exp(limbs, limbs, 64 * (mp_bitcnt_t)sweep.limbs);
    assert_int_equal(mpz_sgn(limbs), 0);
    mpz_clears(by_definition, term, limbs, NULL);
    pm_terms_free(&t);
    pm_sweep_free(&sweep);
    pm_square_free(&s);
    pm_block_free(&b);
}

/* ---- predictions ---- */

/* Index by index: g is looked at when no row sum has been zero since before it without change. */
static double visits_by_definition(const pm_terms *t, double *terms)
{
    double visits = 0;
    pm_row_sums x;
    pm_row_sums_at(t, 0, &x);
    *terms = 0;
    for (uint64_t g = 0, until = 0; g < pm_terms_count(t); ++g) {
        if (g)
            pm_row_sums_move(t, g - 1, g, &x);
        if (g < until)
            continue;
        ++visits;
        *terms += !x.zeros;
        for (int32_t i = 0; i < t->n; ++i) {
            if (!(x.zeros >> i & 1))
                continue;
            uint64_t next = g + 1;
            while (next < pm_terms_count(t) && !(t->columns[i] >> __builtin_ctzll(next) & 1))
                ++next;
            until = next > until ? next : until;
        }
    }
    return visits;
}

static void visits_are_predicted(void **state)
{
    (void)state;
    int far = 0, rounds = test_rounds(60);
    for (int round = 0; round < rounds; ++round) {
        pm_block b;
        pm_square s;
        pm_terms t;
        pm_column_order order;
        pm_skip_estimate few, all;
        double terms;
        pm_skip_choice choice = {.form = (pm_form)(round % PM_FORMS)};
        small_block(round % 2 ? PM_PATTERN : PM_INTEGER, 13, 0.1 + 0.3 * pm_rng_unit(&rng), &b);
        assert_int_equal(pm_square_make(&b, false, 61, 0, &s, NULL), PM_OK);
        pm_pattern pattern = pm_square_pattern(&s);
        assert_int_equal(pm_column_order_skip(&pattern, order.cols, order.rows, NULL), PM_OK);
        assert_int_equal(pm_terms_make(&s, choice.form, &order, &t, NULL), PM_OK);
        double visits = visits_by_definition(&t, &terms);
        assert_int_equal(pm_skip_predict(&s, &choice, 1 << 13, &all, NULL), PM_OK);
        assert_int_equal(pm_skip_predict(&s, &choice, 256, &few, NULL), PM_OK);
        /* nothing is drawn at random: terms are counted, visits are an upper bound since jumps
         * meet */
        assert_true(fabs(all.terms - terms) < 0.5);
        assert_true(all.visits > visits - 1.5 && all.visits < 2 * visits + 2);
        assert_true(few.visits > all.visits / 3 && few.visits < 3 * all.visits + 3);
        far += few.visits < all.visits / 1.5 || few.visits > 1.5 * all.visits;
        pm_terms_free(&t);
        pm_square_free(&s);
        pm_block_free(&b);
    }
    assert_true(far <= 2 + rounds / 4); /* 1 in 10,000 or fewer */
}

static void transversals_are_predicted(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(20); ++round) {
        pm_block b;
        pm_square s;
        pm_transversals_estimate e;
        pm_value v;
        pm_value_init(&v);
        small_block(PM_PATTERN, 14, 0.2, &b);
        assert_int_equal(pm_square_make(&b, false, 61, 0, &s, NULL), PM_OK);
        assert_int_equal(pm_transversals_predict(&s, PM_TRANSVERSALS_SAMPLE, INFINITY, &e, NULL),
                         PM_OK);
        count_way(&b, 2, false, 1, &v);
        double count = mpq_get_d(v.exact);
        assert_true(e.nodes >= e.transversals);
        assert_true(e.transversals > count / 2 && e.transversals < 2 * count);
        pm_value_clear(&v);
        pm_square_free(&s);
        pm_block_free(&b);
    }
}

/* The form that the zeros of odd rows need: none of a regular 0/1 matrix of degree 3 vanishes with
 * signs, so all is visited. */
static void balanced_form_skips_odd_rows(void **state)
{
    (void)state;
    pm_matrix a;
    pm_block b;
    pm_square s;
    pm_skip_estimate e[PM_FORMS];
    pm_triples t = {.field = PM_PATTERN, .nrows = 18, .ncols = 18};
    for (int i = 0; i < 18; ++i)
        for (int k = 0; k < 3; ++k)
            assert_int_equal(pm_triples_add(&t, i, (i + k * k) % 18, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "c", &a, NULL), PM_OK);
    pm_triples_free(&t);
    as_block(&a, &b);
    pm_matrix_free(&a);
    assert_int_equal(pm_square_make(&b, false, 61, 0, &s, NULL), PM_OK);
    for (int f = 0; f < PM_FORMS; ++f) {
        pm_skip_choice c = {.form = (pm_form)f};
        assert_int_equal(pm_skip_predict(&s, &c, 256, &e[f], NULL), PM_OK);
    }
    assert_true(fabs(e[PM_FORM_SIGNS].visits - 0x1p17) < 1e-3 * 0x1p17);
    assert_true(e[PM_FORM_BALANCED].visits < 0x1p12);
    assert_true(e[PM_FORM_BALANCED].visits < e[PM_FORM_SUBSETS].visits);
    pm_square_free(&s);
    pm_block_free(&b);
}

/* ---- orders ---- */

static void orders_are_permutations(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(50); ++round) {
        pm_block b;
        pm_square s;
        int n = 1 + (int)pm_rng_below(&rng, 64);
        small_block(PM_PATTERN, n, 0.3 * pm_rng_unit(&rng), &b);
        assert_int_equal(pm_square_make(&b, false, 61, 0, &s, NULL), PM_OK);
        pm_pattern a = pm_square_pattern(&s);
        for (int which = 0; which < 2; ++which) {
            pm_column_order o;
            uint64_t cols = 0, rows = 0;
            pm_status rc =
                (which ? pm_column_order_skip : pm_column_order_sort)(&a, o.cols, o.rows, NULL);
            assert_int_equal(rc, PM_OK);
            for (int k = 0; k < n; ++k) {
                cols |= UINT64_C(1) << o.cols[k];
                rows |= UINT64_C(1) << o.rows[k];
                if (which == 0 && k) {
                    int32_t j = o.cols[k], i = o.cols[k - 1];
                    assert_true(a.colptr[i + 1] - a.colptr[i] <= a.colptr[j + 1] - a.colptr[j]);
                }
            }
            assert_true(cols == UINT64_MAX >> (64 - n) && rows == cols);
            if (which) { /* the first row has fewest columns, and they are the last ones */
                int32_t i = o.rows[0], d = a.rowptr[i + 1] - a.rowptr[i];
                for (int32_t r = 0; r < n; ++r)
                    assert_true(a.rowptr[r + 1] - a.rowptr[r] >= d);
                uint64_t last = 0;
                for (int32_t k = n - d; k < n; ++k)
                    last |= UINT64_C(1) << o.cols[k];
                for (int32_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                    assert_true(last >> a.colind[k] & 1);
            }
        }
        pm_square_free(&s);
        pm_block_free(&b);
    }
}

/* ---- refusals ---- */

static pm_status plan_only(const pm_algorithm *a, const pm_block *b, pm_precision precision)
{
    pm_run run = {.threads = 1};
    pm_job job = {.block = b,
                  .run = &run,
                  .precision = precision,
                  .rates = &pm_rates_nominal,
                  .memory = INT64_C(1) << 32};
    pm_plan plan = {.algorithm = a};
    pm_error err = {.msg = ""};
    pm_status rc = a->plan(&job, &plan, &err);
    assert_true(rc == PM_OK || err.msg[0]);
    if (rc == PM_OK) {
        assert_true(plan.seconds > 0 && plan.operations > 0);
        pm_plan_free(&plan);
    }
    return rc;
}

static void refusals(void **state)
{
    (void)state;
    static const pm_algorithm *const methods[] = {&pm_algorithm_sparyser, &pm_algorithm_skipper,
                                                  &pm_algorithm_enumerate};
    pm_block real, whole, dense, large;
    small_block(PM_REAL, 8, 0.5, &real);
    small_block(PM_INTEGER, 8, 0.5, &whole);
    small_block(PM_PATTERN, 30, 1, &dense);
    small_block(PM_PATTERN, 65, 0.05, &large);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(plan_only(methods[i], &real, PM_QUAD), PM_UNABLE);
        assert_int_equal(plan_only(methods[i], &real, PM_KAHAN), PM_OK);
        assert_int_equal(plan_only(methods[i], &whole, PM_QUAD), PM_OK);
        assert_int_equal(plan_only(methods[i], &large, PM_KAHAN), PM_UNABLE);
    }
    assert_int_equal(plan_only(&pm_algorithm_enumerate, &dense, PM_KAHAN), PM_UNABLE);
    pm_block_free(&real);
    pm_block_free(&whole);
    pm_block_free(&dense);
    pm_block_free(&large);
}

static void out_of_memory(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        static const pm_algorithm *const methods[] = {&pm_algorithm_sparyser, &pm_algorithm_skipper,
                                                      &pm_algorithm_enumerate};
        pm_block b;
        pm_run run = {.threads = 1};
        small_block(i ? PM_INTEGER : PM_COMPLEX, 9, 0.4, &b);
        pm_job job = {
            .block = &b, .run = &run, .rates = &pm_rates_nominal, .memory = INT64_C(1) << 32};
        pm_status rc = PM_ENOMEM;
        for (int64_t k = 1; rc; ++k) {
            pm_plan plan = {.algorithm = methods[i]};
            pm_value v;
            uint64_t residue[8];
            pm_value_init(&v);
            pm_alloc_fail_at(k);
            rc = methods[i]->plan(&job, &plan, NULL);
            if (!rc)
                rc = methods[i]->run(&job, &plan, residue, &v, NULL);
            pm_alloc_fail_at(0);
            assert_true(rc == PM_OK || rc == PM_ENOMEM);
            assert_true(k < 2000 && (k > 5 || rc));
            pm_plan_free(&plan);
            pm_value_clear(&v);
        }
        pm_block_free(&b);
    }
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_is_exact),
        cmocka_unit_test(errors_are_not_empty),
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(ranges_add_up),
        cmocka_unit_test(sixty_four),
        cmocka_unit_test(visits_are_predicted),
        cmocka_unit_test(transversals_are_predicted),
        cmocka_unit_test(balanced_form_skips_odd_rows),
        cmocka_unit_test(orders_are_permutations),
        cmocka_unit_test(refusals),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("sparse", tests, NULL, NULL);
}
