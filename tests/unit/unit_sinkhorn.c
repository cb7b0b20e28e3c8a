/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sinkhorn's scaling: sums of 1, factors that belong to it, the limit of the plain iteration, and doubly
 * stochastic matrices made of it. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "bounds/bethe.h"
#include "bounds/bounds.h"
#include "bounds/doubly_stochastic.h"
#include "support/matrices.h"

enum { PRODUCTS = 4000 };
#define TOLERANCE 1e-12

/* A pattern in which every entry is in a perfect matching: the union of `degree` random permutations. */
static void permutations(uint64_t *rng, int n, int degree, pm_matrix *a)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    int32_t *p = malloc((size_t)n * sizeof *p);
    for (int d = 0; d < degree; ++d) {
        random_permutation(rng, p, n);
        for (int i = 0; i < n; ++i)
            assert_int_equal(pm_triples_add(&t, i, p[i], 0, NULL, NULL, NULL), PM_OK);
    }
    free(p);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_IGNORE, "test", a, NULL), PM_OK);
    pm_triples_free(&t);
}

/* Mycielski's graph of chromatic number k: its scaling has entries over many magnitudes, and the plain
 * iteration needs many thousand sweeps. */
static void mycielskian(int k, pm_matrix *a)
{
    int n = 3 * (1 << (k - 2)) - 1;
    char *edge = calloc((size_t)n * (size_t)n, 1);
    edge[1] = edge[n] = 1;
    for (int m = 2; m < n; m = 2 * m + 1)
        for (int u = 0; u < m; ++u) {
            for (int v = 0; v < m; ++v)
                if (edge[u * n + v])
                    edge[u * n + m + v] = edge[(m + v) * n + u] = 1;
            edge[2 * m * n + m + u] = edge[(m + u) * n + 2 * m] = 1;
        }
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (edge[i * n + j])
                assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
    free(edge);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", a, NULL), PM_OK);
    pm_triples_free(&t);
}

static double *random_weights(uint64_t *rng, int64_t nnz, int octaves)
{
    double *w = malloc((size_t)nnz * sizeof *w);
    for (int64_t k = 0; k < nnz; ++k)
        w[k] = exp2(octaves * (pm_rng_unit(rng) - 0.5));
    return w;
}

static void check_sums(const pm_matrix *a, const double *x, double tolerance)
{
    double *sum = calloc((size_t)(2 * a->nrows), sizeof *sum);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            sum[i] += x[k];
            sum[a->nrows + a->colind[k]] += x[k];
        }
    for (int64_t v = 0; v < 2 * a->nrows; ++v)
        assert_true(fabs(sum[v] - 1) <= tolerance);
    free(sum);
}

static void scalings(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        pm_matrix a;
        pm_sinkhorn s;
        permutations(&rng, 1 + (int)pm_rng_below(&rng, 40), 1 + (int)pm_rng_below(&rng, 6), &a);
        double *w = random_weights(&rng, pm_matrix_nnz(&a), round % 30);
        assert_int_equal(pm_sinkhorn_make(&a, NULL, &s, NULL), PM_OK);
        pm_sinkhorn_start(&s, w);
        assert_int_equal(pm_sinkhorn_improve(&s, TOLERANCE, PRODUCTS, NULL), PM_OK);
        assert_true(s.residual <= TOLERANCE);
        check_sums(&a, s.x.a.value, 2 * TOLERANCE);
        for (int64_t i = 0; i < a.nrows; ++i)
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k) {
                double x = s.row[i] * w[k] * s.col[a.colind[k]];
                assert_true(fabs(x - s.x.a.value[k]) <= 1e-12 * x);
            }
        pm_sinkhorn_free(&s);
        free(w);
        pm_matrix_free(&a);
    }
}

/* The limit of dividing columns and rows in turn, where that is quick. */
static void plain_iteration(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(40); round > 0; --round) {
        pm_matrix a;
        pm_sinkhorn s;
        int n = 5 + (int)pm_rng_below(&rng, 10);
        permutations(&rng, n, 2 * n, &a);
        int64_t nnz = pm_matrix_nnz(&a);
        double *w = random_weights(&rng, nnz, 3), sum[20];
        assert_int_equal(pm_sinkhorn_make(&a, NULL, &s, NULL), PM_OK);
        pm_sinkhorn_start(&s, w);
        assert_int_equal(pm_sinkhorn_improve(&s, TOLERANCE, PRODUCTS, NULL), PM_OK);
        for (int sweep = 0; sweep < 4000; ++sweep) {
            memset(sum, 0, sizeof sum);
            for (int64_t k = 0; k < nnz; ++k)
                sum[a.colind[k]] += w[k];
            for (int64_t i = 0; i < n; ++i) {
                double row = 0;
                for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                    row += w[k] /= sum[a.colind[k]];
                for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                    w[k] /= row;
            }
        }
        for (int64_t k = 0; k < nnz; ++k)
            assert_true(fabs(w[k] - s.x.a.value[k]) < 1e-8);
        pm_sinkhorn_free(&s);
        free(w);
        pm_matrix_free(&a);
    }
}

