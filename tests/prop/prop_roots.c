/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact counts of matrices of sums of roots of unity against the definition, in the arithmetic of number/root_sum.h, which unit_roots
 * tests.  Nothing here can fail by chance. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "number/dyadic_roots.h"
#include "pm/count.h"
#include "support/testing.h"

enum { MOST = 7 };

static uint64_t rng;

typedef struct {
    int rows, cols;
    pm_root_sum at[MOST][MOST];
} table;

static void table_init(table *t, int rows, int cols)
{
    t->rows = rows;
    t->cols = cols;
    for (int i = 0; i < MOST; ++i)
        for (int j = 0; j < MOST; ++j)
            pm_root_sum_init(&t->at[i][j]);
}

static void table_clear(table *t)
{
    for (int i = 0; i < MOST; ++i)
        for (int j = 0; j < MOST; ++j)
            pm_root_sum_clear(&t->at[i][j]);
}

static void random_entry(int32_t order, pm_root_sum *x)
{
    mpq_t q;
    pm_root_sum term;
    mpq_init(q);
    pm_root_sum_init(&term);
    for (int t = 1 + (int)(pm_rng_below(&rng, 3) == 0); t > 0; --t) {
        mpq_set_si(q, (int64_t)pm_rng_below(&rng, 9) - 4,
                   pm_rng_below(&rng, 3) ? 1 : 1 + pm_rng_below(&rng, 12));
        mpq_canonicalize(q);
        pm_root_sum_set_power(&term, q, order, (int64_t)pm_rng_below(&rng, 100));
        assert_true(pm_root_sum_add(x, &term));
    }
    pm_root_sum_clear(&term);
    mpq_clear(q);
}

static void random_table(int rows, int cols, bool symmetric, table *t)
{
    static const int32_t orders[] = {3, 5, 7, 8, 9, 12, 15, 16, 20};
    const int32_t order = orders[pm_rng_below(&rng, sizeof orders / sizeof *orders)];
    const double density = 0.4 + 0.6 * pm_rng_unit(&rng);
    table_init(t, rows, cols);
    for (int i = 0; i < rows; ++i)
        for (int j = symmetric ? i : 0; j < cols; ++j) {
            if (pm_rng_unit(&rng) < density)
                random_entry(order, &t->at[i][j]);
            if (symmetric && j > i)
                pm_root_sum_set(&t->at[j][i], &t->at[i][j]);
        }
}

