/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reductions of graphs with known counts, the exact complex numbers below them, and failures. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "number/cnum.h"
#include "pm/alloc.h"
#include "pm/reduce.h"
#include "reduce/bound.h"
#include "reduce/plain_blocks.h"
#include "reduce/reduce_graph.h"

/* ---- matrices ---- */

typedef struct {
    int64_t row, col;
    double re, im;
} place;

static void build(pm_matrix *a, pm_field field, int64_t n, const place *at, int64_t count)
{
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    for (int64_t k = 0; k < count; ++k) {
        pm_dyadic re = {0}, im = {0};
        pm_dyadic_set_d(&re, at[k].re);
        pm_dyadic_set_d(&im, at[k].im);
        assert_int_equal(pm_triples_add(&t, at[k].row, at[k].col, 0,
                                        field == PM_PATTERN ? NULL : &re,
                                        field == PM_COMPLEX ? &im : NULL, NULL),
                         PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", a, NULL), PM_OK);
}

/* Row i of n in columns i + first .. i + last, modulo n if closed. */
static void band(pm_matrix *a, int64_t n, int64_t first, int64_t last, bool closed)
{
    place *at = pm_alloc_array(n * (last - first + 1), sizeof *at);
    int64_t count = 0;
    assert_non_null(at);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t d = first; d <= last; ++d)
            if (closed || (i + d >= 0 && i + d < n))
                at[count++] = (place){.row = i, .col = (i + d + n) % n, .re = 1};
    build(a, PM_PATTERN, n, at, count);
    free(at);
}

static void assert_factor(const pm_reduced *r, const mpz_t expected)
{
    mpz_t factor;
    mpz_init(factor);
    assert_false(r->zero);
    assert_int_equal(r->nblocks, 0);
    assert_true(pm_dyadic_is_integer(&r->factor_re));
    pm_dyadic_get_mpz(factor, &r->factor_re);
    assert_int_equal(mpz_cmp(factor, expected), 0);
    assert_true(pm_dyadic_is_zero(&r->factor_im));
    mpz_clear(factor);
}

/* All rules leave nothing of a but the factor `expected`. */
static void assert_reduces_to(const pm_matrix *a, const mpz_t expected)
{
    pm_reduced r = {0};
    pm_reduce_options opt = pm_reduce_all();
    assert_int_equal(pm_reduce(a, &opt, NULL, &r, NULL), PM_OK);
    assert_factor(&r, expected);
    pm_reduced_free(&r);
}

/* ---- known counts ---- */

static void test_empty(void **state)
{
    (void)state;
    pm_matrix a = {0};
    mpz_t one;
    mpz_init_set_ui(one, 1);
    assert_reduces_to(&a, one);
    assert_true(pm_permanent_log2_bound(&a) >= 0);
    assert_true(pm_permanent_log2_bound(&a) < 1e-3);
    mpz_clear(one);
}

static void test_path_and_cycle(void **state)
{
    (void)state;
    mpz_t count;
    mpz_init(count);
    for (int closed = 0; closed < 2; ++closed) {
        pm_matrix a = {0};
        band(&a, 100000, 0, 1, closed);
        mpz_set_ui(count, closed ? 2 : 1);
        assert_reduces_to(&a, count);
        pm_matrix_free(&a);
    }
    mpz_clear(count);
}

/* Tridiagonal: Fibonacci numbers, and two neighbours in every merge. */
static void test_fibonacci(void **state)
{
    (void)state;
    pm_matrix a = {0};
    mpz_t count;
    mpz_init(count);
    for (int64_t n = 1; n <= 30000; n = 3 * n + 1) {
        band(&a, n, -1, 1, false);
        mpz_fib_ui(count, (unsigned long)n + 1);
        assert_reduces_to(&a, count);
        pm_matrix_free(&a);
    }
    mpz_clear(count);
}

/* First column, diagonal and superdiagonal: one hub takes part in many merges. */
static void test_hub(void **state)
{
    (void)state;
    enum { N = 30000 };
    pm_matrix a = {0};
    place *at = pm_alloc_array(3 * N, sizeof *at);
    assert_non_null(at);
    int64_t count = 0;
    for (int64_t i = 0; i < N; ++i) {
        at[count++] = (place){.row = i, .col = 0, .re = 1};
        if (i > 0)
            at[count++] = (place){.row = i, .col = i, .re = 1};
        if (i + 1 < N)
            at[count++] = (place){.row = i, .col = i + 1, .re = 1};
    }
    build(&a, PM_PATTERN, N, at, count);
    /* the row that uses column 0 cuts the chain: before it the superdiagonal, after it the
     * diagonal, so one matching for each row */
    mpz_t n;
    mpz_init_set_ui(n, N);
    assert_reduces_to(&a, n);
    mpz_clear(n);
    free(at);
    pm_matrix_free(&a);
}

static void test_ones(void **state)
{
    (void)state;
    enum { N = 150 };
    pm_matrix a = {0};
    mpz_t count;
    mpz_init(count);
    band(&a, N, 0, N - 1, true);
    mpz_fac_ui(count, N);
    assert_reduces_to(&a, count);
    mpz_clear(count);
    pm_matrix_free(&a);
}

/* Rank one, x_i y_j: n! times the product of all x and y, for Gaussian integers with common and
 * uncommon divisors, over powers of 2. */
static void test_rank_one(void **state)
{
    (void)state;
    static const double x[4][2] = {{1, 2}, {3, -1}, {2, 0}, {0.5, 0.5}};
    static const double y[4][2] = {{5, 0}, {1, 1}, {-3, 2}, {0.25, -4}};
    place at[16];
    pm_matrix a = {0};
    pm_reduced r = {0};
    pm_cnum expected = {0}, f = {0};
    pm_reduce_options opt = pm_reduce_all();
    pm_cnum_set_si(&expected, 24);
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j)
            at[4 * i + j] = (place){i, j, x[i][0] * y[j][0] - x[i][1] * y[j][1],
                                    x[i][0] * y[j][1] + x[i][1] * y[j][0]};
        pm_dyadic_set_d(&f.re, x[i][0]);
        pm_dyadic_set_d(&f.im, x[i][1]);
        pm_cnum_mul(&expected, &expected, &f);
        pm_dyadic_set_d(&f.re, y[i][0]);
        pm_dyadic_set_d(&f.im, y[i][1]);
        pm_cnum_mul(&expected, &expected, &f);
    }
    build(&a, PM_COMPLEX, 4, at, 16);
    assert_int_equal(pm_reduce(&a, &opt, NULL, &r, NULL), PM_OK);
    assert_int_equal(r.nblocks, 0);
    assert_true(pm_dyadic_equal(&r.factor_re, &expected.re));
    assert_true(pm_dyadic_equal(&r.factor_im, &expected.im));
    pm_cnum_clear(&expected);
    pm_cnum_clear(&f);
    pm_reduced_free(&r);
    pm_matrix_free(&a);
}

