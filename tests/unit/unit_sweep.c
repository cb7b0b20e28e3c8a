/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Squares, partial sums, ranges and the driver of all sweeps, with the slowest of methods. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "number/prime.h"
#include "pm/count.h"
#include "reference/textbook.h"
#include "support/answers.h"
#include "support/matrices.h"
#include "sweep/ryser_driver.h"

static uint64_t rng;

/* ---- a block of a matrix, unreduced, with twins ---- */

/* A block that stands for `whole`, which has copies of some columns. */
static void with_twins(const pm_matrix *a, const int32_t *copies, pm_block *b, pm_matrix *whole)
{
    int32_t cols[16], n = 0;
    for (int32_t j = 0; j < a->ncols; ++j)
        for (int32_t c = 0; c < copies[j]; ++c)
            cols[n++] = j;
    assert_int_equal(n, a->nrows);
    pm_triples t = {.field = a->field, .nrows = n, .ncols = n};
    for (int32_t i = 0; i < n; ++i)
        for (int32_t j = 0; j < n; ++j)
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
                if (a->colind[k] == cols[j]) {
                    pm_dyadic v = {0};
                    if (a->re)
                        pm_dyadic_set(&v, &a->re[k]);
                    pm_triples_add(&t, i, j, 0, a->re ? &v : NULL, NULL, NULL);
                }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", whole, NULL), PM_OK);
    pm_triples_free(&t);
    *b = (pm_block){.n = n};
    assert_int_equal(pm_matrix_copy(a, &b->a, NULL), PM_OK);
    b->row_cap = calloc((size_t)a->nrows, sizeof *b->row_cap);
    b->col_cap = calloc((size_t)a->ncols, sizeof *b->col_cap);
    for (int64_t i = 0; i < a->nrows; ++i)
        b->row_cap[i] = 1;
    for (int64_t j = 0; j < a->ncols; ++j)
        b->col_cap[j] = copies[j];
    b->log2_bound = pm_permanent_log2_bound(whole);
}

/* ---- a method: Ryser's formula, row sums from scratch for every subset ---- */

typedef struct {
    pm_square s;
    double scale[PM_SQUARE_MAX];
} ryser_problem;

static void exact_term(const ryser_problem *p, uint64_t subset, bool minus, pm_sum *sum)
{
    int64_t x[PM_SQUARE_MAX] = {0};
    for (int32_t j = 0; j < p->s.n; ++j)
        for (int32_t k = p->s.colptr[j]; subset >> j & 1 && k < p->s.colptr[j + 1]; ++k)
            x[p->s.rowind[k]] += p->s.re[k];
    pm_sum_add_product(sum, PM_SUM_LIMBS, x, p->s.n, minus);
}

static void inexact_term(const ryser_problem *p, uint64_t subset, bool minus, pm_sum *sum)
{
    double z[2] = {1, 0}, size = 1, raised = 1;
    for (int32_t i = 0; i < p->s.n; ++i) {
        int64_t re = 0, im = 0;
        for (int32_t k = p->s.rowptr[i]; k < p->s.rowptr[i + 1]; ++k)
            if (subset >> p->s.colind[k] & 1) {
                re += p->s.re[p->s.in_ccs[k]];
                im += p->s.im ? p->s.im[p->s.in_ccs[k]] : 0;
            }
        double a = (double)re * p->scale[i], b = (double)im * p->scale[i];
        double t = z[0] * a - z[1] * b;
        z[1] = z[0] * b + z[1] * a;
        z[0] = t;
        size *= fabs(a) + fabs(b);
        raised *= fabs(a) + fabs(b) + PM_SPREAD_SCALE * p->s.inexact[i] * p->scale[i];
    }
    double re[2] = {minus ? -z[0] : z[0], 0}, im[2] = {minus ? -z[1] : z[1], 0};
    pm_dd_add(sum->re, re);
    pm_dd_add(sum->im, im);
    sum->absolute += size;
    sum->spread += (raised - size) / PM_SPREAD_SCALE;
}

static void ryser_range(const void *problem, uint64_t first, uint64_t end, pm_sum *sum)
{
    const ryser_problem *p = problem;
    for (uint64_t t = first; t < end; ++t) {
        bool minus = (p->s.n - __builtin_popcountll(t)) % 2;
        (p->s.field <= PM_INTEGER ? exact_term : inexact_term)(p, t, minus, sum);
    }
}

static void free_ryser(void *problem)
{
    ryser_problem *p = problem;
    pm_square_free(&p->s);
    free(p);
}

