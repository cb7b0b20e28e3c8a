/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dense kernels for real and complex blocks: against exact sums of their terms and exact
 * permanents, on every vector unit of the machine. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dense/dense_float.h"
#include "dense/dense_float_entries.h"
#include "dense/dense_float_problem.h"
#include "pm/alloc.h"
#include "reference/textbook.h"
#include "support/answers.h"
#include "support/matrices.h"
#include "sweep/ryser_driver.h"

enum { PRECISIONS = PM_SINGLE + 1 };

/* ---- squares ---- */

static void square_of(pm_matrix *a, pm_square *s)
{
    pm_error err;
    int32_t ones[PM_SQUARE_MAX];
    for (int i = 0; i < PM_SQUARE_MAX; ++i)
        ones[i] = 1;
    pm_block b = {.a = *a, .row_cap = ones, .col_cap = ones, .n = a->nrows};
    assert_int_equal(pm_square_make(&b, false, 62, 0, s, &err), PM_OK);
}

/* Entries that a double holds: of any exponent, or in eighths so that nothing is rounded. */
static double entry(uint64_t *rng, bool is_short)
{
    double x = 2 * pm_rng_unit(rng) - 1;
    return is_short ? nearbyint(8 * x) / 8 : x * pm_rng_unit(rng);
}

static void full_matrix(uint64_t *rng, pm_field field, int32_t n, bool is_short, pm_matrix *a)
{
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    for (int32_t k = 0; k < n * n; ++k) {
        pm_dyadic re = {0}, im = {0};
        pm_dyadic_set_d(&re, entry(rng, is_short));
        pm_dyadic_set_d(&im, entry(rng, is_short));
        assert_int_equal(
            pm_triples_add(&t, k / n, k % n, 0, &re, field == PM_COMPLEX ? &im : NULL, NULL),
            PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "full", a, NULL), PM_OK);
    pm_triples_free(&t);
}

static void full_square(uint64_t *rng, pm_field field, int32_t n, bool is_short, pm_square *s)
{
    pm_matrix a;
    full_matrix(rng, field, n, is_short, &a);
    square_of(&a, s);
    pm_matrix_free(&a);
}

static void prepare(const pm_square *s, pm_precision precision, pm_isa isa, pm_sweep *out)
{
    pm_error err;
    assert_int_equal(pm_dense_float_prepare_isa(s, precision, isa, out, &err), PM_OK);
}

static void range(const pm_sweep *s, uint64_t first, uint64_t end, pm_sum *sum)
{
    memset(sum, 0, sizeof *sum);
    s->range(s->problem, first, end, sum);
}

/* Any aligned range of at most `most` tiles. */
static void random_range(uint64_t *rng, const pm_sweep *s, uint32_t most, uint64_t *first,
                         uint64_t *end)
{
    uint64_t tiles = s->count / s->grain, from = pm_rng_next(rng) % tiles;
    uint64_t to = from + 1 + pm_rng_below(rng, most);
    *first = from * s->grain;
    *end = (to < tiles ? to : tiles) * s->grain;
}

/* ---- a range by its definition, exactly ---- */

enum { SCALE = 200 }; /* entries are multiples of 2^-SCALE */

typedef struct {
    mpz_t re, im;
} gauss;

static void gauss_add(gauss *z, const double *x, int components, bool minus, mpz_t t)
{
    int low = components == 4 ? 2 : components == 2 ? 1 : 0;
    for (int c = 0; c < components; ++c) {
        mpz_set_d(t, ldexp(x[c], SCALE));
        mpz_ptr to = components > 1 && c >= low ? z->im : z->re;
        (minus ? mpz_sub : mpz_add)(to, to, t);
    }
}

