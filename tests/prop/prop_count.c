/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting: every algorithm against the definition and against every other, and the identities
 * that permanents obey.  PM_TEST_SEED repeats a run, PM_TEST_ROUNDS multiplies the rounds. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "pm/algorithms.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "reference/textbook.h"
#include "support/answers.h"
#include "support/graphs.h"
#include "support/matrices.h"

static uint64_t rng;

/* NULL, the automatic choice, then every algorithm of the registry that runs on the CPU. */
enum { ALGORITHMS_MAX = 64 };
static const char *algorithms[ALGORITHMS_MAX];
static int nalgorithms;
static int asked[ALGORITHMS_MAX], answered[ALGORITHMS_MAX]; /* answered: some block was its own */

static void find_algorithms(void)
{
    algorithms[nalgorithms++] = NULL;
    for (int i = 0; pm_algorithm_name(i); ++i)
        if (pm_algorithm_backend(i) == PM_BACKEND_CPU && !pm_algorithm_is_general(i)) {
            assert_true(nalgorithms < ALGORITHMS_MAX);
            algorithms[nalgorithms++] = pm_algorithm_name(i);
        }
}

static bool is_named(const char *algorithm, const char *name)
{
    return algorithm && strcmp(algorithm, name) == 0;
}

/* More than 10^5 transversals, about n! (nnz / n^2)^n. */
static bool has_many_transversals(const pm_matrix *a)
{
    double n = (double)a->nrows, degree = n > 0 ? (double)pm_matrix_nnz(a) / n : 0;
    return n > 0 && lgamma(n + 1) + n * log(fmax(degree, 1e-9) / n) > log(1e5);
}

static pm_count_options random_options(void)
{
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithms[pm_rng_below(&rng, (uint32_t)nalgorithms)];
    o.seed = pm_rng_next(&rng);
    o.transpose = pm_rng_next(&rng) & 1;
    o.reduce = (pm_reduce_options){.blocks = pm_rng_next(&rng) & 1,
                                   .degree1 = pm_rng_next(&rng) & 1,
                                   .degree2 = pm_rng_next(&rng) & 1,
                                   .twins = pm_rng_next(&rng) & 1};
    if (pm_rng_below(&rng, 2))
        o.reduce = pm_reduce_all();
    return o;
}

static void note_answer(const char *algorithm, const pm_count_report *report)
{
    for (int i = 0; i < nalgorithms; ++i) {
        bool is_own = algorithm == algorithms[i] && !algorithm;
        for (int64_t b = 0; b < report->nblocks && !is_own && algorithm == algorithms[i]; ++b)
            is_own = is_named(algorithm, report->blocks[b].algorithm);
        answered[i] += is_own;
        asked[i] += algorithm == algorithms[i];
    }
}

static const double seconds = 0.02; /* predicted, that a named algorithm may take */

/* False when the algorithm that is named is unable to count the matrix, or would take long. */
static bool count_by(const pm_matrix *a, const pm_count_options *o, int threads, pm_value *v)
{
    pm_error err = {.msg = ""};
    pm_run run = {.threads = threads, .max_cost = o->algorithm ? seconds : 0};
    pm_count_report report = {0};
    if (is_named(o->algorithm, "enumerate") && has_many_transversals(a))
        return false;
    pm_status rc = pm_count(a, o, &run, v, &report, &err);
    if (rc == PM_OK)
        note_answer(o->algorithm, &report);
    pm_count_report_free(&report);
    if (rc == PM_UNABLE && o->algorithm)
        return false;
    if (rc)
        print_error("%s: %s\n", o->algorithm ? o->algorithm : "auto", err.msg);
    assert_int_equal(rc, PM_OK);
    return true;
}

static void count_with(const pm_matrix *a, const pm_count_options *o, int threads, pm_value *v)
{
    assert_true(count_by(a, o, threads, v));
}

static void count(const pm_matrix *a, pm_value *v)
{
    pm_count_options o = random_options();
    int threads = 1 + (int)pm_rng_below(&rng, 3);
    if (!count_by(a, &o, threads, v)) {
        o.algorithm = NULL;
        count_with(a, &o, threads, v);
    }
}

static void random_square(pm_field field, int n, pm_matrix *a)
{
    random_matrix(&rng, field, n, n, 0.15 + 0.85 * pm_rng_unit(&rng), a);
}

static void textbooks_agree(const pm_matrix *a, const pm_cnum *exact)
{
    pm_cnum other = {0};
    if (a->nrows > 8)
        return;
    textbook_ryser(a, &other);
    assert_true(pm_cnum_equal(&other, exact));
    pm_cnum_clear(&other);
}