static pm_status prepare_ryser(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    ryser_problem *p = calloc(1, sizeof *p);
    int64_t shift = 0;
    (void)choice;
    (void)err;
    *p = (ryser_problem){.s = *s};
    int32_t nnz = pm_square_nnz(s);
#define COPY(field)                                                                                \
    (p->s.field = memcpy(malloc((size_t)nnz * sizeof *s->field + 1), s->field,                     \
                         (size_t)nnz * sizeof *s->field))
    COPY(rowind);
    COPY(colind);
    COPY(in_ccs);
    COPY(re);
    if (s->im)
        COPY(im);
    if (s->dd)
        COPY(dd);
    for (int32_t i = 0; i < s->n; ++i) {
        int e;
        frexp((double)s->bound[i], &e);
        p->scale[i] = ldexp(1, -e);
        shift += s->field > PM_INTEGER ? e : 0;
    }
    *out = (pm_sweep){.what = "ryser",
                      .count = UINT64_C(1) << s->n,
                      .grain = 1,
                      .piece = 37,
                      .limbs = s->field <= PM_INTEGER ? PM_SUM_LIMBS : 0,
                      .rounding = 8 * (s->n + 2) * 0x1p-53,
                      .shift = shift,
                      .problem = p,
                      .range = ryser_range,
                      .free_problem = free_ryser};
    return PM_OK;
}

static const pm_sweep_method slowest = {.name = "slowest", .bits = 62, .prepare = prepare_ryser};

/* ---- tests ---- */

static void products_against_big_integers(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_sum sum = {.failed = false};
        mpz_t whole, product, f, mask;
        mpz_inits(whole, product, f, mask, NULL);
        int limbs = 1 + (int)pm_rng_below(&rng, PM_SUM_LIMBS);
        for (int terms = 0; terms < 20; ++terms) {
            int64_t x[64];
            int count = 1 + (int)pm_rng_below(&rng, 64), minus = (int)pm_rng_below(&rng, 2);
            mpz_set_si(product, minus ? -1 : 1);
            for (int i = 0; i < count; ++i) {
                x[i] = (int64_t)pm_rng_next(&rng) >> pm_rng_below(&rng, 64);
                mpz_set_si(f, x[i]);
                mpz_mul(product, product, f);
            }
            mpz_add(whole, whole, product);
            pm_sum_add_product(&sum, limbs, x, count, minus);
        }
        mpz_fdiv_r_2exp(whole, whole, 64 * (mp_bitcnt_t)limbs);
        mpz_import(f, (size_t)limbs, -1, 8, 0, 0, sum.limb);
        assert_int_equal(mpz_cmp(f, whole), 0);
        mpz_clears(whole, product, f, mask, NULL);
    }
}

static void squares_hold_the_matrix(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_matrix a;
        pm_block b;
        pm_square s = {0}, t = {0};
        int n = 1 + (int)pm_rng_below(&rng, 12);
        int bits = 56 + (int)pm_rng_below(&rng, 7);
        random_matrix(&rng, (pm_field)(round % 4), n, n, 0.5, &a);
        as_block(&a, &b);
        pm_status rc = pm_square_make(&b, false, bits, 0, &s, NULL);
        pm_status turned = pm_square_make(&b, true, bits, 0, &t, NULL);
        assert_true(rc == PM_OK || (rc == PM_UNABLE && a.field == PM_INTEGER));
        assert_true(turned == PM_OK || (turned == PM_UNABLE && a.field == PM_INTEGER));
        if (rc == PM_OK && turned == PM_OK) {
            assert_int_equal(pm_square_nnz(&s), pm_matrix_nnz(&a));
            for (int32_t i = 0; i < n; ++i) {
                assert_true(s.bound[i] <= INT64_C(1) << bits);
                for (int32_t k = s.rowptr[i]; k < s.rowptr[i + 1]; ++k) {
                    assert_int_equal(s.colind[k], a.colind[k]);
                    assert_int_equal(s.rowind[s.in_ccs[k]], i);
                    assert_int_equal(t.rowind[k], a.colind[k]); /* rows of a are t's columns */
                }
            }
        }
        pm_square_free(&s);
        pm_square_free(&t);
        pm_block_free(&b);
        pm_matrix_free(&a);
    }
}