/* Structurally sound, but the merge of two columns cancels: 1*1 + 1*(-1). */
static void test_cancellation(void **state)
{
    (void)state;
    static const place at[] = {{0, 0, 1, 0}, {0, 1, 1, 0}, {1, 0, 1, 0}, {1, 1, -1, 0}};
    pm_matrix a = {0};
    pm_reduced r = {0};
    pm_reduce_options opt = pm_reduce_all();
    build(&a, PM_INTEGER, 2, at, 4);
    assert_int_equal(pm_reduce(&a, &opt, NULL, &r, NULL), PM_OK);
    assert_true(r.zero);
    assert_int_equal(r.nblocks, 0);
    assert_true(pm_dyadic_is_zero(&r.factor_re));
    pm_reduced_free(&r);
    pm_matrix_free(&a);
}

/* A cycle with random real weights: the permanent is the sum of two products; a short cycle is
 * merged to the end, a long one stops when the numbers have 4096 bits. */
static void test_long_numbers(void **state)
{
    (void)state;
    uint64_t rng = 5;
    pm_reduce_options opt = pm_reduce_all();
    for (int64_t n = 20; n <= 2000; n *= 100) {
        pm_matrix a = {0};
        pm_reduced r = {0};
        place *at = pm_alloc_array(2 * n, sizeof *at);
        assert_non_null(at);
        for (int64_t k = 0; k < 2 * n; ++k)
            at[k] = (place){.row = k / 2, .col = (k + 1) / 2 % n, .re = pm_rng_unit(&rng)};
        build(&a, PM_REAL, n, at, 2 * n);
        assert_int_equal(pm_reduce(&a, &opt, NULL, &r, NULL), PM_OK);
        assert_int_equal(r.nblocks, n > 20);
        if (n > 20) {
            const pm_block *b = &r.blocks[0];
            assert_true(b->n > 10 && b->n < n / 10);
            for (int64_t k = 0; k < pm_matrix_nnz(&b->a); ++k)
                assert_true(pm_dyadic_bits(&b->a.re[k]) <= 4096);
        } else {
            double even = 1, odd = 1;
            for (int64_t k = 0; k < n; ++k) {
                even *= at[2 * k].re;
                odd *= at[2 * k + 1].re;
            }
            double value = pm_dyadic_get_d(&r.factor_re);
            assert_true(fabs(value / (even + odd) - 1) < 1e-13);
        }
        pm_reduced_free(&r);
        pm_matrix_free(&a);
        free(at);
    }
}