/* Many magnitudes: the sums are exact, and all lower bounds are there. */
static void many_magnitudes(void **state)
{
    (void)state;
    for (int k = 4; k <= 9; ++k) {
        pm_matrix a;
        pm_sinkhorn s;
        pm_bounds bounds;
        bool found;
        mycielskian(k, &a);
        int64_t nnz = pm_matrix_nnz(&a), *b = malloc((size_t)nnz * sizeof *b);
        double *ones = random_weights(&(uint64_t){1}, nnz, 0);
        assert_int_equal(pm_sinkhorn_make(&a, NULL, &s, NULL), PM_OK);
        pm_sinkhorn_start(&s, ones);
        assert_int_equal(pm_doubly_stochastic(&a, &s, PRODUCTS, b, &found, NULL), PM_OK);
        assert_true(found);
        assert_true(s.products < 1500);
        int64_t *sum = calloc((size_t)(2 * a.nrows), sizeof *sum);
        for (int64_t i = 0; i < a.nrows; ++i)
            for (int64_t e = a.rowptr[i]; e < a.rowptr[i + 1]; ++e) {
                assert_true(b[e] >= 1);
                sum[i] += b[e];
                sum[a.nrows + a.colind[e]] += b[e];
            }
        for (int64_t v = 0; v < 2 * a.nrows; ++v)
            assert_int_equal(sum[v], INT64_C(1) << PM_STOCHASTIC_BITS);
        assert_int_equal(pm_bounds_make(&a, NULL, &bounds, NULL), PM_OK);
        assert_true(isfinite(bounds.schrijver) && isfinite(bounds.gurvits));
        assert_true(isfinite(bounds.van_der_waerden) && bounds.lower < bounds.upper);
        /* at the fixed point of belief propagation there is no gap between F and its bound */
        assert_true(bounds.bethe - bounds.schrijver < (double)a.nrows * log10(2) / 2 + 1e-4);
        free(sum);
        free(ones);
        free(b);
        pm_sinkhorn_free(&s);
        pm_matrix_free(&a);
    }
}

/* Large enough for several threads. */
static void threads(void **state)
{
    uint64_t rng = test_seed();
    pm_matrix a;
    pm_bounds one, other;
    (void)state;
    permutations(&rng, 9000, 14, &a);
    assert_int_equal(pm_bounds_make(&a, &(pm_run){.threads = 1}, &one, NULL), PM_OK);
    for (int n = 2; n <= 4; ++n) {
        assert_int_equal(pm_bounds_make(&a, &(pm_run){.threads = n}, &other, NULL), PM_OK);
        assert_memory_equal(&one, &other, sizeof one);
    }
    pm_matrix_free(&a);
}

static void stops(void **state)
{
    uint64_t rng = test_seed();
    pm_matrix a;
    pm_bounds b;
    pm_error err = {.msg = ""};
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.stop = &stop};
    (void)state;
    mycielskian(6, &a);
    assert_int_equal(pm_bounds_make(&a, &run, &b, &err), PM_ESTOPPED);
    assert_string_equal(err.msg, "stopped during belief propagation");
    pm_sinkhorn s;
    double *w = random_weights(&rng, pm_matrix_nnz(&a), 9);
    assert_int_equal(pm_sinkhorn_make(&a, &run, &s, NULL), PM_OK);
    pm_sinkhorn_start(&s, w);
    assert_int_equal(pm_sinkhorn_improve(&s, TOLERANCE, PRODUCTS, &err), PM_ESTOPPED);
    assert_string_equal(err.msg, "stopped during Sinkhorn's scaling");
    pm_sinkhorn_free(&s);
    free(w);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalings),        cmocka_unit_test(plain_iteration),
        cmocka_unit_test(many_magnitudes), cmocka_unit_test(threads),
        cmocka_unit_test(stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
