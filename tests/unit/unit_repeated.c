/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm `repeated`: against the definition, against the coefficients of products of linear
 * forms for many copies, on every vector unit, and its indices. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "number/prime.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "repeated/repeated_digits.h"
#include "repeated/repeated_exact.h"
#include "repeated/repeated_float.h"
#include "support/answers.h"
#include "support/repeats.h"
#include "support/testing.h"

static uint64_t rng;

/* ---- counting ---- */

static pm_status count(const repeats *x, pm_count_options opt, int threads, pm_value *v)
{
    pm_error err = {.msg = ""};
    pm_run run = {.threads = threads};
    opt.row_times = x->row;
    opt.col_times = x->col;
    pm_status status = pm_count(&x->a, &opt, &run, v, NULL, &err);
    if (status)
        print_message("# %s\n", err.msg);
    return status;
}

/* ---- against the definition ---- */

static pm_count_options random_options(void)
{
    pm_count_options opt = pm_count_defaults();
    opt.algorithm = pm_rng_below(&rng, 4) ? "repeated" : NULL;
    opt.precision = (pm_precision)pm_rng_below(&rng, PM_SINGLE + 1);
    opt.transpose = pm_rng_below(&rng, 2);
    opt.independent = pm_rng_below(&rng, 3) == 0;
    return opt;
}

static void small_matrices(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(400); ++round) {
        repeats x;
        pm_cnum exact = {0};
        pm_value v;
        pm_value_init(&v);
        repeats_random(&rng, (pm_field)(round % 4), &x);
        repeats_exact(&x, &exact);
        assert_int_equal(count(&x, random_options(), 1 + round % 3, &v), PM_OK);
        assert_true(agrees(&v, &exact));
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_matrix_free(&x.a);
    }
}

/* The copies are written out, and the algorithm finds the classes itself. */
static void written_out(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        repeats x;
        pm_cnum exact = {0};
        pm_value v;
        pm_matrix b;
        pm_count_options opt = random_options();
        pm_value_init(&v);
        repeats_random(&rng, (pm_field)(round % 4), &x);
        repeats_exact(&x, &exact);
        if (pm_rng_below(&rng, 2))
            opt.reduce = (pm_reduce_options){0};
        assert_int_equal(pm_matrix_repeat(&x.a, x.row, x.col, &b, NULL), PM_OK);
        assert_int_equal(pm_count(&b, &opt, NULL, &v, NULL, NULL), PM_OK);
        assert_true(agrees(&v, &exact));
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_matrix_free(&b);
        pm_matrix_free(&x.a);
    }
}

/* ---- many copies ----
 *
 * The permanent is prod_j c_j! times the coefficient of prod_j y_j^c_j in prod_i (sum_j a_ij
 * y_j)^r_i.  Entries are Gaussian integers. */

typedef struct {
    mpz_t re, im;
} gauss;

/* Multiplies the polynomial in place by a linear form: from the highest monomial down. */
static void multiply_by_form(gauss *poly, int64_t size, int m, int64_t copies, const int (*a)[2])
{
    for (int64_t s = size - 1; s >= 0; --s) {
        int64_t rest = s, stride = 1;
        mpz_t re, im;
        mpz_init(re);
        mpz_init(im);
        for (int j = 0; j < m; ++j, rest /= copies + 1, stride *= copies + 1) {
            if (rest % (copies + 1) == 0)
                continue;
            const gauss *from = &poly[s - stride];
            mpz_t t;
            mpz_init(t);
            mpz_mul_si(t, from->re, a[j][0]);
            mpz_add(re, re, t);
            mpz_mul_si(t, from->im, a[j][1]);
            mpz_sub(re, re, t);
            mpz_mul_si(t, from->re, a[j][1]);
            mpz_add(im, im, t);
            mpz_mul_si(t, from->im, a[j][0]);
            mpz_add(im, im, t);
            mpz_clear(t);
        }
        mpz_swap(poly[s].re, re);
        mpz_swap(poly[s].im, im);
        mpz_clear(re);
        mpz_clear(im);
    }
}