static void against_definition(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(400); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_value_init(&v);
        random_square((pm_field)(round % 4), (int)pm_rng_below(&rng, round % 8 ? 8 : 13), &a);
        textbook_transfer_matrix(&a, &exact);
        textbooks_agree(&a, &exact);
        for (int i = 0; i < nalgorithms; ++i) {
            pm_count_options o = random_options();
            o.algorithm = algorithms[i];
            if (!count_by(&a, &o, 1 + i % 2, &v))
                continue;
            if (!agrees(&v, &exact))
                print_error("round %d, %s, n = %d\n", round, algorithms[i] ? algorithms[i] : "auto",
                            (int)a.nrows);
            assert_true(agrees(&v, &exact));
        }
        pm_cnum_clear(&exact);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

static void algorithms_agree(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(24); ++round) {
        pm_matrix a;
        pm_value v[ALGORITHMS_MAX];
        int n = 14 + (int)pm_rng_below(&rng, 4);
        double p = 0.2 + 0.3 * pm_rng_unit(&rng);
        random_matrix(&rng, (pm_field)(round % 4), n, n, p, &a);
        for (int i = 0; i < nalgorithms; ++i) {
            pm_count_options o = pm_count_defaults();
            o.algorithm = algorithms[i];
            pm_value_init(&v[i]);
            if (!count_by(&a, &o, 2, &v[i]))
                continue;
            if (!values_agree(&v[0], &v[i]))
                print_error("round %d, %s, n = %d\n", round, algorithms[i], n);
            assert_true(values_agree(&v[0], &v[i]));
        }
        for (int i = 0; i < nalgorithms; ++i)
            pm_value_clear(&v[i]);
        pm_matrix_free(&a);
    }
}