/* Rows of small integers, 1 .. 9 or -9 .. -1, times a number each: has_content, or 1. */
static void integers_times_rows(pm_field field, int32_t n, bool has_content, pm_matrix *a)
{
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    for (int32_t i = 0; i < n; ++i) {
        pm_dyadic content = {0};
        pm_dyadic_set_d(&content, has_content ? 0.5 + pm_rng_unit(&rng) : 1);
        for (int32_t j = 0; j < n; ++j) {
            pm_dyadic part[2] = {{{0}, 0, 0}};
            for (int k = 0; k < 2; ++k) {
                int64_t v = i && j ? 1 + (int64_t)pm_rng_below(&rng, 9) : 1;
                pm_dyadic_set_si(&part[k], pm_rng_below(&rng, 2) ? v : -v);
                pm_dyadic_mul(&part[k], &part[k], &content);
            }
            assert_int_equal(
                pm_triples_add(&t, i, j, 0, &part[0], field == PM_COMPLEX ? &part[1] : NULL, NULL),
                PM_OK);
        }
        pm_dyadic_clear(&content);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", a, NULL), PM_OK);
    pm_triples_free(&t);
}

/* Of the integers of a square. */
static void permanent_of_square(const pm_square *s, pm_cnum *out)
{
    pm_matrix a;
    pm_triples t = {.field = s->field, .nrows = s->n, .ncols = s->n};
    for (int32_t j = 0; j < s->n; ++j)
        for (int32_t k = s->colptr[j]; k < s->colptr[j + 1]; ++k) {
            pm_dyadic re = {0}, im = {0};
            pm_dyadic_set_si(&re, s->re[k]);
            pm_dyadic_set_si(&im, s->im ? s->im[k] : 0);
            assert_int_equal(pm_triples_add(&t, s->rowind[k], j, 0, &re, s->im ? &im : NULL, NULL),
                             PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    textbook_transfer_matrix(&a, out);
    pm_triples_free(&t);
    pm_matrix_free(&a);
}

/* Values of the square are those of the matrix, whose 53 bits went to the factor; most: the largest
 * odd part of its integers. */
static void check_content(const pm_matrix *a, const pm_square *s, bool has_content, int64_t most)
{
    pm_cnum exact = {0}, integers = {0};
    pm_xreal one = pm_xreal_make(1, 0, 0), unit = s->factor;
    assert_true(has_content || pm_xreal_cmpabs(s->factor, one) == 0);
    for (int32_t k = 0; k < pm_square_nnz(s); ++k) {
        int64_t part[2] = {s->re[k], s->im ? s->im[k] : 0};
        for (int p = 0; p < 2; ++p)
            assert_true(part[p] == 0
                        || llabs(part[p]) >> __builtin_ctzll((uint64_t)part[p]) <= most);
    }
    for (int32_t i = 0; i < s->n; ++i)
        assert_true(s->inexact[i] == 0 && s->inexact_dd[i] == 0);
    textbook_transfer_matrix(a, &exact);
    permanent_of_square(s, &integers);
    unit.exp += s->shift;
    for (int p = 0; p < 2; ++p) {
        pm_xreal v = pm_xreal_from_dyadic(p ? &integers.im : &integers.re);
        v = pm_xreal_mul(v, unit);
        pm_xreal rounding = pm_xreal_mul(pm_xreal_abs(v), pm_xreal_make(4 * PM_XREAL_EPS, 0, 0));
        assert_true(within(v, rounding, p ? &exact.im : &exact.re));
    }
    pm_cnum_clear(&exact);
    pm_cnum_clear(&integers);
}

static void contents_are_divided_out(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(120); ++round) {
        pm_matrix a;
        pm_block b;
        pm_square s = {0};
        bool has_content = round % 3 != 0, turned = round % 5 == 0;
        int32_t n = 2 + (int32_t)pm_rng_below(&rng, 7);
        integers_times_rows(round % 2 ? PM_REAL : PM_COMPLEX, n, has_content, &a);
        as_block(&a, &b);
        assert_int_equal(pm_square_make(&b, turned, 53 + 9 * (round % 2), 0, &s, NULL), PM_OK);
        /* rows first: of columns a part may stay */
        check_content(&a, &s, has_content, turned ? INT64_MAX : 9);
        pm_square_free(&s);
        pm_block_free(&b);
        pm_matrix_free(&a);
    }
}

static void driver_against_definition(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_matrix a;
        pm_block b;
        pm_cnum exact = {0};
        pm_value v;
        pm_run run = {.threads = 1 + round % 3};
        int n = 1 + (int)pm_rng_below(&rng, 9);
        random_matrix(&rng, (pm_field)(round % 4), n, n, 0.6, &a);
        as_block(&a, &b);
        textbook_transfer_matrix(&a, &exact);
        pm_value_init(&v);
        pm_job job = {.block = &b, .run = &run};
        assert_int_equal(pm_ryser_driver_permanent(&job, &slowest, NULL, round % 5 == 0, &v, NULL),
                         PM_OK);
        assert_true(agrees(&v, &exact));
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_block_free(&b);
        pm_matrix_free(&a);
    }
}

static void twins_are_divided_out(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        pm_matrix a, whole;
        pm_block b;
        pm_cnum exact = {0};
        pm_value v;
        int32_t copies[8] = {0}, classes = 1 + (int32_t)pm_rng_below(&rng, 4), n = 0;
        for (int32_t j = 0; j < classes; ++j)
            n += copies[j] = 1 + (int32_t)pm_rng_below(&rng, 3);
        random_matrix(&rng, (pm_field)(round % 2), n, classes, 0.8, &a);
        with_twins(&a, copies, &b, &whole);
        textbook_transfer_matrix(&whole, &exact);
        pm_value_init(&v);
        pm_job job = {.block = &b};
        assert_int_equal(pm_ryser_driver_permanent(&job, &slowest, NULL, round % 3 == 0, &v, NULL),
                         PM_OK);
        for (int32_t j = 0; j < classes; ++j) {
            static const int factorials[] = {1, 1, 2, 6};
            pm_value f;
            mpz_t k;
            mpz_init_set_si(k, factorials[copies[j]]);
            pm_value_init(&f);
            pm_value_set_mpz(&f, k);
            pm_value_mul(&v, &f);
            pm_value_clear(&f);
            mpz_clear(k);
        }
        assert_true(agrees(&v, &exact));
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_block_free(&b);
        pm_matrix_free(&a);
        pm_matrix_free(&whole);
    }
}