static void exact_by_forms(int m, int64_t copies, const int (*a)[2], pm_cnum *out)
{
    int64_t size = 1;
    mpz_t factorial;
    for (int j = 0; j < m; ++j)
        size *= copies + 1;
    gauss *poly = pm_alloc_array(size, sizeof *poly);
    for (int64_t s = 0; s < size; ++s) {
        mpz_init_set_si(poly[s].re, s == 0);
        mpz_init(poly[s].im);
    }
    for (int64_t k = 0; k < m * copies; ++k)
        multiply_by_form(poly, size, m, copies, a + k / copies * m);
    mpz_init(factorial);
    mpz_fac_ui(factorial, (unsigned long)copies);
    for (int j = 0; j < m; ++j) {
        mpz_mul(poly[size - 1].re, poly[size - 1].re, factorial);
        mpz_mul(poly[size - 1].im, poly[size - 1].im, factorial);
    }
    pm_dyadic_set_mpz(&out->re, poly[size - 1].re);
    pm_dyadic_set_mpz(&out->im, poly[size - 1].im);
    for (int64_t s = 0; s < size; ++s) {
        mpz_clear(poly[s].re);
        mpz_clear(poly[s].im);
    }
    mpz_clear(factorial);
    free(poly);
}

/* |error| is far below the value: digits are left. */
static void assert_has_digits(const pm_value *v, double digits)
{
    if (!pm_value_is_exact(v))
        assert_true(pm_xreal_log10_abs(v->error) + digits < pm_value_log10_abs(v));
}

static void many_copies(void **state)
{
    static const struct {
        int m;
        int64_t copies;
    } sizes[] = {{2, 20}, {2, 30}, {3, 20}, {4, 10}, {5, 8}, {1, 50}, {2, 90}};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k += (size_t)test_step(5))
        for (int f = 0; f < 2; ++f) {
            static const pm_field fields[] = {PM_INTEGER, PM_COMPLEX};
            repeats x;
            int a[REPEATS_LINES * REPEATS_LINES][2];
            pm_cnum exact = {0};
            pm_count_options opt = pm_count_defaults();
            pm_value v;
            pm_value_init(&v);
            repeats_full(&rng, fields[f], sizes[k].m, sizes[k].copies, 9, &x, a);
            exact_by_forms(sizes[k].m, sizes[k].copies, (const int(*)[2])a, &exact);
            assert_int_equal(count(&x, opt, 2, &v), PM_OK);
            assert_true(agrees(&v, &exact));
            if (sizes[k].copies <= 30)
                assert_has_digits(&v, 6);
            pm_value_clear(&v);
            pm_cnum_clear(&exact);
            pm_matrix_free(&x.a);
        }
}

/* ---- classes of columns ---- */

/* Columns that differ in one entry only: two copies of each row and column of ((a, b), (1, 1)) have
 * the permanent 4 (a^2 + 4 a b + b^2). */
static void columns_that_differ_little(void **state)
{
    (void)state;
    for (int a = 1; a <= 32; a += test_step(4))
        for (int b = 1 + test_first(&rng, 4); b <= 32; b += test_step(4)) {
            const int entry[] = {a, b, 1, 1};
            pm_triples t = {.field = PM_INTEGER, .nrows = 2, .ncols = 2};
            repeats x = {.n = 4, .row = {2, 2}, .col = {2, 2}};
            pm_count_options opt = pm_count_defaults();
            pm_value v;
            pm_value_init(&v);
            opt.algorithm = "repeated";
            for (int k = 0; k < 4; ++k) {
                pm_dyadic re = {0};
                pm_dyadic_set_si(&re, entry[k]);
                assert_int_equal(pm_triples_add(&t, k / 2, k % 2, 0, &re, NULL, NULL), PM_OK);
            }
            assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &x.a, NULL),
                             PM_OK);
            assert_int_equal(count(&x, opt, 1, &v), PM_OK);
            assert_int_equal(mpq_cmp_si(v.exact, 4 * (a * a + 4 * a * b + b * b), 1), 0);
            pm_value_clear(&v);
            pm_matrix_free(&x.a);
        }
}

/* ---- vector units, ranges and threads ---- */

static void same_sums(const pm_sum *a, const pm_sum *b, int limbs)
{
    assert_memory_equal(a->limb, b->limb, (size_t)limbs * sizeof *a->limb);
    assert_memory_equal(a->re, b->re, sizeof a->re);
    assert_memory_equal(a->im, b->im, sizeof a->im);
    assert_true(a->absolute == b->absolute && a->spread == b->spread);
}

static void prepare(const pm_square *s, pm_precision precision, pm_isa isa, pm_sweep *out)
{
    if (s->field <= PM_INTEGER)
        assert_int_equal(
            pm_repeated_exact_prepare_isa(s, pm_prime_below(PM_REPEATED_PRIME_MAX), isa, out, NULL),
            PM_OK);
    else
        assert_int_equal(pm_repeated_float_prepare_isa(s, precision, isa, out, NULL), PM_OK);
}