static void to_matrix(const table *t, pm_matrix *out)
{
    pm_triples triples = {.field = PM_COMPLEX, .nrows = t->rows, .ncols = t->cols};
    for (int i = 0; i < t->rows; ++i)
        for (int j = 0; j < t->cols; ++j) {
            pm_dyadic re = {0}, im = {0};
            if (t->at[i][j].count == 0)
                continue;
            pm_dyadic_set_roots(&re, &t->at[i][j]);
            assert_int_equal(pm_triples_add(&triples, i, j, 0, &re, &im, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&triples, PM_DUPLICATES_ERROR, "test", out, NULL),
                     PM_OK);
}

/* sum += the products of all perfect matchings of rows `row`, ..., or of vertices that are not used. */
static void add_all(const table *t, bool general, int row, unsigned used,
                    const pm_root_sum *product, pm_root_sum *sum)
{
    while (general && row < t->rows && used >> row & 1)
        ++row;
    if (row == t->rows) {
        assert_true(pm_root_sum_add(sum, product));
        return;
    }
    for (int j = general ? row : 0; j < t->cols; ++j) {
        pm_root_sum next;
        if (t->at[row][j].count == 0 || used >> j & 1)
            continue;
        pm_root_sum_init(&next);
        pm_root_sum_set(&next, product);
        assert_true(pm_root_sum_mul(&next, &t->at[row][j]));
        add_all(t, general, row + 1, used | 1u << j | (general ? 1u << row : 0), &next, sum);
        pm_root_sum_clear(&next);
    }
}

static void slow_count(const table *t, bool general, pm_root_sum *sum)
{
    mpq_t one;
    pm_root_sum product;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pm_root_sum_init(&product);
    pm_root_sum_clear(sum);
    pm_root_sum_set_power(&product, one, 1, 0);
    add_all(t, general, 0, 0, &product, sum);
    pm_root_sum_clear(&product);
    mpq_clear(one);
}

static bool equals(const pm_value *v, const pm_root_sum *x)
{
    pm_value wanted;
    pm_value_init(&wanted);
    pm_value_set_roots(&wanted, x);
    char *a = pm_value_text(v), *b = pm_value_text(&wanted);
    const bool is_equal = v->roots
                              ? pm_root_sum_equal(v->roots, x)
                              : !wanted.roots && mpq_equal(v->exact, wanted.exact)
                                    && (v->has_exact_im ? mpq_sgn(v->exact_im) : 0)
                                           == (wanted.has_exact_im ? mpq_sgn(wanted.exact_im) : 0)
                                    && (!v->has_exact_im || !wanted.has_exact_im
                                        || mpq_equal(v->exact_im, wanted.exact_im));
    if (!is_equal)
        print_message("# %s instead of %s\n", a, b);
    free(a);
    free(b);
    pm_value_clear(&wanted);
    return is_equal;
}

/* r = v, whose coefficients are residues modulo p. */
static void get_sum(const pm_value *v, uint64_t p, pm_root_sum *r)
{
    pm_root_sum im;
    pm_root_sum_init(&im);
    pm_root_sum_set_power(r, v->exact, 1, 0);
    if (v->has_exact_im)
        pm_root_sum_set_power(&im, v->exact_im, 4, 1);
    assert_true(pm_root_sum_add(r, &im));
    if (v->roots)
        pm_root_sum_set(r, v->roots);
    for (int32_t k = 0; k < r->count; ++k) {
        assert_int_equal(mpz_cmp_ui(mpq_denref(r->c[k]), 1), 0);
        assert_true(mpq_sgn(r->c[k]) > 0 && mpz_cmp_ui(mpq_numref(r->c[k]), p) < 0);
    }
    pm_root_sum_clear(&im);
}

/* The count modulo a prime differs from the exact one by a sum whose coefficients are multiples of it.  Denominators of
 * entries are at most 12. */
static void check_residue(const pm_matrix *a, const pm_count_options *options,
                          const pm_root_sum *exact)
{
    static const uint64_t primes[] = {13, 1009, (UINT64_C(1) << 61) - 1};
    pm_count_options o = *options;
    pm_root_sum difference;
    pm_value v;
    o.modulus = primes[pm_rng_below(&rng, 3)];
    pm_value_init(&v);
    pm_root_sum_init(&difference);
    assert_int_equal(pm_count(a, &o, NULL, &v, NULL, NULL), PM_OK);
    get_sum(&v, o.modulus, &difference);
    pm_root_sum_neg(&difference);
    assert_true(pm_root_sum_add(&difference, exact));
    for (int32_t k = 0; k < difference.count; ++k)
        assert_true(mpz_divisible_ui_p(mpq_numref(difference.c[k]), o.modulus));
    pm_root_sum_clear(&difference);
    pm_value_clear(&v);
}

/* An order of all vertices, sometimes; freed by the caller. */
static int32_t *random_order(const table *t, pm_count_options *o)
{
    const int32_t n = o->general ? t->rows : t->rows + t->cols;
    int32_t *order = malloc((size_t)n * sizeof *order);
    assert_non_null(order);
    for (int32_t k = 0; k < n; ++k) {
        const uint32_t at = pm_rng_below(&rng, (uint32_t)k + 1);
        order[k] = order[at];
        order[at] = k;
    }
    if (pm_rng_below(&rng, 3) == 0) {
        o->order = order;
        o->order_len = n;
    }
    return order;
}

static void check(const table *t, bool general, pm_matching_kind kind, const pm_root_sum *wanted)
{
    pm_matrix a = {0};
    pm_value v;
    pm_error err = {.msg = ""};
    pm_count_options o = pm_count_defaults();
    const pm_run run = {.threads = 1};
    o.precision = PM_EXACT;
    o.general = general;
    o.kind = kind;
    o.independent = pm_rng_below(&rng, 4) == 0;
    int32_t *order = random_order(t, &o);
    to_matrix(t, &a);
    pm_value_init(&v);
    const pm_status status = pm_count(&a, &o, &run, &v, NULL, &err);
    if (status)
        print_message("# %s\n", err.msg);
    assert_int_equal(status, PM_OK);
    assert_true(equals(&v, wanted));
    if (pm_rng_below(&rng, 2))
        check_residue(&a, &o, wanted);
    free(order);
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

static void random_counts(void **state)
{
    (void)state;
    rng = test_seed();
    for (int round = 0; round < test_rounds(250); ++round) {
        const bool general = round % 3 == 0;
        const int n = 1 + (int)pm_rng_below(&rng, general ? MOST : 5);
        table t;
        pm_root_sum wanted;
        pm_root_sum_init(&wanted);
        random_table(n, n, general, &t);
        slow_count(&t, general, &wanted);
        check(&t, general, PM_MATCHING_PERFECT, &wanted);
        pm_root_sum_clear(&wanted);
        table_clear(&t);
    }
}

/* Every column sum of a wide matrix: matchings that cover all rows are those with added rows of ones, which are in any order. */
static void covered_rows(void **state)
{
    (void)state;
    rng = test_seed();
    mpq_t one;
    mpq_init(one);
    for (int round = 0; round < test_rounds(40); ++round) {
        const int rows = 1 + (int)pm_rng_below(&rng, 3), cols = rows + 1;
        table t;
        pm_root_sum wanted;
        pm_root_sum_init(&wanted);
        random_table(rows, cols, false, &t);
        mpq_set_ui(one, 1, 1);
        t.rows = cols; /* one more row, of ones */
        for (int j = 0; j < cols; ++j)
            pm_root_sum_set_power(&t.at[rows][j], one, 1, 0);
        slow_count(&t, false, &wanted);
        t.rows = rows;
        check(&t, false, PM_MATCHING_ROWS, &wanted);
        pm_root_sum_clear(&wanted);
        table_clear(&t);
    }
    mpq_clear(one);
}

/* ---- Schur matrices ---- */

/* The permanent of (root(n)^(j k)) by its definition: ways[S][e] permutations of the first |S| rows onto the columns S have the
 * exponent e modulo n. */
static void schur(int32_t n, mpz_t out)
{
    static int64_t ways[1 << 11][11];
    mpq_t *c = malloc((size_t)n * sizeof *c);
    pm_root_sum sum;
    memset(ways, 0, sizeof ways);
    ways[0][0] = 1;
    for (int s = 0; s < 1 << n; ++s)
        for (int k = 0; k < n; ++k)
            for (int e = 0; e < n && !(s >> k & 1); ++e)
                ways[s | 1 << k][(e + __builtin_popcount((unsigned)s) * k) % n] += ways[s][e];
    for (int e = 0; e < n; ++e) {
        mpq_init(c[e]);
        mpq_set_si(c[e], ways[(1 << n) - 1][e], 1);
    }
    pm_root_sum_init(&sum);
    pm_root_sum_set_powers(&sum, n, c);
    assert_true(pm_root_sum_is_rational(&sum));
    for (int e = 0; e < n; ++e)
        mpq_clear(c[e]);
    mpq_t q;
    mpq_init(q);
    pm_root_sum_get_rational(q, &sum);
    mpz_set(out, mpq_numref(q));
    mpq_clear(q);
    free(c);
    pm_root_sum_clear(&sum);
}

static void schur_matrices(void **state)
{
    (void)state;
    mpq_t one;
    mpz_t wanted;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpz_init(wanted);
    for (int32_t n = 1; n <= 11; ++n) {
        pm_triples triples = {.field = PM_COMPLEX, .nrows = n, .ncols = n};
        pm_matrix a = {0};
        pm_value v;
        pm_count_report report = {0};
        pm_count_options o = pm_count_defaults();
        o.precision = PM_EXACT;
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                pm_root_sum root;
                pm_dyadic re = {0}, im = {0};
                pm_root_sum_init(&root);
                pm_root_sum_set_power(&root, one, n, j * k);
                pm_dyadic_set_roots(&re, &root);
                assert_int_equal(pm_triples_add(&triples, j, k, 0, &re, &im, NULL), PM_OK);
                pm_root_sum_clear(&root);
            }
        assert_int_equal(pm_matrix_from_triples(&triples, PM_DUPLICATES_ERROR, "test", &a, NULL),
                         PM_OK);
        pm_value_init(&v);
        schur(n, wanted);
        assert_int_equal(pm_count(&a, &o, NULL, &v, &report, NULL), PM_OK);
        assert_true(!v.roots && mpz_cmp_ui(mpq_denref(v.exact), 1) == 0);
        assert_int_equal(mpz_cmp(mpq_numref(v.exact), wanted), 0);
        /* the values of all conjugates are equal, and the bound is n!: one count of one prime */
        if (n >= 3)
            assert_int_equal(report.blocks[0].residues, 1);
        pm_count_report_free(&report);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
    mpz_clear(wanted);
    mpq_clear(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_counts),
                                       cmocka_unit_test(covered_rows),
                                       cmocka_unit_test(schur_matrices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