/* The row sum of term t; a quad's two parts count as one. */
static void row_sum(const double *row, int32_t n, pm_dense_kind kind, uint64_t t, gauss *z)
{
    int components = pm_dense_components(kind);
    uint64_t gray = t ^ t >> 1;
    mpz_t x;
    mpz_init(x);
    mpz_set_ui(z->re, 0);
    mpz_set_ui(z->im, 0);
    for (int32_t j = 0; j < n; ++j) {
        const double *at = row + (int64_t)j * components;
        bool minus = j < n - 1 && gray >> j & 1;
        if (kind == PM_DENSE_QUAD) { /* both components are real */
            gauss_add(z, at, 1, minus, x);
            gauss_add(z, at + 1, 1, minus, x);
        } else {
            gauss_add(z, at, components, minus, x);
        }
    }
    mpz_clear(x);
}

static void gauss_multiply(gauss *z, const gauss *x, mpz_t a, mpz_t b)
{
    mpz_mul(a, z->re, x->re);
    mpz_submul(a, z->im, x->im);
    mpz_mul(b, z->re, x->im);
    mpz_addmul(b, z->im, x->re);
    mpz_swap(z->re, a);
    mpz_swap(z->im, b);
}

typedef struct {
    gauss sum;
    double absolute, spread;
} slow_sum;

static double part(const mpz_t z, int64_t shift)
{
    long e;
    double m = mpz_get_d_2exp(&e, z);
    return ldexp(m, (int)(e + shift));
}

static void slow_range(const double *value, const double *inexact, int32_t n, pm_dense_kind kind,
                       double scale, uint64_t first, uint64_t end, slow_sum *out)
{
    gauss p, x;
    mpz_t a, b;
    mpz_inits(p.re, p.im, x.re, x.im, a, b, NULL);
    for (uint64_t t = first; t < end; ++t) {
        long double low = 1, high = 1;
        mpz_set_ui(p.re, 1);
        mpz_set_ui(p.im, 0);
        for (int32_t i = 0; i < n; ++i) {
            row_sum(value + (int64_t)i * n * pm_dense_components(kind), n, kind, t, &x);
            gauss_multiply(&p, &x, a, b);
            long double m = hypotl(part(x.re, -SCALE), part(x.im, -SCALE));
            low *= m;
            high *= m + scale * inexact[i];
        }
        bool minus = t & 1; /* the Gray code of t has as many bits, but for even ones */
        (minus ? mpz_sub : mpz_add)(out->sum.re, out->sum.re, p.re);
        (minus ? mpz_sub : mpz_add)(out->sum.im, out->sum.im, p.im);
        out->absolute += hypot(part(p.re, -SCALE * (int64_t)n), part(p.im, -SCALE * (int64_t)n));
        out->spread += (double)((high - low) / scale);
    }
    mpz_clears(p.re, p.im, x.re, x.im, a, b, NULL);
}

/* |high + low - exact 2^-shift| */
static double distance(const double dd[2], const mpz_t exact, int64_t shift)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_z(a, exact);
    mpq_div_2exp(a, a, (mp_bitcnt_t)shift);
    for (int i = 0; i < 2; ++i) {
        mpq_set_d(b, dd[i]);
        mpq_sub(a, a, b);
    }
    double d = fabs(mpq_get_d(a));
    mpq_clears(a, b, NULL);
    return d;
}

static void check_range(const pm_square *q, pm_precision precision, pm_isa isa, uint64_t *rng)
{
    pm_sweep s;
    pm_sum sum;
    uint64_t first, end;
    slow_sum slow = {.absolute = 0};
    double inexact[PM_SQUARE_MAX] = {0};
    prepare(q, precision, isa, &s);
    const pm_dense_float *f = s.problem;
    int32_t n = f->n;
    double *value = calloc((size_t)n * (size_t)n * 4, sizeof *value);
    const bool is_single = precision == PM_SINGLE;
    const double least = is_single ? 1e-4 : 1e-12;
    pm_dense_float_entries(q, f->kind, n, value, inexact);
    pm_dense_float_lift(f->kind, n, value, inexact);
    mpz_inits(slow.sum.re, slow.sum.im, NULL);
    random_range(rng, &s, 3, &first, &end);
    range(&s, first, end, &sum);
    slow_range(value, inexact, n, f->kind, f->scale, first, end, &slow);
    double bound = s.rounding * sum.absolute + s.lost;
    assert_true(
        hypot(distance(sum.re, slow.sum.re, SCALE * n), distance(sum.im, slow.sum.im, SCALE * n))
        <= bound);
    assert_true(bound <= least * sum.absolute + s.lost);
    assert_true(sum.absolute >= slow.absolute * (1 - least));
    assert_true(sum.absolute <= slow.absolute * (q->im ? 1.42 : 1 + least));
    if (f->sample == 1) {
        const double more = is_single ? 24 * (n + 1) * 0x1p-24 : 1e-18;
        assert_true(sum.spread >= slow.spread * (1 - 1e-9) - s.lost);
        assert_true(sum.spread <= slow.spread * 1.01 + slow.absolute * more + s.lost);
    }
    mpz_clears(slow.sum.re, slow.sum.im, NULL);
    free(value);
    pm_sweep_free(&s);
}

