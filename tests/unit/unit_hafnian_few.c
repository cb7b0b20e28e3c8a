/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real and complex hafnians of few vertices: within their errors of the exact value, the same digits by every vector unit, and which
 * matrices are taken.  All comparisons are exact or within proven errors, so no test fails by chance. */
#include "config.h"

#include <math.h>

#include "hafnian/hafnian_few.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/hafnian_kernels.h"
#include "support/matrices.h"

static uint64_t rng;

/* 53 bits with a sign, and a size from 2^-61 to 2^60 or near 1; a zero in one of eight. */
static double random_part(bool is_near)
{
    const int exponent = is_near ? 0 : (int)pm_rng_below(&rng, 121) - 60;
    if (pm_rng_below(&rng, 8) == 0)
        return 0;
    return ldexp(0.5 + pm_rng_unit(&rng) / 2, exponent) * (pm_rng_below(&rng, 2) ? 1 : -1);
}

static void add_edge(pm_triples *t, int i, int j, double re, double im)
{
    pm_dyadic x = pm_dyadic_from_d(re), y = pm_dyadic_from_d(im);
    assert_int_equal(pm_triples_add(t, i, j, 0, &x, t->field == PM_COMPLEX ? &y : NULL, NULL),
                     PM_OK);
}

static void random_graph(int n, pm_field field, bool has_loops, bool is_positive, pm_matrix *out)
{
    const bool is_near = pm_rng_below(&rng, 2);
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = has_loops ? i : i + 1; j < n; ++j) {
            const double x = random_part(is_near), re = is_positive ? fabs(x) : x,
                         im = field == PM_COMPLEX ? random_part(is_near) : 0;
            if (re == 0 && im == 0)
                continue;
            add_edge(&t, i, j, re, im);
            if (j > i)
                add_edge(&t, j, i, re, im);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "few", out, NULL), PM_OK);
    pm_triples_free(&t);
}

/* ---- values ---- */

static void count_exact(const pm_matrix *a, pm_value *v)
{
    const pm_run run = {.threads = 1};
    pm_count_options o = pm_count_defaults();
    o.general = true;
    o.precision = PM_EXACT;
    assert_int_equal(pm_count(a, &o, &run, v, NULL, NULL), PM_OK);
}

/* |part - exact| <= error */
static bool is_within(pm_xreal part, pm_xreal error, const mpq_t exact)
{
    mpq_t x, e;
    mpq_inits(x, e, NULL);
    xreal_to_mpq(part, x);
    xreal_to_mpq(error, e);
    mpq_sub(x, x, exact);
    mpq_abs(x, x);
    const bool is_close = mpq_cmp(x, e) <= 0;
    mpq_clears(x, e, NULL);
    return is_close;
}

static void compare(int n, pm_field field, bool has_loops, bool is_positive)
{
    pm_matrix a = {0};
    pm_value v, exact;
    pm_value_init(&v);
    pm_value_init(&exact);
    random_graph(n, field, has_loops, is_positive, &a);
    assert_true(pm_hafnian_is_few(&a));
    pm_hafnian_few_count(&a, &v);
    count_exact(&a, &exact);
    assert_true(is_within(v.re, v.error, exact.exact));
    mpq_t zero;
    mpq_init(zero);
    assert_true(is_within(v.im, v.error, exact.has_exact_im ? exact.exact_im : zero));
    mpq_clear(zero);
    /* an error that is far too large would hold everything */
    if (is_positive && v.re.hi > 0)
        assert_true(pm_xreal_ratio(v.error, v.re) < 0x1p-93);
    pm_value_clear(&v);
    pm_value_clear(&exact);
    pm_matrix_free(&a);
}

static void values(void **state)
{
    (void)state;
    for (int round = test_rounds(400); round > 0; --round) {
        const int n = 1 + (int)pm_rng_below(&rng, round % 8 ? 8 : PM_HAFNIAN_FEW);
        const pm_field field = round % 2 ? PM_REAL : PM_COMPLEX;
        const bool has_loops = n % 2 || pm_rng_below(&rng, 2);
        compare(n, field, has_loops, field == PM_REAL && round % 3 == 0);
    }
}

/* ---- vector units ---- */

static void vector_units(void **state)
{
    const pm_hafnian_kernels *k[3];
    const int count = hafnian_kernels(k);
    (void)state;
    for (int round = test_rounds(100); round > 0; --round) {
        double x[3][7] = {{0}};
        pm_hafnian_few g = {.n = 2 * (1 + (int)pm_rng_below(&rng, PM_HAFNIAN_FEW / 2)),
                            .sheets = 1 + (int)pm_rng_below(&rng, 2)};
        for (int i = 0; i < g.n; ++i)
            for (int j = 0; j <= i; ++j) {
                g.a[i][j].re = g.a[j][i].re = random_part(true);
                g.a[i][j].im = g.a[j][i].im = random_part(true);
            }
        for (int i = 0; i < count; ++i) {
            k[i]->few_real(&g, x[i]);
            k[i]->few_complex(&g, x[i] + 2);
            k[i]->few_size(&g, x[i] + 6);
            assert_memory_equal(x[i], x[0], sizeof x[0]);
        }
    }
}

/* ---- which are taken ---- */

static bool is_taken(int n, double x)
{
    pm_matrix a = {0};
    pm_triples t = {.field = PM_REAL, .nrows = n, .ncols = n};
    add_edge(&t, 0, n - 1, x, 0);
    add_edge(&t, n - 1, 0, x, 0);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "few", &a, NULL), PM_OK);
    const bool is_few = pm_hafnian_is_few(&a);
    pm_matrix_free(&a);
    pm_triples_free(&t);
    return is_few;
}

/* Two vertices, and the number x between them. */
static bool is_number_taken(const pm_dyadic *x)
{
    const int64_t rowptr[] = {0, 1, 2};
    int32_t colind[] = {1, 0};
    pm_dyadic re[] = {*x, *x};
    const pm_matrix a = {.field = PM_REAL,
                         .nrows = 2,
                         .ncols = 2,
                         .rowptr = (int64_t *)(uintptr_t)rowptr,
                         .colind = colind,
                         .re = re};
    return pm_hafnian_is_few(&a);
}

static void limits(void **state)
{
    const pm_dyadic long_number = pm_dyadic_from_si((INT64_C(1) << 53) + 1);
    pm_dyadic below_doubles = pm_dyadic_from_si(1), above_doubles = below_doubles;
    below_doubles.exp = -1300; /* its double is 0 */
    above_doubles.exp = 1300;
    (void)state;
    assert_true(is_taken(PM_HAFNIAN_FEW, 1));
    assert_false(is_taken(PM_HAFNIAN_FEW + 1, 1));
    assert_true(is_taken(4, nextafter(0x1p60, 0)));
    assert_false(is_taken(4, 0x1p60));
    assert_true(is_taken(4, -0x1p-61));
    assert_false(is_taken(4, nextafter(0x1p-61, 0)));
    assert_false(is_taken(4, 0x1p-1074));
    assert_false(is_number_taken(&long_number));
    assert_false(is_number_taken(&below_doubles));
    assert_false(is_number_taken(&above_doubles));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(vector_units),
                                       cmocka_unit_test(limits)};
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