/* Columns c, 3^10 c, c + (0 0 1 0) and (1 2 3 4) with c of integers beyond 64 bits: the first two
 * are proportional, the third is not though it differs in the last digit only. */
static void test_big_twins(void **state)
{
    (void)state;
    enum { N = 4 };
    pm_matrix a = {0};
    pm_reduced r = {0};
    pm_reduce_options opt = {.twins = true};
    mpz_t z;
    mpz_init(z);
    assert_int_equal(pm_matrix_alloc(&a, PM_INTEGER, N, N, N * N, NULL), PM_OK);
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < N; ++j) {
            mpz_ui_pow_ui(z, 3, (unsigned)(50 + 7 * i + 10 * (j == 1)));
            mpz_add_ui(z, z, i == 2 && j == 2);
            if (j == 3)
                mpz_set_si(z, i + 1);
            a.colind[N * i + j] = j;
            pm_dyadic_set_mpz(&a.re[N * i + j], z);
        }
        a.rowptr[i + 1] = N * (i + 1);
    }
    assert_int_equal(pm_reduce(&a, &opt, NULL, &r, NULL), PM_OK);
    assert_int_equal(r.nblocks, 1);
    assert_int_equal(r.blocks[0].n, N);
    assert_int_equal(r.blocks[0].a.nrows, N);
    assert_int_equal(r.blocks[0].a.ncols, N - 1);
    assert_int_equal(r.blocks[0].col_cap[0], 2);
    pm_reduced_free(&r);
    pm_matrix_free(&a);
    mpz_clear(z);
}

/* 2^61 and 1 have the same residue, so hashes meet: columns (1 1) and (1 2^61) are no twins. */
static void test_equal_hashes(void **state)
{
    (void)state;
    static const place at[] = {{0, 0, 1, 0}, {0, 1, 1, 0}, {1, 0, 1, 0}, {1, 1, 0x1p61, 0}};
    pm_matrix a = {0};
    pm_reduced r = {0};
    pm_reduce_options opt = {.twins = true};
    build(&a, PM_REAL, 2, at, 4);
    assert_int_equal(pm_reduce(&a, &opt, NULL, &r, NULL), PM_OK);
    assert_int_equal(r.nblocks, 1);
    assert_true(pm_matrix_equal(&r.blocks[0].a, &a));
    pm_reduced_free(&r);
    pm_matrix_free(&a);
}

/* A cycle with integer weights, merged only while mantissas are short: some lines are left, and no entry is long. */
static void test_merge_bits(void **state)
{
    (void)state;
    enum { SIZE = 200, BITS = 40 };
    uint64_t rng = 6;
    place at[2 * SIZE];
    pm_matrix a = {0};
    pm_reduced r = {0};
    pm_reduce_options opt = {.degree1 = true, .degree2 = true, .merge_bits = BITS};
    for (int64_t k = 0; k < 2 * SIZE; ++k)
        at[k] = (place){
            .row = k / 2, .col = (k + 1) / 2 % SIZE, .re = 1 + (double)pm_rng_below(&rng, 1000)};
    build(&a, PM_INTEGER, SIZE, at, 2 * SIZE);
    assert_int_equal(pm_reduce(&a, &opt, NULL, &r, NULL), PM_OK);
    assert_int_equal(r.nblocks, 1);
    const pm_block *b = &r.blocks[0];
    assert_true(b->n > SIZE / 20 && b->n < SIZE / 2);
    for (int64_t k = 0; k < pm_matrix_nnz(&b->a); ++k)
        assert_true(pm_dyadic_bits(&b->a.re[k]) <= BITS + 1);
    pm_reduced_free(&r);
    opt.merge_bits = 0;
    assert_int_equal(pm_reduce(&a, &opt, NULL, &r, NULL), PM_OK);
    assert_int_equal(r.nblocks, 0);
    pm_reduced_free(&r);
    pm_matrix_free(&a);
}