/* A second way is another way, and agrees. */
static void verified(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(40); ++round) {
        pm_matrix a;
        pm_value v;
        pm_run run = {.threads = 2};
        random_square((pm_field)(round % 4), 1 + (int)pm_rng_below(&rng, 14), &a);
        pm_count_options o = pm_count_defaults();
        pm_value_init(&v);
        count(&a, &v);
        assert_int_equal(pm_count_verify(&a, &o, &run, &v, NULL), PM_OK);
        if (pm_value_is_exact(&v)) {
            pm_value one;
            pm_value_init(&one);
            pm_value_add(&v, &one);
            assert_int_equal(pm_count_verify(&a, &o, &run, &v, NULL), PM_EINTERNAL);
            pm_value_clear(&one);
        }
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* All precisions within their errors of the definition. */
static void precisions(void **state)
{
    (void)state;
    static const char *const families[] = {"ryser", "product-tree"};
    for (int round = 0; round < test_rounds(120); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_count_options o = random_options();
        o.precision = (pm_precision)(round % 5);
        o.algorithm = families[o.precision >= PM_QUAD ? 0 : pm_rng_below(&rng, 2)];
        random_square(round % 8 < 4 ? PM_REAL : PM_COMPLEX, (int)pm_rng_below(&rng, 11), &a);
        textbook_transfer_matrix(&a, &exact);
        pm_value_init(&v);
        count_with(&a, &o, 1, &v);
        assert_true(agrees(&v, &exact));
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
}

/* One of the numbers by which lines are multiplied. */
static double line_factor(int n)
{
    const double few[] = {1, 1. / n, 3. / 7, 0.1, -5. / 3 * 0x1p-700};
    return pm_rng_below(&rng, 3) ? few[pm_rng_below(&rng, 5)] : 1 - pm_rng_unit(&rng);
}

/* Small integers, rows and columns multiplied by doubles: exactly, or each product rounded. */
static void multiplied_lines(pm_field field, int n, bool is_exact, pm_matrix *a)
{
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    double column[16], density = 0.5 + 0.5 * pm_rng_unit(&rng);
    for (int j = 0; j < n; ++j)
        column[j] = pm_rng_below(&rng, 2) ? line_factor(n) : 1;
    for (int i = 0; i < n; ++i) {
        double row = line_factor(n);
        for (int j = 0; j < n; ++j) {
            pm_dyadic part[2] = {{{0}, 0, 0}}, x = {0}, y = {0};
            if (pm_rng_unit(&rng) > density)
                continue;
            pm_dyadic_set_d(&x, is_exact ? row : row * column[j]);
            pm_dyadic_set_d(&y, is_exact ? column[j] : 1);
            for (int k = 0; k < 2; ++k) {
                pm_dyadic_set_si(&part[k], (int64_t)pm_rng_below(&rng, 13) - 4);
                pm_dyadic_mul(&part[k], &part[k], &x);
                pm_dyadic_mul(&part[k], &part[k], &y);
            }
            assert_int_equal(
                pm_triples_add(&t, i, j, 0, &part[0], field == PM_COMPLEX ? &part[1] : NULL, NULL),
                PM_OK);
            for (int k = 0; k < 2; ++k)
                pm_dyadic_clear(&part[k]);
        }
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "lines", a, NULL), PM_OK);
    pm_triples_free(&t);
}

/* What rows and columns have in common is divided out: the error covers that, too. */
static void common_factors(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(120); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        int n = 1 + (int)pm_rng_below(&rng, round % 8 ? 8 : 12);
        multiplied_lines(round % 2 ? PM_REAL : PM_COMPLEX, n, round % 4 < 2, &a);
        textbook_transfer_matrix(&a, &exact);
        pm_value_init(&v);
        for (int i = 0; i < nalgorithms; ++i) {
            pm_count_options o = random_options();
            o.algorithm = algorithms[i];
            o.precision = i && strcmp(algorithms[i], "ryser") == 0
                              ? (pm_precision)pm_rng_below(&rng, 4)
                              : (pm_precision)pm_rng_below(&rng, 3);
            if (!count_by(&a, &o, 1, &v))
                continue;
            if (!agrees(&v, &exact))
                print_error("round %d, %s, n = %d\n", round, algorithms[i] ? algorithms[i] : "auto",
                            n);
            assert_true(agrees(&v, &exact));
        }
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
}

/* Entries at both ends of what doubles hold, in one matrix. */
static void extreme_entries(void **state)
{
    (void)state;
    static const double entries[] = {1e308, 5e-324, 1, 0x1p-1022, -1e-300, 0x1p1023, 3};
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_count_options o = random_options();
        pm_field field = round % 2 ? PM_REAL : PM_COMPLEX;
        int n = 1 + (int)pm_rng_below(&rng, 6);
        pm_triples t = {.field = field, .nrows = n, .ncols = n};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                pm_dyadic re = {0}, im = {0};
                pm_dyadic_set_d(&re, entries[pm_rng_below(&rng, 7)]);
                if (field == PM_COMPLEX)
                    pm_dyadic_set_d(&im, entries[pm_rng_below(&rng, 7)]);
                pm_triples_add(&t, i, j, 0, &re, field == PM_COMPLEX ? &im : NULL, NULL);
            }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
        pm_triples_free(&t);
        o.precision =
            o.algorithm && strcmp(o.algorithm, "ryser") == 0 ? (pm_precision)(round % 5) : PM_KAHAN;
        textbook_transfer_matrix(&a, &exact);
        pm_value_init(&v);
        if (count_by(&a, &o, 1, &v))
            assert_true(agrees(&v, &exact));
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
}

/* What is chosen, and so every digit, is the same with any number of threads. */
static void threads_change_no_plan(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(20); ++round) {
        pm_matrix a;
        pm_value v;
        pm_count_report one = {0}, many = {0};
        pm_run alone = {.threads = 1}, crowd = {.threads = 16};
        pm_count_options o = pm_count_defaults();
        o.plan_only = true;
        pm_value_init(&v);
        int n = 20 + (int)pm_rng_below(&rng, 8);
        random_matrix(&rng, (pm_field)(round % 4), n, n, 0.2 + 0.3 * pm_rng_unit(&rng), &a);
        assert_int_equal(pm_count(&a, &o, &alone, &v, &one, NULL), PM_OK);
        assert_int_equal(pm_count(&a, &o, &crowd, &v, &many, NULL), PM_OK);
        assert_int_equal(one.nblocks, many.nblocks);
        for (int64_t b = 0; b < one.nblocks; ++b) {
            assert_string_equal(one.blocks[b].algorithm, many.blocks[b].algorithm);
            assert_true(one.blocks[b].order_hash == many.blocks[b].order_hash);
        }
        pm_count_report_free(&one);
        pm_count_report_free(&many);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

static void permuted_rows_and_columns(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        pm_matrix a, b;
        pm_value x, y;
        int32_t p[20], q[20], n = 2 + (int32_t)pm_rng_below(&rng, 18);
        pm_value_init(&x);
        pm_value_init(&y);
        random_matrix(&rng, (pm_field)(round % 4), n, n, 0.1 + 0.3 * pm_rng_unit(&rng), &a);
        random_permutation(&rng, p, n);
        random_permutation(&rng, q, n);
        assert_int_equal(pm_matrix_select(&a, p, n, q, n, &b, NULL), PM_OK);
        pm_count_options o = random_options();
        if (n > 12 && !is_named(o.algorithm, "frontier-rank"))
            o.algorithm = NULL; /* what is fast */
        if (!count_by(&a, &o, 1, &x)) {
            o.algorithm = NULL;
            count_with(&a, &o, 1, &x);
        }
        o.seed = pm_rng_next(&rng);
        count_with(&b, &o, 2, &y);
        assert_true(values_agree(&x, &y));
        pm_value_clear(&x);
        pm_value_clear(&y);
        pm_matrix_free(&a);
        pm_matrix_free(&b);
    }
}

