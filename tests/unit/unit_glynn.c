/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Glynn's formula for at most 20 rows: against the definition and against another algorithm, on all
 * vector units; exact where nothing needs to be rounded; counted again where digits are lost. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/isa.h"
#include "glynn/glynn_kernel.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "reference/textbook.h"
#include "support/answers.h"
#include "support/matrices.h"

static uint64_t rng;

typedef void entry_function(pm_dyadic *x);

static void small_integer(pm_dyadic *x)
{
    pm_dyadic_set_si(x, (int64_t)pm_rng_below(&rng, 199) - 99);
}

/* Products of row sums have up to 120 bits: groups of rows. */
static void long_integer(pm_dyadic *x)
{
    pm_dyadic_set_si(x, (int64_t)pm_rng_below(&rng, 1 << 15) - (1 << 14));
}

static void any_double(pm_dyadic *x)
{
    pm_dyadic_set_d(x, pm_rng_unit(&rng) - 0.5);
}

static void positive_double(pm_dyadic *x)
{
    pm_dyadic_set_d(x, pm_rng_unit(&rng) + 0.01);
}

/* Sizes that differ by up to 2^400: most entries are rounded, some to 0. */
static void wild_double(pm_dyadic *x)
{
    pm_dyadic_set_d(x, pm_rng_unit(&rng) - 0.5);
    pm_dyadic_mul_2exp(x, (int64_t)pm_rng_below(&rng, pm_rng_below(&rng, 2) ? 8 : 400));
}

static void quarter(pm_dyadic *x)
{
    pm_dyadic_set_d(x, ((double)pm_rng_below(&rng, 9) - 4) / 4);
}

/* 200 bits. */
static void long_number(pm_dyadic *x)
{
    pm_dyadic y = {0};
    any_double(x);
    for (int k = 0; k < 3; ++k) {
        any_double(&y);
        pm_dyadic_mul(x, x, &y);
    }
}

typedef struct {
    const char *name;
    pm_field field;
    entry_function *entry;
    bool is_exact; /* the answer has no error */
    int most;      /* rows */
} kind;