/* Column 0 of capacity 2; row 1 has no other column and takes a place; then row 0 of degree 2,
 * passed over before, may be merged, which leaves all ones of size 4. */
static void test_capacity_falls(void **state)
{
    (void)state;
    enum { N = 6, COLUMNS = 5 };
    pm_matrix a = {0};
    pm_rgraph g = {0};
    pm_reduced r = {0};
    pm_reduce_options opt = {.degree1 = true, .degree2 = true};
    assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, N, COLUMNS, N * COLUMNS, NULL), PM_OK);
    for (int i = 0; i < N; ++i) {
        int degree = i == 0 ? 2 : i == 1 ? 1 : COLUMNS;
        a.rowptr[i + 1] = a.rowptr[i] + degree;
        for (int j = 0; j < degree; ++j)
            a.colind[a.rowptr[i] + j] = j;
    }
    assert_int_equal(pm_rgraph_load(&g, &a, NULL), PM_OK);
    g.vertex[N].cap = 2;
    assert_int_equal(pm_rgraph_rewrite(&g, &opt, NULL, NULL), PM_OK);
    assert_int_equal(pm_rgraph_extract(&g, false, &r, NULL), PM_OK);
    assert_int_equal(r.nblocks, 1);
    assert_int_equal(r.blocks[0].n, 4);
    pm_reduced_free(&r);
    pm_rgraph_free(&g);
    pm_matrix_free(&a);
}

/* ---- signs ---- */

/* Three entries a row, with signs of rows and columns: all are positive, the sign is that of the
 * product of those given.  Whole numbers become a pattern. */
static void test_balanced_signs(void **state)
{
    (void)state;
    enum { SIZE = 40 };
    place at[3 * SIZE];
    uint64_t rng = 5;
    for (int round = 0; round < 20; ++round) {
        pm_matrix a;
        pm_reduced r = {0};
        pm_reduce_options opt = {.blocks = round % 3 == 0};
        pm_field field = round % 2 ? PM_REAL : PM_INTEGER;
        double sign[2 * SIZE], product = 1, scale = field == PM_REAL ? 0.75 : 1;
        for (int v = 0; v < 2 * SIZE; ++v)
            product *= sign[v] = pm_rng_below(&rng, 2) ? 1 : -1;
        for (int k = 0; k < 3 * SIZE; ++k) {
            int row = k / 3, column = (row + k % 3) % SIZE;
            at[k] = (place){row, column, sign[row] * sign[SIZE + column] * scale, 0};
        }
        build(&a, field, SIZE, at, 3 * SIZE);
        assert_int_equal(pm_reduce(&a, &opt, NULL, &r, NULL), PM_OK);
        assert_int_equal(r.nblocks, 1);
        assert_int_equal(r.blocks[0].a.field, field == PM_REAL ? PM_REAL : PM_PATTERN);
        for (int k = 0; k < 3 * SIZE && field == PM_REAL; ++k)
            assert_true(pm_dyadic_sign(&r.blocks[0].a.re[k]) > 0);
        assert_int_equal(pm_dyadic_sign(&r.factor_re), (int)product);
        pm_reduced_free(&r);
        pm_matrix_free(&a);
    }
}

/* Ones but for some negative entries at the head of rows and columns, which no signs explain: the
 * ones stay. */
static void test_unbalanced_signs(void **state)
{
    (void)state;
    enum { SIZE = 14 };
    place at[SIZE * SIZE];
    for (int k = 0; k < SIZE * SIZE; ++k) {
        int row = k / SIZE, column = k % SIZE;
        bool is_other = (row == 0 && column < 4) || (column == 0 && row < 6);
        at[k] = (place){row, column, is_other ? -3 : 1, 0};
    }
    pm_matrix a;
    pm_reduced r = {0};
    pm_reduce_options opt = {0};
    int ones = 0;
    build(&a, PM_INTEGER, SIZE, at, SIZE * SIZE);
    assert_int_equal(pm_reduce(&a, &opt, NULL, &r, NULL), PM_OK);
    for (int k = 0; k < SIZE * SIZE; ++k)
        ones += r.blocks[0].a.re[k].m.small == 1 && r.blocks[0].a.re[k].exp == 0;
    assert_int_equal(ones, SIZE * SIZE - 9);
    assert_int_equal(pm_dyadic_sign(&r.factor_re), 1);
    pm_reduced_free(&r);
    pm_matrix_free(&a);
}