static void test_ranges(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int round = test_rounds(3); round > 0; --round)
        for (int isa = 0; isa <= (int)pm_isa_best(); ++isa)
            for (int precision = 0; precision < PRECISIONS; ++precision)
                for (pm_field field = PM_REAL; field <= PM_COMPLEX; ++field) {
                    pm_square q;
                    int32_t n = 1 + (int32_t)pm_rng_below(&rng, 24);
                    full_square(&rng, field, n, round % 3 == 0, &q);
                    check_range(&q, (pm_precision)precision, (pm_isa)isa, &rng);
                    pm_square_free(&q);
                }
}

/* ---- vector units ---- */

static void test_units_agree(void **state)
{
    (void)state;
    static const int32_t sizes[] = {1, 5, 9, 12, 17, 23, 40, 64};
    uint64_t rng = test_seed();
    for (int k = test_first(&rng, 4); k < (int)(sizeof sizes / sizeof *sizes); k += test_step(4))
        for (int precision = 0; precision < PRECISIONS; ++precision)
            for (pm_field field = PM_REAL; field <= PM_COMPLEX; ++field) {
                pm_square q;
                uint64_t first = 0, end = 0;
                pm_sum expected;
                full_square(&rng, field, sizes[k], false, &q);
                for (int isa = 0; isa <= (int)pm_isa_best(); ++isa) {
                    pm_sweep s;
                    pm_sum sum;
                    prepare(&q, (pm_precision)precision, (pm_isa)isa, &s);
                    if (isa == 0)
                        random_range(&rng, &s, 1000, &first, &end);
                    range(&s, first, end, &sum);
                    if (isa == 0)
                        expected = sum;
                    assert_memory_equal(&sum, &expected, sizeof sum);
                    pm_sweep_free(&s);
                }
                pm_square_free(&q);
            }
}

/* ---- parts ---- */

static void test_parts_add_up(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int precision = 0; precision < PRECISIONS; ++precision)
        for (pm_field field = PM_REAL; field <= PM_COMPLEX; ++field) {
            pm_square q;
            pm_sweep s;
            pm_sum whole, sum, piece;
            full_square(&rng, field, test_size(18, 16), false, &q);
            prepare(&q, (pm_precision)precision, pm_isa_best(), &s);
            range(&s, 0, s.count, &whole);
            memset(&sum, 0, sizeof sum);
            for (uint64_t first = 0, end; first < s.count; first = end) {
                end = first + s.grain * (1 + pm_rng_below(&rng, 300));
                end = end < s.count ? end : s.count;
                range(&s, first, end, &piece);
                pm_sum_add(&sum, &piece, 0);
            }
            double bound = 2 * s.rounding * whole.absolute;
            assert_true(fabs((sum.re[0] - whole.re[0]) + (sum.re[1] - whole.re[1])) <= bound);
            assert_true(fabs((sum.im[0] - whole.im[0]) + (sum.im[1] - whole.im[1])) <= bound);
            const double sums = precision == PM_SINGLE ? 1e-4 : 1e-12;
            assert_true(fabs(sum.absolute - whole.absolute) <= sums * whole.absolute);
            assert_true(fabs(sum.spread - whole.spread) <= 1e-12 * whole.spread);
            pm_sweep_free(&s);
            pm_square_free(&q);
        }
}

/* ---- the spread of a sample ---- */

