/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Factors of rows and columns: the sums are 1, also far beyond the range of doubles. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "pm/alloc.h"
#include "pm/value.h"
#include "sinkhorn/line_factors.h"
#include "support/graphs.h"
#include "support/matrices.h"

/* log2 |z| */
static double size_of(const pm_matrix *a, int64_t k)
{
    if (!a->re)
        return 0;
    pm_xreal re = pm_xreal_from_dyadic(&a->re[k]);
    double x = re.hi == 0 ? -INFINITY : log2(fabs(re.hi)) + (double)re.exp;
    if (!a->im)
        return x;
    pm_xreal im = pm_xreal_from_dyadic(&a->im[k]);
    double y = im.hi == 0 ? -INFINITY : log2(fabs(im.hi)) + (double)im.exp;
    double top = fmax(x, y);
    return top + log2(hypot(exp2(x - top), exp2(y - top)));
}

static void check_factors(const pm_matrix *a, const pm_line_factors *f)
{
    double sum[80] = {0}, balance = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        balance += f->row[i] - f->col[i];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            double x = exp2(size_of(a, k) + f->row[i] + f->col[a->colind[k]]);
            sum[i] += x;
            sum[a->nrows + a->colind[k]] += x;
        }
    }
    for (int64_t v = 0; v < 2 * a->nrows; ++v)
        assert_true(fabs(sum[v] - 1) < 1e-8);
    assert_true(fabs(balance) < 1e-6);
}

/* All entries lie in a perfect matching: a cycle of length 2 n, and random entries beside it; rows and
 * columns are multiplied by large powers of two. */
static void make_cycle(uint64_t *rng, pm_field field, int n, double p, pm_matrix *a)
{
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    int64_t row[40], col[40];
    for (int i = 0; i < n; ++i) {
        row[i] = (int64_t)pm_rng_below(rng, 20001) - 10000;
        col[i] = (int64_t)pm_rng_below(rng, 20001) - 10000;
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            if (j != i && j != (i + 1) % n && pm_rng_unit(rng) > p)
                continue;
            pm_dyadic re = {0}, im = {0};
            pm_dyadic_set_si(&re, 1 + (int64_t)pm_rng_below(rng, 9));
            pm_dyadic_set_si(&im, (int64_t)pm_rng_below(rng, 9) - 4);
            if (pm_rng_below(rng, 2))
                pm_dyadic_neg(&re);
            if (field > PM_INTEGER) {
                pm_dyadic_mul_2exp(&re, row[i] + col[j]);
                pm_dyadic_mul_2exp(&im, row[i] + col[j]);
            }
            assert_int_equal(pm_triples_add(&t, i, j, 0, field == PM_PATTERN ? NULL : &re,
                                            field == PM_COMPLEX ? &im : NULL, NULL),
                             PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", a, NULL), PM_OK);
    pm_triples_free(&t);
}

static void factors(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(400); round > 0; --round) {
        pm_matrix a;
        pm_line_factors f;
        pm_error err = {.msg = ""};
        make_cycle(&rng, (pm_field)(round % 4), 1 + (int)pm_rng_below(&rng, 40), pm_rng_unit(&rng),
                   &a);
        pm_status rc = pm_line_factors_make(&a, NULL, &f, &err);
        assert_string_equal(err.msg, "");
        assert_int_equal(rc, PM_OK);
        check_factors(&a, &f);
        pm_line_factors_free(&f);
        pm_matrix_free(&a);
    }
}

/* The sums of the absolute values with these factors, weight for every entry. */
static void check_band(const pm_matrix *a, double weight, const pm_line_factors *f)
{
    double *sum = pm_calloc_array(2 * a->nrows, sizeof *sum);
    assert_non_null(sum);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const double x = weight * exp2(f->row[i] + f->col[a->colind[k]]);
            sum[i] += x;
            sum[a->nrows + a->colind[k]] += x;
        }
    for (int64_t v = 0; v < 2 * a->nrows; ++v)
        assert_true(fabs(sum[v] - 1) < 1e-8);
    free(sum);
}

/* Factors up to 2^(+-1101) and 2^(+-3026), in small and in large matrices; with weights the entries are stored. */
static void beyond_doubles(void **state)
{
    const pm_run run = {.threads = 1};
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        const bool is_large = kind == 2, is_weighted = kind == 1;
        pm_matrix a;
        pm_line_factors f;
        pm_error err = {.msg = ""};
        band_graph(is_large ? 10000 : 2700, is_large ? 2 : 3, 1, &a);
        if (is_weighted) {
            assert_non_null(a.re = pm_calloc_array(pm_matrix_nnz(&a), sizeof *a.re));
            for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
                pm_dyadic_set_si(&a.re[k], 3);
            a.field = PM_INTEGER;
        }
        assert_int_equal(pm_line_factors_make(&a, &run, &f, &err), PM_OK);
        check_band(&a, is_weighted ? 3 : 1, &f);
        assert_true(fabs(f.row[0]) > (is_large ? 3000 : 1100));
        pm_line_factors_free(&f);
        pm_matrix_free(&a);
    }
}

static void refused(void **state)
{
    (void)state;
    for (int n = 2; n < 6; ++n) { /* triangular: only the diagonal is a perfect matching */
        pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
        pm_matrix a;
        pm_line_factors f;
        pm_error err = {.msg = ""};
        for (int i = 0; i < n; ++i)
            for (int j = i; j < n; ++j)
                assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &a, NULL), PM_OK);
        pm_triples_free(&t);
        assert_int_equal(pm_line_factors_make(&a, NULL, &f, &err), PM_UNABLE);
        assert_non_null(strstr(err.msg, "is in no perfect matching"));
        pm_matrix_free(&a);
    }
}

static void no_memory(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int field = PM_PATTERN; field <= PM_COMPLEX; ++field) {
        pm_matrix a;
        pm_line_factors f;
        pm_status rc = PM_ENOMEM;
        int failures = 0;
        make_cycle(&rng, (pm_field)field, 4, 0.5, &a);
        for (int64_t k = 1; rc; ++k) {
            pm_error err = {.msg = ""};
            pm_alloc_fail_at(k);
            rc = pm_line_factors_make(&a, NULL, &f, &err);
            pm_alloc_fail_at(0);
            assert_true(rc == PM_OK || (rc == PM_ENOMEM && strlen(err.msg) > 0));
            failures += rc != PM_OK;
        }
        assert_true(failures > 15);
        pm_line_factors_free(&f);
        pm_matrix_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors),
        cmocka_unit_test(beyond_doubles),
        cmocka_unit_test(refused),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