/* ---- bounds ---- */

/* The elementary symmetric function e_c of a line's values is at most what the line adds. */
static void test_line_bound(void **state)
{
    (void)state;
    uint64_t rng = 11;
    for (int round = 0; round < 2000; ++round) {
        enum { D = 6 };
        int degree = 1 + (int)pm_rng_below(&rng, D),
            cap = 1 + (int)pm_rng_below(&rng, (uint32_t)degree);
        double symmetric[D + 1] = {1};
        pm_line line = {.cap = cap};
        pm_bound b = {0};
        for (int k = 0; k < degree; ++k) {
            double x = pm_rng_below(&rng, 2) ? 1 : exp2(6 * pm_rng_unit(&rng) - 3);
            pm_cnum value = {0};
            pm_dyadic_set_d(&value.re, pm_rng_below(&rng, 2) ? x : -x);
            pm_line_add(&line, &value, 1);
            for (int c = k + 1; c > 0; --c)
                symmetric[c] += x * symmetric[c - 1];
            pm_cnum_clear(&value);
        }
        pm_bound_add(&b, 0, &line);
        assert_true(b.sum[0] >= log2(symmetric[cap]) - 1e-9);
        /* and exact for capacity 1 */
        assert_true(cap > 1 || b.sum[0] <= log2(symmetric[1]) + 1e-9);
    }
}

static void test_bounds(void **state)
{
    (void)state;
    pm_matrix a = {0};
    /* tight: Bregman-Minc for all ones (20! is far below 20^20), row sums for a diagonal */
    band(&a, 20, 0, 19, true);
    double bound = pm_permanent_log2_bound(&a), truth = lgamma(21) / log(2);
    assert_true(bound >= truth && bound < truth + 1e-4);
    pm_matrix_free(&a);
    static const place diagonal[] = {{0, 0, -0.75, 0}, {1, 1, 8, 0}};
    build(&a, PM_REAL, 2, diagonal, 2);
    bound = pm_permanent_log2_bound(&a);
    assert_true(bound >= log2(6) && bound < log2(6) + 1e-4);
    pm_matrix_free(&a);
    static const place column[] = {{0, 0, 1, 0}, {1, 0, 1, 0}};
    build(&a, PM_PATTERN, 2, column, 2);
    assert_true(isinf(pm_permanent_log2_bound(&a)));
    pm_matrix_free(&a);
}

/* A reduced block keeps the bound of the block it came from, less the factors. */
static void test_block_bound(void **state)
{
    (void)state;
    enum { N = 40 };
    static const int offset[] = {0, 7, 12, 19};
    place at[4 * N];
    int64_t count = 0;
    for (int64_t i = 0; i < N; ++i)
        for (int d = 0; d < (i < 6 ? 2 : 4); ++d)
            at[count++] = (place){.row = i, .col = (i + offset[d]) % N, .re = 1};
    pm_matrix a = {0};
    pm_reduced r = {0};
    pm_reduce_options all = pm_reduce_all(), split = {.blocks = true};
    build(&a, PM_PATTERN, N, at, count);
    assert_int_equal(pm_reduce(&a, &split, NULL, &r, NULL), PM_OK);
    assert_int_equal(r.nblocks, 1);
    assert_int_equal(r.blocks[0].n, N);
    double before = r.blocks[0].log2_bound;
    pm_reduced_free(&r);
    assert_int_equal(pm_reduce(&a, &all, NULL, &r, NULL), PM_OK);
    assert_int_equal(r.nblocks, 1);
    assert_true(r.blocks[0].n < N);
    double after = r.blocks[0].log2_bound + log2(pm_dyadic_get_d(&r.factor_re));
    assert_true(after <= before + 1e-3);
    pm_reduced_free(&r);
    pm_matrix_free(&a);
}

/* ---- failures ---- */

static void test_not_square(void **state)
{
    (void)state;
    pm_matrix a = {0};
    pm_reduced r = {0};
    pm_error err = {.msg = ""};
    pm_reduce_options opt = pm_reduce_all();
    assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, 2, 3, 0, NULL), PM_OK);
    assert_int_equal(pm_reduce(&a, &opt, NULL, &r, &err), PM_EUSAGE);
    assert_string_equal(err.msg, "expected a square matrix, not 2 x 3");
    pm_matrix_free(&a);
}