/* [A B; 0 C] has permanent per(A) per(C). */
static void block_products(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        pm_field field = (pm_field)(round % 4);
        pm_matrix whole, a, c;
        pm_value x, y, z;
        int32_t index[16], n = 2 + (int32_t)pm_rng_below(&rng, 8), k = 1;
        k += (int32_t)pm_rng_below(&rng, (uint32_t)(n - 1));
        random_square(field, n, &whole);
        pm_triples t = {.field = field, .nrows = n, .ncols = n};
        for (int32_t i = 0; i < n; ++i)
            for (int64_t e = whole.rowptr[i]; e < whole.rowptr[i + 1]; ++e)
                if (i < k || whole.colind[e] >= k)
                    pm_triples_add(&t, i, whole.colind[e], 0, whole.re ? &whole.re[e] : NULL,
                                   whole.im ? &whole.im[e] : NULL, NULL);
        pm_matrix_free(&whole);
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &whole, NULL), PM_OK);
        for (int32_t i = 0; i < n; ++i)
            index[i] = i;
        assert_int_equal(pm_matrix_select(&whole, index, k, index, k, &a, NULL), PM_OK);
        assert_int_equal(pm_matrix_select(&whole, index + k, n - k, index + k, n - k, &c, NULL),
                         PM_OK);
        pm_value_init(&x);
        pm_value_init(&y);
        pm_value_init(&z);
        count(&whole, &x);
        count(&a, &y);
        count(&c, &z);
        pm_value_mul(&y, &z);
        assert_true(values_agree(&x, &y));
        pm_value_clear(&x);
        pm_value_clear(&y);
        pm_value_clear(&z);
        pm_matrix_free(&whole);
        pm_matrix_free(&a);
        pm_matrix_free(&c);
    }
}

/* per(A) = sum over the entries of row 0 of a_0j per(A without row 0 and column j). */
static void row_expansion(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(20); ++round) {
        pm_matrix a, minor;
        pm_value x, sum, part;
        int32_t rows[16], cols[16], n = 8 + (int32_t)pm_rng_below(&rng, 6);
        random_matrix(&rng, (pm_field)(round % 2), n, n, 0.4, &a);
        pm_value_init(&x);
        pm_value_init(&sum);
        pm_value_init(&part);
        pm_value_set_si(&sum, 0);
        count(&a, &x);
        for (int64_t e = a.rowptr[0]; e < a.rowptr[1]; ++e) {
            for (int32_t i = 0; i + 1 < n; ++i) {
                rows[i] = i + 1;
                cols[i] = i < a.colind[e] ? i : i + 1;
            }
            assert_int_equal(pm_matrix_select(&a, rows, n - 1, cols, n - 1, &minor, NULL), PM_OK);
            count(&minor, &part);
            if (a.re) {
                pm_value weight;
                mpz_t w;
                mpz_init(w);
                pm_dyadic_get_mpz(w, &a.re[e]);
                pm_value_init(&weight);
                pm_value_set_mpz(&weight, w);
                pm_value_mul(&part, &weight);
                pm_value_clear(&weight);
                mpz_clear(w);
            }
            pm_value_add(&sum, &part);
            pm_matrix_free(&minor);
        }
        assert_true(values_agree(&x, &sum));
        pm_value_clear(&x);
        pm_value_clear(&sum);
        pm_value_clear(&part);
        pm_matrix_free(&a);
    }
}