static void check_sample(pm_precision precision, pm_field field)
{
    uint64_t rng = 1;
    pm_square q;
    pm_sweep s;
    pm_sum some, all;
    full_square(&rng, field, 20, false, &q);
    for (int i = 0; i < q.n; ++i) /* as if entries had more bits than double-doubles */
        q.inexact_dd[i] = (double)q.bound[i] * PM_XREAL_EPS;
    prepare(&q, precision, pm_isa_best(), &s);
    pm_dense_float *f = s.problem;
    assert_true(s.sampled && f->sample > 1 && f->sample <= 8);
    range(&s, 0, s.count, &some);
    f->sample = 1;
    range(&s, 0, s.count, &all);
    assert_true(some.spread > all.spread / 2 && some.spread < all.spread * 2);
    assert_memory_equal(some.re, all.re, sizeof some.re);
    pm_sweep_free(&s);
    pm_square_free(&q);
}

/* Smaller squares have no sample; with fewer rounds one of doubles. */
static void test_sample(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    enum { KINDS = 2 * PRECISIONS };
    for (int k = test_first(&rng, 2); k < test_size(KINDS, 2); k += test_step(2))
        check_sample((pm_precision)(k / 2), k % 2 ? PM_COMPLEX : PM_REAL);
}

/* Eighths need no rounding, so there is no spread and nothing is estimated. */
static void test_exact_entries(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int precision = 0; precision < PRECISIONS; ++precision)
        for (pm_field field = PM_REAL; field <= PM_COMPLEX; ++field) {
            pm_square q;
            pm_sweep s;
            pm_sum sum;
            full_square(&rng, field, 20, true, &q);
            prepare(&q, (pm_precision)precision, pm_isa_best(), &s);
            range(&s, 0, 100 * s.grain, &sum);
            assert_false(s.sampled);
            assert_true(sum.spread == 0);
            pm_sweep_free(&s);
            pm_square_free(&q);
        }
}

/* ---- the error is a bound, and not an empty one ---- */

static void permanent_of(const pm_matrix *a, pm_precision precision, pm_value *v)
{
    static const pm_sweep_method method = {
        .name = "dense", .bits = 62, .prepare = pm_dense_float_prepare};
    pm_block b;
    as_block(a, &b);
    pm_job job = {.block = &b};
    assert_int_equal(pm_ryser_driver_permanent(&job, &method, &precision, false, v, NULL), PM_OK);
    assert_false(v->is_estimated);
    pm_block_free(&b);
}

/* (part - exact) / error */
static double part_of_error(pm_xreal part, pm_xreal error, const pm_dyadic *exact)
{
    mpq_t d, q;
    mpq_inits(d, q, NULL);
    xreal_to_mpq(part, d);
    dyadic_to_mpq(exact, q);
    mpq_sub(d, d, q);
    xreal_to_mpq(error, q);
    mpq_div(d, d, q);
    double r = mpq_get_d(d);
    mpq_clears(d, q, NULL);
    return r;
}

