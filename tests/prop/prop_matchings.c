/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matchings that are not perfect: every kind, counted by every algorithm with and without
 * reductions, against the sum over all matchings.  Exact comparisons: no false alarms but for the
 * errors of inexact answers, which are bounds, or estimates that hold with 1e-9.
 * PM_TEST_SEED repeats a run, PM_TEST_ROUNDS multiplies the rounds. */
#include "config.h"

#include <string.h>

#include "number/cnum.h"
#include "pm/algorithms.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/matrices.h"

static uint64_t rng;

static const pm_matching_kind kinds[] = {PM_MATCHING_PERFECT, PM_MATCHING_SATURATING,
                                         PM_MATCHING_ROWS, PM_MATCHING_COLUMNS,
                                         PM_MATCHING_MAXIMUM};
enum { KINDS = sizeof kinds / sizeof *kinds, MOST_COLS = 7 };

/* ---- the definition ---- */

/* sums[k] = the sum over all matchings of k edges of the products of their values; patterns: the
 * number of these matchings.  Row after row, over all sets of columns that are matched. */
typedef struct {
    pm_cnum sum[MOST_COLS + 1];
    int64_t number[MOST_COLS + 1];
} definition;

static void add_row(const pm_matrix *a, int64_t i, pm_cnum *f, int64_t *number)
{
    for (int set = (1 << a->ncols) - 1; set > 0; --set)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int without = set & ~(1 << a->colind[k]);
            pm_cnum x = {0}, y = {0};
            if (without == set)
                continue;
            if (a->re)
                pm_dyadic_set(&x.re, &a->re[k]);
            else
                pm_cnum_set_si(&x, 1);
            if (a->im)
                pm_dyadic_set(&x.im, &a->im[k]);
            pm_cnum_mul(&y, &x, &f[without]);
            pm_cnum_add(&f[set], &f[set], &y);
            number[set] += number[without];
            pm_cnum_clear(&x);
            pm_cnum_clear(&y);
        }
}

static void define(const pm_matrix *a, definition *d)
{
    pm_cnum f[1 << MOST_COLS];
    int64_t number[1 << MOST_COLS] = {1};
    memset(f, 0, sizeof f);
    memset(d, 0, sizeof *d);
    pm_cnum_set_si(&f[0], 1);
    for (int64_t i = 0; i < a->nrows; ++i)
        add_row(a, i, f, number);
    for (int set = 0; set < 1 << a->ncols; ++set) {
        int size = __builtin_popcount((unsigned)set);
        pm_cnum_add(&d->sum[size], &d->sum[size], &f[set]);
        d->number[size] += number[set];
        pm_cnum_clear(&f[set]);
    }
}

static void definition_clear(definition *d)
{
    for (int k = 0; k <= MOST_COLS; ++k)
        pm_cnum_clear(&d->sum[k]);
}

/* The number of edges of a matching of this kind, or -1 when there is none. */
static int size_of(const pm_matrix *a, const definition *d, pm_matching_kind kind)
{
    int r = (int)a->nrows, c = (int)a->ncols, smaller = r < c ? r : c, most = smaller;
    while (d->number[most] == 0)
        --most;
    switch (kind) {
    case PM_MATCHING_PERFECT: return r == c && most == r ? r : -1;
    case PM_MATCHING_SATURATING: return most == smaller ? most : -1;
    case PM_MATCHING_ROWS: return most == r ? most : -1;
    case PM_MATCHING_COLUMNS: return most == c ? most : -1;
    default: return most;
    }
}

/* ---- the tests ---- */

static pm_count_options random_options(const char *algorithm, pm_matching_kind kind)
{
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.kind = kind;
    o.seed = pm_rng_next(&rng);
    o.transpose = pm_rng_next(&rng) & 1;
    if (pm_rng_below(&rng, 2))
        o.reduce = (pm_reduce_options){.blocks = pm_rng_next(&rng) & 1,
                                       .degree1 = pm_rng_next(&rng) & 1,
                                       .degree2 = pm_rng_next(&rng) & 1,
                                       .twins = pm_rng_next(&rng) & 1};
    return o;
}

/* Returns whether the algorithm is able to count this matrix. */
static bool agrees_by(const pm_matrix *a, const pm_count_options *o, const pm_cnum *exact)
{
    pm_error err = {.msg = ""};
    pm_value v;
    pm_run run = {.threads = 1, .max_cost = 1};
    pm_value_init(&v);
    pm_status status = pm_count(a, o, &run, &v, NULL, &err);
    if (status && !(status == PM_UNABLE && o->algorithm))
        print_error("%s: %s\n", o->algorithm ? o->algorithm : "auto", err.msg);
    assert_true(!status || (status == PM_UNABLE && o->algorithm));
    if (!status && !agrees(&v, exact))
        print_error("%s, kind %d, %d x %d\n", o->algorithm ? o->algorithm : "auto", (int)o->kind,
                    (int)a->nrows, (int)a->ncols);
    assert_true(status || agrees(&v, exact));
    pm_value_clear(&v);
    return !status;
}