static void test_stopped(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 1;
    pm_run run = {.stop = &stop};
    pm_matrix a = {0};
    pm_reduced r = {0};
    pm_reduce_options opt = pm_reduce_all();
    band(&a, 5, 0, 1, true);
    assert_int_equal(pm_reduce(&a, &opt, &run, &r, NULL), PM_ESTOPPED);
    assert_int_equal(r.nblocks, 0);
    pm_matrix_free(&a);
}

/* Each allocation of a reduction fails in turn.  Returns how many there are. */
static int fail_each(const pm_matrix *a, const pm_reduce_options *opt, int64_t nblocks)
{
    pm_status status = PM_ENOMEM;
    int failures = 0;
    for (int64_t k = 1; status; ++k) {
        pm_reduced r = {0};
        pm_error err = {.msg = ""};
        pm_alloc_fail_at(k);
        status = pm_reduce(a, opt, NULL, &r, &err);
        pm_alloc_fail_at(0);
        if (status) {
            assert_int_equal(status, PM_ENOMEM);
            assert_true(strlen(err.msg) > 0);
            assert_null(r.blocks);
            ++failures;
        } else {
            assert_int_equal(r.nblocks, nblocks);
        }
        pm_reduced_free(&r);
    }
    return failures;
}

static void test_no_memory(void **state)
{
    (void)state;
    pm_matrix a = {0}, blocks = {0};
    const pm_reduce_options opt = pm_reduce_all(), plain = {.blocks = true, .degree1 = true};
    const place at[] = {{0, 0, 1, 0}, {0, 1, 1, 0}, {1, 0, 1, 0}, {1, 1, 1, 0}, {1, 2, 1, 0},
                        {2, 2, 1, 0}, {2, 3, 1, 0}, {3, 2, 1, 0}, {3, 3, 1, 0}};
    build(&blocks, PM_PATTERN, 4, at, sizeof at / sizeof *at);
    assert_true(fail_each(&blocks, &plain, 2) > 20);
    pm_matrix_free(&blocks);
    band(&a, 12, 0, 3, true);
    assert_true(fail_each(&a, &plain, 1) > 3);
    /* two equal columns, so that there are groups of twins */
    for (int64_t k = 0; k < 8; ++k)
        a.colind[k] = (int32_t)(k % 4 + 1);
    const int failures = fail_each(&a, &opt, 1);
    assert_true(failures > 40);
    assert_true(pm_permanent_log2_bound(&a) > 0);
    double bound = pm_permanent_log2_bound(&a);
    pm_alloc_fail_at(1);
    double rows_only = pm_permanent_log2_bound(&a);
    pm_alloc_fail_at(0);
    assert_true(isfinite(rows_only) && rows_only >= bound);
    pm_matrix_free(&a);
}

/* ---- exact complex numbers ---- */

static void random_number(pm_cnum *x, uint64_t *rng, gmp_randstate_t big)
{
    mpz_t z;
    mpz_init(z);
    for (int part = 0; part < 2; ++part) {
        mpz_urandomb(z, big, 1 + pm_rng_below(rng, 150));
        if (pm_rng_below(rng, 2))
            mpz_neg(z, z);
        if (part == 1 && pm_rng_below(rng, 2))
            mpz_set_ui(z, 0);
        pm_dyadic_set_mpz_2exp(part ? &x->im : &x->re, z, (int64_t)pm_rng_below(rng, 200) - 100);
    }
    mpz_clear(z);
}

static bool residues_equal(pm_residue a, pm_residue b)
{
    return a.re == b.re && a.im == b.im;
}