static void any_modulus(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_matrix a;
        pm_value whole, residue;
        random_square((pm_field)(round % 2), 1 + (int)pm_rng_below(&rng, 8), &a);
        pm_value_init(&whole);
        pm_value_init(&residue);
        count(&a, &whole);
        pm_count_options o = random_options();
        o.modulus = 2 + pm_rng_next(&rng) % ((UINT64_C(1) << (1 + pm_rng_below(&rng, 62))) - 1);
        if (o.modulus >= UINT64_C(1) << 62)
            o.modulus = 2;
        if (count_by(&a, &o, 2, &residue))
            assert_int_equal(mpz_fdiv_ui(mpq_numref(whole.exact), o.modulus),
                             mpz_get_ui(mpq_numref(residue.exact)));
        pm_value_clear(&whole);
        pm_value_clear(&residue);
        pm_matrix_free(&a);
    }
}

static void threads_change_no_digit(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(4); ++round)
        for (int i = 1; i < nalgorithms; ++i) {
            pm_matrix a;
            pm_value x, y;
            pm_count_options o = pm_count_defaults();
            o.algorithm = algorithms[i];
            random_matrix(&rng, PM_COMPLEX, 17, 17, 0.7, &a);
            pm_value_init(&x);
            pm_value_init(&y);
            if (count_by(&a, &o, 1, &x)) {
                count_with(&a, &o, 3, &y);
                assert_memory_equal(&x.re, &y.re, sizeof x.re);
                assert_memory_equal(&x.im, &y.im, sizeof x.im);
                assert_memory_equal(&x.error, &y.error, sizeof x.error);
            }
            pm_value_clear(&x);
            pm_value_clear(&y);
            pm_matrix_free(&a);
        }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int i = 0; i < nalgorithms; ++i) {
        pm_matrix a;
        pm_value v;
        pm_run run = {.threads = 1};
        pm_count_options o = pm_count_defaults();
        o.algorithm = algorithms[i];
        random_matrix(&rng, PM_INTEGER, 7, 7, 0.5, &a);
        pm_value_init(&v);
        pm_status rc = PM_ENOMEM;
        for (int64_t k = 1; rc == PM_ENOMEM; ++k) {
            pm_count_report report = {0};
            pm_alloc_fail_at(k);
            rc = pm_count(&a, &o, &run, &v, &report, NULL);
            pm_alloc_fail_at(0);
            assert_true(rc == PM_OK || rc == PM_ENOMEM || (rc == PM_UNABLE && i > 0));
            pm_count_report_free(&report);
        }
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

static pm_block_report plan_of(const pm_matrix *a, const char *algorithm, int threads)
{
    pm_value v;
    pm_count_report report = {0};
    const pm_run run = {.threads = threads};
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.backend = PM_BACKEND_CPU;
    o.plan_only = true;
    o.reduce = (pm_reduce_options){0};
    pm_value_init(&v);
    assert_int_equal(pm_count(a, &o, &run, &v, &report, NULL), PM_OK);
    pm_block_report block = {0};
    for (int64_t b = 0; b < report.nblocks; ++b) { /* none: the count is known */
        block.seconds += report.blocks[b].seconds;
        block.planning_seconds += report.blocks[b].planning_seconds;
    }
    pm_count_report_free(&report);
    pm_value_clear(&v);
    return block;
}

/* Predicted seconds of planning: none for what is counted at once, and the same with any number of
 * threads. */
static double planning_seconds(const pm_matrix *a, const char *algorithm, int threads)
{
    return plan_of(a, algorithm, threads).planning_seconds;
}

/* All stages together take no more than a tenth of a plan that is known from the beginning. */
static void planning_takes_a_tenth(void **state)
{
    (void)state;
    for (int i = 0; i < test_rounds(12); ++i) {
        pm_matrix a;
        random_matrix(&rng, PM_INTEGER, 28 + i % 5, 28 + i % 5, i % 2 ? 0.4 : 0.25, &a);
        pm_block_report ryser = plan_of(&a, "ryser", 1), best = plan_of(&a, NULL, 1);
        assert_true(best.seconds <= ryser.seconds);
        if (best.planning_seconds > 0.1 * ryser.seconds)
            print_error("n = %d: planning %g, ryser %g s\n", 28 + i % 5, best.planning_seconds,
                        ryser.seconds);
        assert_true(best.planning_seconds <= 0.1 * ryser.seconds);
        pm_matrix_free(&a);
    }
}

static void planning_is_predicted(void **state)
{
    (void)state;
    pm_matrix small, large;
    random_matrix(&rng, PM_PATTERN, 4, 4, 1, &small);
    random_matrix(&rng, PM_PATTERN, 32, 32, 0.5, &large); /* 40 take 20 seconds to plan */
    assert_true(planning_seconds(&small, NULL, 1) == 0);
    assert_true(planning_seconds(&small, "ryser", 1) == 0);
    assert_true(planning_seconds(&small, "frontier", 1) > 0);
    double large_seconds = planning_seconds(&large, NULL, 1);
    assert_true(large_seconds > 5e-3 && large_seconds < 21); /* all stages; a search has a limit */
    assert_true(planning_seconds(&large, NULL, 3) == large_seconds);
    pm_matrix_free(&small);
    pm_matrix_free(&large);
}

static void small_cases(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v;
    pm_value_init(&v);
    for (int i = 0; i < nalgorithms; ++i) {
        pm_count_options o = pm_count_defaults();
        o.algorithm = algorithms[i];
        for (int reduce = 0; reduce < 2; ++reduce) {
            if (!reduce)
                o.reduce = (pm_reduce_options){0};
            /* the empty matrix has one perfect matching, a matrix without entries none */
            for (int n = 0; n < 3; ++n) {
                assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, n, n, 0, NULL), PM_OK);
                if (count_by(&a, &o, 1, &v))
                    assert_int_equal(mpq_cmp_si(v.exact, n == 0, 1), 0);
                pm_matrix_free(&a);
            }
            random_matrix(&rng, PM_REAL, 3, 4, 1, &a);
            if (count_by(&a, &o, 1, &v))
                assert_true(pm_value_is_zero(&v));
            pm_matrix_free(&a);
            o.reduce = pm_reduce_all();
        }
    }
    pm_value_clear(&v);
}

