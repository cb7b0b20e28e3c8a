/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds by the norm of matrices of roots of unity against the norms of some vectors, and against permanents.  Nothing here can fail by
 * chance. */
#include "config.h"

#include <complex.h>
#include <math.h>

#include "count/root_norm.h"
#include "number/dyadic_roots.h"
#include "support/testing.h"

enum { MOST = 9 };

static uint64_t rng;

/* root(order)^power[i][j], times c[i][j]. */
typedef struct {
    int n, order, power[MOST][MOST], c[MOST][MOST];
} table;

static double bound(const table *t)
{
    pm_triples triples = {.field = PM_COMPLEX, .nrows = t->n, .ncols = t->n};
    pm_matrix a = {0};
    pm_root_entries e = {.nnz = 0};
    double log2_norm;
    mpq_t q;
    mpq_init(q);
    for (int i = 0; i < t->n; ++i)
        for (int j = 0; j < t->n; ++j) {
            pm_root_sum x;
            pm_dyadic re = {0}, im = {0};
            pm_root_sum_init(&x);
            mpq_set_si(q, t->c[i][j], 1);
            pm_root_sum_set_power(&x, q, t->order, t->power[i][j]);
            pm_dyadic_set_roots(&re, &x);
            assert_int_equal(pm_triples_add(&triples, i, j, 0, &re, &im, NULL), PM_OK);
            pm_root_sum_clear(&x);
        }
    mpq_clear(q);
    assert_int_equal(pm_matrix_from_triples(&triples, PM_DUPLICATES_ERROR, "test", &a, NULL),
                     PM_OK);
    assert_int_equal(pm_root_entries_make(&a, &e, NULL), PM_OK);
    assert_int_equal(pm_root_norm_log2(&e, &a, &log2_norm, NULL), PM_OK);
    pm_root_entries_free(&e);
    pm_matrix_free(&a);
    return log2_norm;
}

static double complex entry(const table *t, int i, int j)
{
    return t->c[i][j] * cexp(2 * M_PI * I * t->power[i][j] / t->order);
}

static double complex permanent(const table *t, int row, unsigned used)
{
    double complex sum = 0;
    if (row == t->n)
        return 1;
    for (int j = 0; j < t->n; ++j)
        if (!(used >> j & 1))
            sum += entry(t, row, j) * permanent(t, row + 1, used | 1u << j);
    return sum;
}

/* log2 |A x| / |x| of a random x. */
static double some_norm(const table *t)
{
    double complex x[MOST];
    double before = 0, after = 0;
    for (int j = 0; j < t->n; ++j) {
        x[j] = pm_rng_unit(&rng) - 0.5 + I * (pm_rng_unit(&rng) - 0.5);
        before += creal(x[j] * conj(x[j]));
    }
    for (int i = 0; i < t->n; ++i) {
        double complex y = 0;
        for (int j = 0; j < t->n; ++j)
            y += entry(t, i, j) * x[j];
        after += creal(y * conj(y));
    }
    return log2(after / before) / 2;
}

static void random_tables(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        table t = {.n = 1 + (int)pm_rng_below(&rng, 6), .order = 3 + (int)pm_rng_below(&rng, 20)};
        for (int i = 0; i < t.n; ++i)
            for (int j = 0; j < t.n; ++j) {
                t.power[i][j] = (int)pm_rng_below(&rng, (uint32_t)t.order);
                t.c[i][j] = 1 + (int)pm_rng_below(&rng, 5);
            }
        const double most = bound(&t);
        for (int k = 0; k < 10; ++k)
            assert_true(some_norm(&t) < most + 1e-9);
        assert_true(log2(cabs(permanent(&t, 0, 0))) < t.n * most + 1e-9);
    }
}

/* Schur matrices have n^(1/2), and so have ones an exact norm of n. */
static void known(void **state)
{
    (void)state;
    for (int n = 2; n <= MOST; ++n) {
        table t = {.n = n, .order = n};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                t.power[i][j] = i * j % n;
                t.c[i][j] = 1;
            }
        assert_true(fabs(bound(&t) - log2(n) / 2) < 1e-6);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                t.power[i][j] = 0;
        assert_true(fabs(bound(&t) - log2(n)) < 1e-6 && bound(&t) >= log2(n));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_tables), cmocka_unit_test(known)};
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