/* Division inverts multiplication, a divisor divides, residues are a homomorphism. */
static void test_numbers(void **state)
{
    (void)state;
    uint64_t rng = 7;
    gmp_randstate_t big;
    gmp_randinit_default(big);
    gmp_randseed_ui(big, 7);
    for (int round = 0; round < 2000; ++round) {
        pm_cnum a = {0}, b = {0}, c = {0}, d = {0};
        random_number(&a, &rng, big);
        random_number(&b, &rng, big);
        pm_cnum_mul(&c, &a, &b);
        assert_true(residues_equal(pm_residue_mul(pm_cnum_residue(&a), pm_cnum_residue(&b)),
                                   pm_cnum_residue(&c)));
        pm_cnum_add(&d, &a, &b);
        assert_true(residues_equal(pm_residue_add(pm_cnum_residue(&a), pm_cnum_residue(&b)),
                                   pm_cnum_residue(&d)));
        if (!pm_cnum_is_zero(&b)) {
            pm_residue one =
                pm_residue_mul(pm_cnum_residue(&b), pm_residue_inverse(pm_cnum_residue(&b)));
            assert_true(residues_equal(one, (pm_residue){1, 0}));
            pm_cnum_div(&d, &c, &b);
            assert_true(pm_cnum_equal(&d, &a));
        }
        if (!pm_cnum_is_zero(&c) && !pm_cnum_is_zero(&a)) {
            double logarithms = pm_cnum_log2(&a) + pm_cnum_log2(&b);
            assert_true(fabs(logarithms - pm_cnum_log2(&c)) < 1e-12);
            /* gcd(a b, a (b + 1)) is a up to a unit: both quotients and that by a are in the ring,
             * and its size is that of a or of a times a divisor of b and b + 1, which is 1 */
            pm_cnum g = {0}, one = {0};
            pm_cnum_set_si(&one, 1);
            int64_t low, top;
            pm_cnum_range(&b, &low, &top);
            pm_dyadic_mul_2exp(&b.re, -low);
            pm_dyadic_mul_2exp(&b.im, -low);
            pm_cnum_mul(&c, &a, &b);
            pm_cnum_add(&d, &c, &a);
            pm_cnum_gcd(&g, &c);
            pm_cnum_gcd(&g, &d);
            assert_true(fabs(pm_cnum_log2(&g) - pm_cnum_log2(&a)) < 1e-12);
            pm_cnum_div(&d, &a, &g);
            pm_cnum_mul(&d, &d, &g);
            assert_true(pm_cnum_equal(&d, &a));
            pm_cnum_clear(&g);
            pm_cnum_clear(&one);
        }
        pm_cnum_clear(&a);
        pm_cnum_clear(&b);
        pm_cnum_clear(&c);
        pm_cnum_clear(&d);
    }
    gmp_randclear(big);
}

static int64_t random_integer(uint64_t *rng)
{
    int64_t v = (int64_t)(pm_rng_next(rng) >> (2 + pm_rng_below(rng, 60)));
    return pm_rng_below(rng, 2) ? -v : v;
}

/* Of integers with a common factor, and of powers of two times them, as GMP finds it. */
static void test_real_gcd(void **state)
{
    (void)state;
    uint64_t rng = 11;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (int round = 0; round < 2000; ++round) {
        pm_cnum g = {0}, a = {0}, want = {0};
        int64_t u = random_integer(&rng), v = random_integer(&rng);
        int64_t common = round % 2 ? 1 + 2 * (int64_t)pm_rng_below(&rng, 1000) : 1;
        int e = (int)pm_rng_below(&rng, 9) - 4;
        u = u / common * common;
        v = v / common * common;
        mpz_set_si(x, u);
        mpz_set_si(y, v);
        mpz_gcd(x, x, y);
        pm_dyadic_set_mpz_2exp(&want.re, x, e);
        pm_cnum_set_si(&a, u);
        pm_dyadic_mul_2exp(&a.re, e);
        pm_cnum_gcd(&g, &a);
        pm_cnum_set_si(&a, v);
        pm_dyadic_mul_2exp(&a.re, e);
        pm_cnum_gcd(&g, &a);
        assert_true(pm_cnum_equal(&g, &want));
        pm_cnum_clear(&g);
        pm_cnum_clear(&a);
        pm_cnum_clear(&want);
    }
    mpz_clears(x, y, NULL);
}

static void test_product(void **state)
{
    (void)state;
    pm_cproduct p = {0};
    pm_cnum f = {0}, out = {0};
    mpz_t expected, z;
    mpz_inits(expected, z, NULL);
    for (unsigned n = 0; n < 70; ++n) {
        for (unsigned k = 1; k <= n; ++k) {
            pm_cnum_set_si(&f, k);
            pm_cproduct_push(&p, &f);
        }
        pm_cproduct_take(&p, &out);
        mpz_fac_ui(expected, n);
        pm_dyadic_get_mpz(z, &out.re);
        assert_int_equal(mpz_cmp(z, expected), 0);
        assert_true(pm_cnum_is_real(&out));
    }
    pm_cnum_clear(&f);
    pm_cnum_clear(&out);
    mpz_clears(expected, z, NULL);
}