/* An algorithm that always refuses would pass all of these tests. */
static void every_algorithm_has_answered(void **state)
{
    (void)state;
    for (int i = 0; i < nalgorithms; ++i) {
        const char *name = algorithms[i] ? algorithms[i] : "auto";
        printf("# %s: %d answers, %d of its own\n", name, asked[i], answered[i]);
        if (!answered[i])
            print_error("%s has never answered\n", name);
        assert_true(answered[i] > 0);
    }
}

/* A planar graph, 36 tilings of 4 x 4 by dominoes, a nearly full one, 265 derangements of 6, one whose layers are
 * repeated, 10946 tilings of 2 x 20, and one with a cyclic symmetry, 720 permutations of 6:
 * between them there is work for every algorithm, whatever the seed. */
static void known_counts(void **state)
{
    (void)state;
    enum { GRAPHS = 4 };
    pm_matrix a[GRAPHS];
    static const int value[GRAPHS] = {36, 265, 10946, 720};
    pm_triples t = {.nrows = 6, .ncols = 6};
    for (int k = 0; k < 36; ++k)
        if (k / 6 != k % 6)
            graphs_add(&t, k / 6, k % 6);
    grid_graph(4, 4, &a[0]);
    graphs_end(&t, &a[1]);
    grid_graph(2, 20, &a[2]);
    dense_graph(6, 1, 1, &a[3]);
    for (int i = 0; i < nalgorithms; ++i)
        for (int k = 0; k < GRAPHS; ++k) {
            pm_value v;
            pm_count_options o = pm_count_defaults();
            o.algorithm = algorithms[i];
            o.reduce = (pm_reduce_options){0};
            pm_value_init(&v);
            if (count_by(&a[k], &o, 1, &v))
                assert_int_equal(mpq_cmp_si(v.exact, value[k], 1), 0);
            pm_value_clear(&v);
        }
    for (int k = 0; k < GRAPHS; ++k)
        pm_matrix_free(&a[k]);
}

int main(void)
{
    rng = test_seed();
    find_algorithms();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_counts),
        cmocka_unit_test(small_cases),
        cmocka_unit_test(against_definition),
        cmocka_unit_test(algorithms_agree),
        cmocka_unit_test(verified),
        cmocka_unit_test(precisions),
        cmocka_unit_test(common_factors),
        cmocka_unit_test(extreme_entries),
        cmocka_unit_test(threads_change_no_plan),
        cmocka_unit_test(permuted_rows_and_columns),
        cmocka_unit_test(block_products),
        cmocka_unit_test(row_expansion),
        cmocka_unit_test(any_modulus),
        cmocka_unit_test(threads_change_no_digit),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(planning_is_predicted),
        cmocka_unit_test(planning_takes_a_tenth),
        cmocka_unit_test(every_algorithm_has_answered),
    };
    return cmocka_run_group_tests_name("count", tests, NULL, NULL);
}