/* True error over the bound of it. */
static double error_ratio(const pm_matrix *a, const pm_cnum *exact, pm_precision precision)
{
    pm_value v;
    pm_value_init(&v);
    permanent_of(a, precision, &v);
    double r =
        hypot(part_of_error(v.re, v.error, &exact->re), part_of_error(v.im, v.error, &exact->im));
    pm_value_clear(&v);
    return r;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of the matrices whose value is not exact by luck. */
static double median(double *x, int count)
{
    int zeros = 0;
    qsort(x, (size_t)count, sizeof *x, by_value);
    while (zeros < count && x[zeros] == 0)
        ++zeros;
    return zeros < count ? x[zeros + (count - zeros) / 2] : NAN;
}

/* The median is asked for only where there are FEWEST matrices or more.  Of complex matrices whose value is not exact, one in five
 * has a bound of more than 10^4 times the error in one of the precisions.  So the median of FEWEST is above 10^4 with a
 * probability below 1e-8. */
static void test_bound(void **state)
{
    (void)state;
    enum { MATRICES = 600, FEWEST = 120 };
    static double ratio[2][PRECISIONS][MATRICES];
    uint64_t rng = test_seed();
    int matrices = test_rounds(MATRICES) < MATRICES ? test_rounds(MATRICES) : MATRICES;
    if (matrices < FEWEST && !test_is_very_short())
        matrices = FEWEST;
    for (int round = test_rounds(1); round > 0; --round)
        for (int complex = 0; complex < 2; ++complex) {
            for (int k = 0; k < matrices; ++k) {
                pm_matrix a;
                pm_cnum exact = {0};
                pm_field field = complex ? PM_COMPLEX : PM_REAL;
                int32_t n = 1 + (int32_t)pm_rng_below(&rng, k % 16 ? 9 : 12);
                if (k % 2)
                    random_matrix(&rng, field, n, n, 0.3 + 0.7 * pm_rng_unit(&rng), &a);
                else
                    full_matrix(&rng, field, n, k % 6 == 0, &a);
                textbook_transfer_matrix(&a, &exact);
                for (int p = 0; p < PRECISIONS; ++p) {
                    ratio[complex][p][k] = error_ratio(&a, &exact, (pm_precision)p);
                    assert_true(ratio[complex][p][k] <= 1);
                }
                pm_cnum_clear(&exact);
                pm_matrix_free(&a);
            }
            for (int p = 0; p < PRECISIONS; ++p) {
                double bound_over_error = 1 / median(ratio[complex][p], matrices);
                printf("# field %d precision %d: median of bound over error %.3g\n", complex, p,
                       bound_over_error);
                assert_true(bound_over_error <= 1e4 || matrices < FEWEST);
            }
        }
}

/* ---- accuracy on (1/n)-matrices: n! / n^n ---- */

static void check_uniform(int32_t n, pm_precision precision, double most)
{
    pm_triples t = {.field = PM_REAL, .nrows = n, .ncols = n};
    pm_matrix a;
    pm_value v;
    pm_dyadic x = {0};
    long double exact = 1;
    for (int32_t k = 0; k < n * n; ++k) {
        pm_dyadic_set_d(&x, 1. / n);
        assert_int_equal(pm_triples_add(&t, k / n, k % n, 0, &x, NULL, NULL), PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "1/n", &a, NULL), PM_OK);
    for (int32_t i = 1; i <= n; ++i)
        exact *= (long double)i / n;
    pm_value_init(&v);
    permanent_of(&a, precision, &v);
    long double got = ldexpl((long double)v.re.hi + v.re.lo, (int)v.re.exp);
    assert_true(fabsl(got / exact - 1) <= most);
    pm_value_clear(&v);
    pm_matrix_free(&a);
    pm_triples_free(&t);
}

static void test_uniform(void **state)
{
    (void)state;
    const int32_t first = test_size(20, 15);
    for (int32_t n = first; n <= first + 2; ++n) {
        check_uniform(n, PM_DOUBLE, 1e-12);
        check_uniform(n, PM_KAHAN, 1e-12);
        check_uniform(n, PM_DQ, 1e-12);
        check_uniform(n, PM_QUAD, 1e-14);
        check_uniform(n, PM_SINGLE, 1e-3);
    }
}

/* ---- memory ---- */

static void test_memory(void **state)
{
    (void)state;
    uint64_t rng = 2;
    pm_square q;
    full_square(&rng, PM_COMPLEX, 12, false, &q);
    for (int64_t k = 1;; ++k) {
        pm_sweep s = {0};
        pm_error err;
        pm_alloc_fail_at(k);
        pm_status rc = pm_dense_float_prepare_isa(&q, PM_QUAD, pm_isa_best(), &s, &err);
        if (pm_alloc_fail_at(0) < k) {
            assert_int_equal(rc, PM_OK);
            pm_sweep_free(&s);
            break;
        }
        assert_int_equal(rc, PM_ENOMEM);
    }
    pm_square_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),        cmocka_unit_test(test_units_agree),
        cmocka_unit_test(test_parts_add_up),  cmocka_unit_test(test_sample),
        cmocka_unit_test(test_exact_entries), cmocka_unit_test(test_bound),
        cmocka_unit_test(test_uniform),       cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