static const kind kinds[] = {
    {"pattern", PM_PATTERN, NULL, true, 9},
    {"integer", PM_INTEGER, small_integer, true, 9},
    {"long integer", PM_INTEGER, long_integer, true, 7},
    {"real", PM_REAL, any_double, false, 9},
    {"positive", PM_REAL, positive_double, false, 9},
    {"wild", PM_REAL, wild_double, false, 9},
    {"quarters", PM_REAL, quarter, true, 9},
    {"long", PM_REAL, long_number, false, 9},
    {"complex", PM_COMPLEX, any_double, false, 8},
    {"wild complex", PM_COMPLEX, wild_double, false, 8},
    {"complex quarters", PM_COMPLEX, quarter, true, 6},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void make(const kind *k, int n, double density, pm_matrix *out)
{
    pm_triples t = {.field = k->field, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            pm_dyadic re = {0}, im = {0};
            if (pm_rng_unit(&rng) >= density)
                continue;
            if (k->entry)
                k->entry(&re);
            if (k->field == PM_COMPLEX)
                k->entry(&im);
            assert_int_equal(pm_triples_add(&t, i, j, 0, k->entry ? &re : NULL,
                                            k->field == PM_COMPLEX ? &im : NULL, NULL),
                             PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

static pm_status count_by(const pm_matrix *a, const char *algorithm, bool reduce, pm_value *v)
{
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    if (!reduce)
        o.reduce = (pm_reduce_options){0};
    return pm_count(a, &o, NULL, v, NULL, NULL);
}

/* With reductions there are twins, and longer entries. */
static void against_definition(void **state)
{
    (void)state;
    int counted = 0, rounds = test_rounds(2200);
    for (int round = 0; round < rounds; ++round) {
        const kind *k = &kinds[round % KINDS];
        bool reduce = pm_rng_below(&rng, 2);
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_value_init(&v);
        make(k, 1 + (int)pm_rng_below(&rng, (uint32_t)k->most), 0.3 + 0.7 * pm_rng_unit(&rng), &a);
        textbook_transfer_matrix(&a, &exact);
        pm_status status = count_by(&a, "glynn", reduce, &v);
        if (status != PM_UNABLE) { /* integers that are too long after reductions */
            assert_int_equal(status, PM_OK);
            if (!agrees(&v, &exact))
                print_error("round %d, %s, n = %d\n", round, k->name, (int)a.nrows);
            assert_true(agrees(&v, &exact));
            assert_true(!k->is_exact || reduce || pm_value_is_exact(&v) || v.error.hi == 0);
            ++counted;
        } else {
            assert_true(k->field == PM_INTEGER);
        }
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
    assert_true(counted > rounds / 2); /* 8 kinds of 11 are never refused */
}

/* Of every size, against the sparse sums in double-double of other algorithms. */
static void against_frontier(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        const kind *k = &kinds[round % KINDS];
        pm_matrix a;
        pm_value v, w;
        pm_value_init(&v);
        pm_value_init(&w);
        make(k, 10 + round % 9, 0.3, &a);
        pm_status status = count_by(&a, "glynn", false, &v);
        assert_true(status == PM_OK || (status == PM_UNABLE && k->field == PM_INTEGER));
        assert_int_equal(count_by(&a, "frontier", true, &w), PM_OK);
        assert_true(status || values_agree(&v, &w));
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
    }
}

/* Full matrices of 13 to 15 rows of integers up to 99, whose terms have up to 159 bits, by another
 * method.  13 rows are refused when three row sums are above 2^10: with a probability below 1e-8. */
static void wide_sums(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(12); ++round) {
        int n = 13 + round % 3;
        pm_matrix a;
        pm_value v, w;
        pm_value_init(&v);
        pm_value_init(&w);
        make(&kinds[1], n, 1, &a);
        pm_status status = count_by(&a, "glynn", false, &v);
        assert_true(status == PM_OK || (status == PM_UNABLE && n > 13));
        assert_int_equal(count_by(&a, "ryser", true, &w), PM_OK);
        assert_true(status || values_agree(&v, &w));
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
    }
}

/* Writes n parts, at random signs, whose sizes add up to total >= n. */
static void divide(int64_t total, int n, int64_t *part)
{
    for (int k = n; k > 0; --k) {
        int64_t most = total - (k - 1), mean = total / k;
        int64_t size = k == 1 ? total : 1 + (int64_t)(pm_rng_next(&rng) % (uint64_t)(2 * mean - 1));
        size = size < most ? size : most;
        part[k - 1] = pm_rng_below(&rng, 2) ? size : -size;
        total -= size;
    }
}

/* A full matrix of small integers, but the sizes of the entries of one row add up to `total`. */
static void make_with_row(int n, int64_t total, pm_matrix *out)
{
    int64_t part[PM_GLYNN_MAX];
    int large = (int)pm_rng_below(&rng, (uint32_t)n);
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = n};
    divide(total, n, part);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            pm_dyadic x = {0};
            pm_dyadic_set_si(&x, i == large ? part[j] : (int64_t)pm_rng_below(&rng, 3) + 1);
            assert_int_equal(pm_triples_add(&t, i, j, 0, &x, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

/* Row sums below 2^53 are exact in a double; one of 2^53 + 1 would be rounded.  A sum below 2^53 is counted
 * unless it is that of the first row: none of 200 is, with a probability of less than 1e-25. */
static void sums_around_2_to_53(void **state)
{
    (void)state;
    int counted = 0;
    for (int round = 0; round < 200; ++round) {
        int64_t above = (int64_t)pm_rng_below(&rng, 5) - 2;
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_value_init(&v);
        make_with_row(3 + round % 4, (INT64_C(1) << 53) + above, &a);
        textbook_transfer_matrix(&a, &exact);
        pm_status status = count_by(&a, "glynn", false, &v);
        assert_true(status == PM_OK || status == PM_UNABLE);
        assert_true(status || agrees(&v, &exact));
        counted += !status;
        pm_cnum_clear(&exact);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
    assert_true(counted > 0);
}

/* ---- vector units ---- */

static void fill(pm_glynn *g, int n, int parts)
{
    int groups = 2 + n % 2;
    *g = (pm_glynn){.n = n, .parts = parts, .groups = groups, .group_end = {n / 3, n / 2, n}};
    g->group_end[groups - 1] = n;
    for (int k = 0; k < n * n * parts; ++k)
        g->entry[k] = (double)pm_rng_below(&rng, 15) - 7;
}

static void same(const pm_glynn *g, pm_glynn_kernel *kernel, const pm_glynn_sum *expected,
                 bool is_complex)
{
    pm_glynn_sum s;
    kernel(g, &s);
    assert_memory_equal(s.re, expected->re, sizeof s.re);
    if (is_complex)
        assert_memory_equal(s.im, expected->im, sizeof s.im);
}

static void compare_units(const pm_glynn_kernels *x, int n)
{
    const pm_glynn_kernels *y = &pm_glynn_portable;
    pm_glynn g;
    pm_glynn_sum s;
    fill(&g, n, 1);
    y->real(&g, &s);
    same(&g, x->real, &s, false);
    pm_glynn_wide v = x->grouped(&g), w = y->grouped(&g);
    assert_true(v.high == w.high && v.low == w.low);
    fill(&g, n, 2);
    y->real_exact(&g, &s);
    same(&g, x->real_exact, &s, false);
    y->complex(&g, &s);
    same(&g, x->complex, &s, true);
    fill(&g, n, 4);
    y->complex_exact(&g, &s);
    same(&g, x->complex_exact, &s, true);
}

static void vector_units_agree(void **state)
{
    (void)state;
#if PM_HAVE_X86
    for (int rows = PM_GLYNN_FEW; rows <= 13; ++rows) {
        const int n = pm_glynn_rows(rows);
        if (pm_isa_best() >= PM_ISA_AVX2)
            compare_units(&pm_glynn_avx2, n);
        if (pm_isa_best() >= PM_ISA_AVX512)
            compare_units(&pm_glynn_avx512, n);
    }
#else
    skip();
#endif
}

/* ---- the automatic choice ---- */

static const char *method_of(const pm_matrix *a, pm_precision precision, pm_value *v)
{
    pm_count_report report = {0};
    pm_count_options o = pm_count_defaults();
    o.precision = precision;
    assert_int_equal(pm_count(a, &o, NULL, v, &report, NULL), PM_OK);
    const char *name = report.nblocks ? report.blocks[0].algorithm : "";
    pm_count_report_free(&report);
    return name;
}

/* Rows 1 1 ... 1 and 1 -1 1 -1 ..., the rest at random: the terms cancel to little or nothing. */
static void lost_digits_are_counted_again(void **state)
{
    (void)state;
    enum { N = 12 };
    pm_triples t = {.field = PM_REAL, .nrows = N, .ncols = N};
    pm_matrix a, b;
    pm_cnum exact = {0};
    pm_value v;
    pm_value_init(&v);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            pm_dyadic x = {0};
            /* all entries nearly equal, with signs whose permanent is small */
            pm_dyadic_set_d(&x, ((i & j & 1) ? -1.0 : 1.0) + 1e-3 * pm_rng_unit(&rng));
            assert_int_equal(pm_triples_add(&t, i, j, 0, &x, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    textbook_transfer_matrix(&a, &exact);
    method_of(&a, PM_KAHAN, &v);
    assert_true(agrees(&v, &exact));
    assert_true(v.re.hi == 0 || pm_xreal_ratio(v.error, pm_xreal_abs(v.re)) <= 0x1p-30);

    /* a permanent that is 0, because three rows share two columns: found by the reductions */
    t = (pm_triples){.field = PM_REAL, .nrows = 5, .ncols = 5};
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < (i < 3 ? 2 : 5); ++j) {
            pm_dyadic x = {0};
            any_double(&x);
            assert_int_equal(pm_triples_add(&t, i, j, 0, &x, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &b, NULL), PM_OK);
    method_of(&b, PM_KAHAN, &v);
    assert_true(pm_value_is_zero(&v));
    pm_cnum_clear(&exact);
    pm_value_clear(&v);
    pm_matrix_free(&a);
    pm_matrix_free(&b);
}

/* Positive entries of any size, so that the sums of the Ryser family cancel in double-double too: counted a third
 * time, by the frontier. */
static void entries_of_any_size(void **state)
{
    (void)state;
    enum { N = 8 };
    for (int round = 0; round < 20; ++round) {
        pm_triples t = {.field = PM_REAL, .nrows = N, .ncols = N};
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_value_init(&v);
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) {
                pm_dyadic x = {0};
                positive_double(&x);
                pm_dyadic_mul_2exp(&x, (int64_t)pm_rng_below(&rng, 60000) - 30000);
                assert_int_equal(pm_triples_add(&t, i, j, 0, &x, NULL, NULL), PM_OK);
            }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
        textbook_transfer_matrix(&a, &exact);
        method_of(&a, PM_KAHAN, &v);
        assert_true(agrees(&v, &exact));
        assert_true(pm_xreal_ratio(v.error, pm_xreal_abs(v.re)) <= 0x1p-30);
        pm_cnum_clear(&exact);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* Entry k times 2^by */
static void scale_entry(pm_matrix *a, int64_t k, int64_t by)
{
    pm_dyadic_mul_2exp(&a->re[k], by);
    if (a->im)
        pm_dyadic_mul_2exp(&a->im[k], by);
}

/* Rows and columns times powers of two that differ by up to 2^600, which are found and undone. */
static void lines_of_any_size(void **state)
{
    (void)state;
    static const kind kinds_of_lines[] = {
        {"positive", PM_REAL, positive_double, false, 0},
        {"complex", PM_COMPLEX, positive_double, false, 0},
    };
    for (int round = 0; round < test_rounds(50); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_value_init(&v);
        make(&kinds_of_lines[round % 2], 2 + round % 7, 1, &a);
        for (int64_t i = 0; i < a.nrows; ++i)
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                scale_entry(&a, k, 150 * (a.colind[k] % 5) - 70 * (i % 3));
        textbook_transfer_matrix(&a, &exact);
        assert_string_equal(method_of(&a, PM_KAHAN, &v), "glynn");
        assert_true(agrees(&v, &exact));
        assert_true(pm_xreal_ratio(v.error, pm_xreal_abs(v.re)) <= 0x1p-30
                    || pm_xreal_ratio(v.error, pm_xreal_abs(v.im)) <= 0x1p-30);
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
}

/* Rows of similar entries, each row times a power of two.  The exponents are near -512 and 511, the borders of the numbers
 * that become doubles at once, and some 50 further. */
static void rows_of_any_size(void **state)
{
    (void)state;
    static const kind kinds_of_rows[] = {
        {"real", PM_REAL, any_double, false, 0},
        {"complex", PM_COMPLEX, any_double, false, 0},
        {"quarters", PM_REAL, quarter, false, 0},
    };
    static const int64_t borders[] = {-560, -512, -460, 0, 511, 564};
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_value_init(&v);
        make(&kinds_of_rows[round % 3], 2 + round % 7, 0.9, &a);
        for (int64_t i = 0; i < a.nrows; ++i) {
            const int64_t by = borders[pm_rng_below(&rng, 6)] + (int64_t)pm_rng_below(&rng, 9) - 4;
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                scale_entry(&a, k, by);
        }
        textbook_transfer_matrix(&a, &exact);
        assert_int_equal(count_by(&a, "glynn", false, &v), PM_OK);
        assert_true(agrees(&v, &exact));
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
}

static void what_is_chosen(void **state)
{
    (void)state;
    static const kind real = {"real", PM_REAL, any_double, false, 0};
    pm_matrix a;
    pm_value v;
    pm_value_init(&v);
    make(&real, 8, 1, &a);
    assert_string_equal(method_of(&a, PM_KAHAN, &v), "glynn");
    assert_string_equal(method_of(&a, PM_DOUBLE, &v), "glynn");
    assert_true(strcmp(method_of(&a, PM_QUAD, &v), "glynn") != 0);
    pm_matrix_free(&a);
    make(&real, 24, 0.5, &a);
    assert_true(strcmp(method_of(&a, PM_KAHAN, &v), "glynn") != 0);
    assert_int_equal(count_by(&a, "glynn", false, &v), PM_UNABLE);
    pm_matrix_free(&a);
    pm_value_clear(&v);
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_definition),  cmocka_unit_test(against_frontier),
        cmocka_unit_test(vector_units_agree),  cmocka_unit_test(lost_digits_are_counted_again),
        cmocka_unit_test(lines_of_any_size),   cmocka_unit_test(what_is_chosen),
        cmocka_unit_test(wide_sums),           cmocka_unit_test(sums_around_2_to_53),
        cmocka_unit_test(entries_of_any_size), cmocka_unit_test(rows_of_any_size),
    };
    return cmocka_run_group_tests_name("glynn", tests, NULL, NULL);
}