static void ranges_add_up(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(40); ++round) {
        pm_matrix a;
        pm_block b;
        pm_square s = {0};
        pm_sweep sweep = {0};
        pm_sum whole, part, sum = {.failed = false};
        pm_run run = {.threads = 2}, one = {.threads = 1};
        int n = 6 + (int)pm_rng_below(&rng, 6);
        random_matrix(&rng, (pm_field)(round % 2 * 2), n, n, 0.6, &a);
        as_block(&a, &b);
        assert_int_equal(pm_square_make(&b, false, 62, 0, &s, NULL), PM_OK);
        assert_int_equal(prepare_ryser(&s, NULL, &sweep, NULL), PM_OK);
        assert_int_equal(pm_sweep_range(&sweep, 0, sweep.count, &run, &whole, NULL), PM_OK);
        for (uint64_t first = 0, end; first < sweep.count; first = end) {
            end = first + 1 + pm_rng_below(&rng, (uint32_t)sweep.count);
            end = end > sweep.count ? sweep.count : end;
            assert_int_equal(pm_sweep_range(&sweep, first, end, &one, &part, NULL), PM_OK);
            pm_sum_add(&sum, &part, sweep.limbs);
        }
        if (sweep.limbs)
            assert_memory_equal(sum.limb, whole.limb, sizeof sum.limb);
        else
            assert_true(dd_distance(sum.re, whole.re) <= 1e-28 * whole.absolute);
        /* the same pieces in the same sequence, whatever the threads */
        assert_int_equal(pm_sweep_range(&sweep, 0, sweep.count, &one, &part, NULL), PM_OK);
        assert_memory_equal(&part, &whole, sizeof part);
        pm_sweep_free(&sweep);
        pm_square_free(&s);
        pm_block_free(&b);
        pm_matrix_free(&a);
    }
}

static void a_sweep_stops(void **state)
{
    (void)state;
    static volatile sig_atomic_t stop = 1;
    pm_matrix a;
    pm_block b;
    pm_value v;
    pm_run run = {.threads = 2, .stop = &stop};
    pm_value_init(&v);
    random_matrix(&rng, PM_PATTERN, 9, 9, 0.6, &a);
    as_block(&a, &b);
    pm_job job = {.block = &b, .run = &run};
    assert_int_equal(pm_ryser_driver_permanent(&job, &slowest, NULL, false, &v, NULL), PM_ESTOPPED);
    pm_value_clear(&v);
    pm_block_free(&b);
    pm_matrix_free(&a);
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_against_big_integers),
        cmocka_unit_test(squares_hold_the_matrix),
        cmocka_unit_test(contents_are_divided_out),
        cmocka_unit_test(driver_against_definition),
        cmocka_unit_test(twins_are_divided_out),
        cmocka_unit_test(ranges_add_up),
        cmocka_unit_test(a_sweep_stops),
    };
    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