static void vector_units(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        repeats x;
        pm_square s;
        pm_sweep sweep;
        pm_sum first, sum;
        int a[REPEATS_LINES * REPEATS_LINES][2];
        pm_precision precision = (pm_precision)pm_rng_below(&rng, PM_SINGLE + 1);
        pm_field field = (pm_field[]){PM_INTEGER, PM_REAL, PM_COMPLEX}[round % 3];
        int m = 2 + (int)pm_rng_below(&rng, 4);
        repeats_full(&rng, field, m, 1, 1 + (int)pm_rng_below(&rng, 1 << 20), &x, a);
        repeats_divide(&rng, 6 * m, m, 1, x.row);
        repeats_divide(&rng, 6 * m, m, 1, x.col);
        x.n = 6 * m;
        repeats_square(&x, round & 1, field == PM_INTEGER ? 56 : 62, &s);
        for (pm_isa isa = PM_ISA_PORTABLE; isa <= pm_isa_best(); ++isa) {
            prepare(&s, precision, isa, &sweep);
            memset(&sum, 0, sizeof sum);
            sweep.range(sweep.problem, 0, sweep.count, &sum);
            if (isa == PM_ISA_PORTABLE)
                first = sum;
            same_sums(&first, &sum, sweep.limbs);
            pm_sweep_free(&sweep);
        }
        pm_square_free(&s);
        pm_matrix_free(&x.a);
    }
}

/* A range that begins anywhere has the terms that the whole range has there. */
static void ranges(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(20); ++round) {
        repeats x;
        pm_square s;
        pm_sweep sweep;
        pm_sum whole = {0}, parts = {0};
        int a[REPEATS_LINES * REPEATS_LINES][2];
        repeats_full(&rng, PM_INTEGER, 6, 3, 1 << (pm_rng_below(&rng, 2) ? 3 : 28), &x, a);
        repeats_square(&x, false, 56, &s);
        prepare(&s, PM_KAHAN, pm_isa_best(), &sweep);
        assert_true(sweep.count > 2);
        sweep.range(sweep.problem, 0, sweep.count, &whole);
        for (uint64_t at = 0, end; at < sweep.count; at = end) {
            end = at + 1 + pm_rng_below(&rng, (uint32_t)sweep.count);
            end = end < sweep.count ? end : sweep.count;
            sweep.range(sweep.problem, at, end, &parts);
        }
        assert_int_equal(pm_repeated_exact_residue(&sweep, &whole, 0),
                         pm_repeated_exact_residue(&sweep, &parts, 0));
        pm_sweep_free(&sweep);
        pm_square_free(&s);
        pm_matrix_free(&x.a);
    }
}

static void threads(void **state)
{
    (void)state;
    for (int f = 0; f < 2; ++f) {
        repeats x;
        int a[REPEATS_LINES * REPEATS_LINES][2];
        pm_value one, many;
        pm_count_options opt = pm_count_defaults();
        pm_value_init(&one);
        pm_value_init(&many);
        opt.algorithm = "repeated";
        opt.precision = PM_DQ;
        repeats_full(&rng, f ? PM_COMPLEX : PM_INTEGER, 8, 4, 1000, &x, a);
        assert_int_equal(count(&x, opt, 1, &one), PM_OK);
        assert_int_equal(count(&x, opt, 3, &many), PM_OK);
        assert_true(one.re.hi == many.re.hi && one.re.lo == many.re.lo);
        assert_true(one.im.hi == many.im.hi && one.im.lo == many.im.lo);
        assert_true(one.error.hi == many.error.hi && mpq_equal(one.exact, many.exact));
        pm_value_clear(&one);
        pm_value_clear(&many);
        pm_matrix_free(&x.a);
    }
}

/* ---- indices ---- */

/* The digits of a tile as one number, and those of its complement. */
static uint64_t number_of(const pm_repeated_digits *d, const pm_repeated_walk *w, bool complement)
{
    uint64_t index = 0;
    for (int32_t j = d->count - d->inner - 1; j >= 0; --j) {
        const pm_repeated_digit *g = &d->digit[d->inner + j];
        int32_t k = complement ? g->times - w->k[j] : w->k[j];
        index = index * (uint64_t)g->radix + (uint64_t)k;
    }
    return index;
}

/* Neighbouring tiles differ by one in one digit.  Every vector of outer digits or its complement
 * occurs once; both together only where they are the same, in the middle tile. */