static void assert_same_blocks(const pm_reduced *x, const pm_reduced *y)
{
    assert_int_equal(x->zero, y->zero);
    assert_int_equal(x->nblocks, y->nblocks);
    assert_true(pm_dyadic_equal(&x->factor_re, &y->factor_re));
    assert_true(pm_dyadic_is_zero(&x->factor_im));
    for (int64_t b = 0; b < x->nblocks; ++b) {
        const pm_block *u = &x->blocks[b], *v = &y->blocks[b];
        const size_t n = (size_t)u->a.nrows;
        assert_int_equal(u->a.field, v->a.field);
        assert_int_equal(u->a.nrows, v->a.nrows);
        assert_int_equal(u->n, v->n);
        assert_int_equal(pm_matrix_nnz(&u->a), pm_matrix_nnz(&v->a));
        assert_memory_equal(u->a.rowptr, v->a.rowptr, (n + 1) * sizeof *u->a.rowptr);
        assert_memory_equal(u->a.colind, v->a.colind,
                            (size_t)pm_matrix_nnz(&u->a) * sizeof *u->a.colind);
        assert_memory_equal(u->row_cap, v->row_cap, n * sizeof *u->row_cap);
        assert_memory_equal(u->col_cap, v->col_cap, n * sizeof *u->col_cap);
        assert_true(u->log2_bound == v->log2_bound);
    }
}

/* Patterns to which no rule applies but the decomposition: the lists give the same blocks. */
static void test_plain_blocks(void **state)
{
    (void)state;
    enum { MOST = 12, ROUNDS = 2000 };
    uint64_t rng = 17;
    int several = 0, zero = 0, plain_of_merges = 0, with_rule = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        const bool merges = round % 2;
        const pm_reduce_options opt = {.blocks = true, .degree1 = true, .degree2 = merges};
        place at[MOST * MOST];
        const int64_t n = (int64_t)pm_rng_below(&rng, MOST + 1);
        const uint32_t of = n < 3 ? 2 : (uint32_t)n;
        const uint32_t wanted = merges ? of - 2 + pm_rng_below(&rng, 2) : 1 + pm_rng_below(&rng, 3);
        int64_t count = 0;
        for (int64_t i = 0; i < n; ++i)
            for (int64_t j = 0; j < n; ++j)
                if (i == j ? pm_rng_below(&rng, 20) > 0
                           : pm_rng_below(&rng, of) < wanted && (i < j || round % 3 || merges))
                    at[count++] = (place){i, j, 1, 0};
        pm_matrix a = {0};
        pm_rgraph g;
        pm_reduced r = {0}, by_lists = {.zero = true};
        bool is_plain = false;
        build(&a, PM_PATTERN, n, at, count);
        assert_int_equal(pm_reduce_plain(&a, &opt, NULL, &r, &is_plain, NULL), PM_OK);
        assert_true(is_plain || merges);
        assert_int_equal(pm_rgraph_load(&g, &a, NULL), PM_OK);
        assert_int_equal(pm_rgraph_rewrite(&g, &opt, NULL, NULL), PM_OK);
        if (!g.zero)
            assert_int_equal(pm_rgraph_extract(&g, true, &by_lists, NULL), PM_OK);
        if (is_plain)
            assert_same_blocks(&r, &by_lists);
        several += is_plain && r.nblocks > 1;
        zero += is_plain && r.zero;
        plain_of_merges += is_plain && merges && r.nblocks > 0;
        with_rule += !is_plain;
        pm_reduced_free(&r);
        pm_reduced_free(&by_lists);
        pm_rgraph_free(&g);
        pm_matrix_free(&a);
    }
    assert_true(several > 20 && zero > 20 && plain_of_merges > 20 && with_rule > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),          cmocka_unit_test(test_path_and_cycle),
        cmocka_unit_test(test_fibonacci),      cmocka_unit_test(test_hub),
        cmocka_unit_test(test_ones),           cmocka_unit_test(test_rank_one),
        cmocka_unit_test(test_cancellation),   cmocka_unit_test(test_long_numbers),
        cmocka_unit_test(test_big_twins),      cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_equal_hashes),   cmocka_unit_test(test_capacity_falls),
        cmocka_unit_test(test_plain_blocks),   cmocka_unit_test(test_line_bound),
        cmocka_unit_test(test_block_bound),    cmocka_unit_test(test_not_square),
        cmocka_unit_test(test_stopped),        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_numbers),        cmocka_unit_test(test_merge_bits),
        cmocka_unit_test(test_real_gcd),       cmocka_unit_test(test_product),
        cmocka_unit_test(test_balanced_signs), cmocka_unit_test(test_unbalanced_signs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