static void random_rectangle(int round, pm_matrix *a)
{
    int r = (int)pm_rng_below(&rng, 7), c = (int)pm_rng_below(&rng, MOST_COLS + 1);
    if (round % 5 == 0)
        c = r;
    random_matrix(&rng, (pm_field)(round % 4), r, c, 0.1 + 0.9 * pm_rng_unit(&rng), a);
}

/* Is algorithm i for bipartite graphs, on the CPU? */
static bool is_taken(int i)
{
    return pm_algorithm_backend(i) == PM_BACKEND_CPU && !pm_algorithm_is_general(i);
}

/* By every algorithm that runs on the CPU, and the automatic choice. */
static void against_definition(void **state)
{
    static int answered[64];
    const char *name;
    (void)state;
    for (int round = 0; round < test_rounds(400); ++round) {
        pm_matrix a;
        definition d;
        random_rectangle(round, &a);
        define(&a, &d);
        for (int k = 0; k < KINDS; ++k) {
            int size = size_of(&a, &d, kinds[k]);
            const pm_cnum zero = {0}, *exact = size < 0 ? &zero : &d.sum[size];
            pm_count_options o = random_options(NULL, kinds[k]);
            assert_true(agrees_by(&a, &o, exact));
            for (int i = 0; (name = pm_algorithm_name(i)); ++i)
                if (is_taken(i)) {
                    o = random_options(name, kinds[k]);
                    answered[i] += agrees_by(&a, &o, exact);
                }
        }
        definition_clear(&d);
        pm_matrix_free(&a);
    }
    for (int i = 0; (name = pm_algorithm_name(i)); ++i)
        if (is_taken(i)) {
            printf("# %s: %d answers\n", name, answered[i]);
            assert_true(answered[i] > 0);
        }
}

/* A modulus, a given order and a verification give the same count. */
static void other_ways(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_matrix a;
        int32_t order[MOST_COLS + 8];
        pm_value v, w;
        random_rectangle(4 * round + (int)pm_rng_below(&rng, 2), &a);
        pm_count_options o = random_options(NULL, kinds[pm_rng_below(&rng, KINDS)]);
        pm_value_init(&v);
        pm_value_init(&w);
        assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
        assert_int_equal(pm_count_verify(&a, &o, NULL, &v, NULL), PM_OK);

        pm_count_options ordered = o;
        ordered.transpose = false;
        ordered.order_len = a.nrows + a.ncols;
        random_permutation(&rng, order, (int32_t)ordered.order_len);
        ordered.order = order;
        assert_int_equal(pm_count(&a, &ordered, NULL, &w, NULL, NULL), PM_OK);
        assert_true(mpq_equal(v.exact, w.exact));

        o.modulus = 2 + pm_rng_below(&rng, 1000);
        assert_int_equal(pm_count(&a, &o, NULL, &w, NULL, NULL), PM_OK);
        mpz_fdiv_r_ui(mpq_numref(v.exact), mpq_numref(v.exact), o.modulus);
        assert_int_equal(mpz_cmp(mpq_numref(v.exact), mpq_numref(w.exact)), 0);
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
    }
}

/* m workers, n jobs, every worker can do every job: n! / (n - m)!, with many free columns. */
static void complete(void **state)
{
    (void)state;
    static const int sizes[][2] = {{0, 0}, {0, 5}, {3, 3}, {2, 40}, {5, 300}, {12, 14}, {3, 60000}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        int m = sizes[k][0], n = sizes[k][1];
        pm_matrix a;
        pm_value v;
        mpz_t exact;
        pm_count_options o = pm_count_defaults();
        o.kind = PM_MATCHING_SATURATING;
        o.transpose = k & 1;
        assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, m, n, (int64_t)m * n, NULL), PM_OK);
        for (int i = 0; i < m; ++i) {
            for (int j = 0; j < n; ++j)
                a.colind[i * n + j] = j;
            a.rowptr[i + 1] = (int64_t)(i + 1) * n;
        }
        mpz_init_set_ui(exact, 1);
        for (int i = 0; i < m; ++i)
            mpz_mul_ui(exact, exact, (unsigned long)(n - i));
        pm_value_init(&v);
        assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
        assert_int_equal(mpz_cmp(mpq_numref(v.exact), exact), 0);
        pm_value_clear(&v);
        mpz_clear(exact);
        pm_matrix_free(&a);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v;
    pm_count_options o = pm_count_defaults();
    o.kind = PM_MATCHING_MAXIMUM;
    random_matrix(&rng, PM_INTEGER, 6, 7, 0.5, &a);
    pm_value_init(&v);
    pm_status status = PM_ENOMEM;
    for (int64_t k = 1; status == PM_ENOMEM; ++k) {
        pm_alloc_fail_at(k);
        status = pm_count(&a, &o, NULL, &v, NULL, NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
    }
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete),
        cmocka_unit_test(against_definition),
        cmocka_unit_test(other_ways),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("matchings", tests, NULL, NULL);
}