static void walks(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        pm_square s = {.n = 2 + (int32_t)pm_rng_below(&rng, 5)};
        pm_repeated_digits d;
        pm_repeated_walk w, here;
        uint64_t all = 1;
        bool is_even = round % 3 == 0;
        for (int32_t j = 0; j < s.n; ++j)
            s.col_times[j] = (int32_t)pm_rng_below(&rng, is_even ? 3 : 6) * (is_even ? 2 : 1);
        s.col_times[0] += 2 * (s.col_times[0] == 0);
        assert_int_equal(pm_repeated_digits_make(&s, 1000, &d, NULL), PM_OK);
        for (int32_t j = d.inner; j < d.count; ++j)
            all *= (uint64_t)d.digit[j].radix;
        assert_int_equal(d.tiles, (all + 1) / 2);
        assert_true(d.middle == (all % 2 ? all / 2 : PM_REPEATED_NO_TILE));
        int *seen = pm_calloc_array((int64_t)all, sizeof *seen);
        pm_repeated_walk_at(&d, 0, &w);
        for (uint64_t t = 0; t < d.tiles; ++t) {
            if (t > 0)
                pm_repeated_walk_next(&d, &w);
            pm_repeated_walk_at(&d, t, &here);
            for (int32_t j = 0; j < d.count - d.inner; ++j)
                assert_int_equal(w.k[j], here.k[j]);
            seen[number_of(&d, &w, false)] += 1;
            seen[number_of(&d, &w, true)] += 1;
            bool is_own = number_of(&d, &w, false) == number_of(&d, &w, true);
            assert_true(is_own == (t == d.middle));
            assert_int_equal(pm_repeated_tile_weight(&d, t), is_own ? 1 : 2);
        }
        for (uint64_t i = 0, own = 0; i < all; ++i) {
            own += seen[i] == 2;
            assert_true(seen[i] == 1 || seen[i] == 2);
            assert_true(i + 1 < all || own == all % 2);
        }
        free(seen);
    }
}

/* ---- limits ---- */

static void limits(void **state)
{
    (void)state;
    repeats x;
    int a[REPEATS_LINES * REPEATS_LINES][2];
    pm_value v;
    pm_count_options opt = pm_count_defaults();
    opt.algorithm = "repeated";
    pm_value_init(&v);
    repeats_full(&rng, PM_REAL, 2, 321, 5, &x, a);
    assert_int_equal(count(&x, opt, 1, &v), PM_UNABLE); /* 642 rows */
    pm_matrix_free(&x.a);
    repeats_full(&rng, PM_INTEGER, 2, test_size(321, 40), 5, &x, a);
    assert_int_equal(count(&x, opt, 1, &v), PM_OK);
    x.col[0] = 0; /* the sums differ: no perfect matching */
    assert_int_equal(count(&x, opt, 1, &v), PM_OK);
    assert_true(pm_value_is_zero(&v));
    x.row[0] = x.row[1] = x.col[1] = 0; /* nothing is left: the empty product */
    opt.algorithm = NULL;
    assert_int_equal(count(&x, opt, 1, &v), PM_OK);
    assert_int_equal(mpq_cmp_si(v.exact, 1, 1), 0);
    pm_matrix_free(&x.a);
    pm_value_clear(&v);
}

static void no_memory(void **state)
{
    (void)state;
    for (int f = 0; f < 2; ++f) {
        repeats x;
        int a[REPEATS_LINES * REPEATS_LINES][2];
        pm_value v;
        pm_count_options opt = pm_count_defaults();
        pm_error err;
        pm_run run = {.threads = 1};
        pm_status status = PM_ENOMEM;
        repeats_full(&rng, f ? PM_REAL : PM_INTEGER, 3, 2, 5, &x, a);
        opt.row_times = x.row;
        opt.col_times = x.col;
        for (int64_t k = 1; status; ++k) {
            pm_count_report report = {0};
            pm_value_init(&v);
            pm_alloc_fail_at(k);
            status = pm_count(&x.a, &opt, &run, &v, &report, &err);
            pm_alloc_fail_at(0);
            assert_true(status == PM_OK || status == PM_ENOMEM);
            pm_count_report_free(&report);
            pm_value_clear(&v);
        }
        pm_matrix_free(&x.a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_matrices), cmocka_unit_test(written_out),
        cmocka_unit_test(many_copies),    cmocka_unit_test(vector_units),
        cmocka_unit_test(ranges),         cmocka_unit_test(threads),
        cmocka_unit_test(walks),          cmocka_unit_test(limits),
        cmocka_unit_test(no_memory),      cmocka_unit_test(columns_that_differ_little),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
