/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reductions of random matrices, n <= 9, against the definition: value, bounds and the promises
 * of pm/reduce.h, for every field and every choice of rules.  PM_TEST_ROUNDS multiplies the
 * number of matrices, PM_TEST_SEED replaces the first seed. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/cnum.h"
#include "pm/alloc.h"
#include "pm/dm.h"
#include "pm/reduce.h"
#include "reduce/reduce_graph.h"
#include "support/matrices.h"
#include "support/testing.h"

#define MAX_N 9

/* ---- random matrices ---- */

typedef struct {
    int n;
    pm_field field;
    struct {
        int re, im; /* times 2^-shift */
    } x[MAX_N][MAX_N];
    int shift;
} table;

static int small_value(uint64_t *rng, pm_field field)
{
    static const int few[] = {1, 1, 1, -1, -1, 2, 3, -2};
    if (field == PM_PATTERN)
        return 1;
    return few[pm_rng_below(rng, 8)];
}

/* Line `to` becomes a multiple of line `from`. */
static void copy_line(table *t, int columns, int from, int to, int times)
{
    for (int k = 0; k < t->n; ++k) {
        int fi = columns ? k : from, fj = columns ? from : k;
        int ti = columns ? k : to, tj = columns ? to : k;
        t->x[ti][tj].re = times * t->x[fi][fj].re;
        t->x[ti][tj].im = times * t->x[fi][fj].im;
    }
}

/* Sparse or dense, a diagonal most of the time so that blocks arise, and some lines repeated. */
static void random_table(table *t, uint64_t *rng, pm_field field)
{
    memset(t, 0, sizeof *t);
    t->n = (int)pm_rng_below(rng, MAX_N + 1);
    t->field = field;
    t->shift = field == PM_REAL || field == PM_COMPLEX ? (int)pm_rng_below(rng, 4) : 0;
    if (t->n == 0)
        return;
    double density = 0.05 + 0.6 * pm_rng_unit(rng) * pm_rng_unit(rng);
    bool diagonal = pm_rng_below(rng, 5) > 0;
    for (int i = 0; i < t->n; ++i)
        for (int j = 0; j < t->n; ++j) {
            bool near = diagonal && (i == j || (j == (i + 1) % t->n && pm_rng_below(rng, 2)));
            if (!near && pm_rng_unit(rng) >= density)
                continue;
            t->x[i][j].re = small_value(rng, field);
            if (field == PM_COMPLEX && pm_rng_below(rng, 2))
                t->x[i][j].im = small_value(rng, field);
        }
    for (int copies = (int)pm_rng_below(rng, 5); copies > 0; --copies) {
        int times = field == PM_PATTERN ? 1 : 1 + (int)pm_rng_below(rng, 2);
        copy_line(t, (int)pm_rng_below(rng, 2), (int)pm_rng_below(rng, (uint32_t)t->n),
                  (int)pm_rng_below(rng, (uint32_t)t->n), times);
    }
}

static void to_matrix(const table *t, pm_matrix *a)
{
    int64_t nnz = 0;
    assert_int_equal(pm_matrix_alloc(a, t->field, t->n, t->n, MAX_N * MAX_N, NULL), PM_OK);
    for (int i = 0; i < t->n; ++i) {
        for (int j = 0; j < t->n; ++j) {
            if (t->x[i][j].re == 0 && t->x[i][j].im == 0)
                continue;
            a->colind[nnz] = j;
            if (a->re) {
                pm_dyadic_set_si(&a->re[nnz], t->x[i][j].re);
                pm_dyadic_mul_2exp(&a->re[nnz], -t->shift);
            }
            if (a->im) {
                pm_dyadic_set_si(&a->im[nnz], t->x[i][j].im);
                pm_dyadic_mul_2exp(&a->im[nnz], -t->shift);
            }
            ++nnz;
        }
        a->rowptr[i + 1] = nnz;
    }
}

/* ---- the definition ---- */

static void entry_value(const pm_matrix *a, int64_t k, bool absolute, pm_cnum *x)
{
    pm_cnum_set_si(x, 1);
    if (a->re)
        pm_dyadic_set(&x->re, &a->re[k]);
    if (a->im)
        pm_dyadic_set(&x->im, &a->im[k]);
    if (!absolute)
        return;
    if (pm_cnum_is_real(x)) {
        pm_dyadic_abs(&x->re);
    } else { /* rounded down: lower bounds are wanted here */
        double r = hypot(pm_dyadic_get_d(&x->re), pm_dyadic_get_d(&x->im));
        pm_cnum_set_si(x, 0);
        pm_dyadic_set_d(&x->re, r * (1 - 1e-15));
    }
}

/* Weighted count of a block, column states in mixed radix: digit j is what column j has used. */
static void slow_count(const pm_matrix *a, const int32_t *row_cap, const int32_t *col_cap,
                       bool absolute, pm_cnum *out)
{
    int states = 1, place[MAX_N + 1];
    for (int64_t j = 0; j < a->ncols; ++j) {
        place[j] = states;
        states *= col_cap[j] + 1;
    }
    pm_cnum *now = pm_calloc_array(states * (MAX_N + 1), sizeof *now), x = {0}, term = {0};
    assert_non_null(now);
    pm_cnum_set_si(&now[0], 1);
    for (int64_t i = 0; i < a->nrows; ++i) {
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int j = a->colind[k];
            entry_value(a, k, absolute, &x);
            for (int used = row_cap[i] - 1; used >= 0; --used)
                for (int s = 0; s < states; ++s) {
                    const pm_cnum *from = &now[used * states + s];
                    if (s / place[j] % (col_cap[j] + 1) == col_cap[j] || pm_cnum_is_zero(from))
                        continue;
                    pm_cnum *to = &now[(used + 1) * states + s + place[j]];
                    pm_cnum_mul(&term, from, &x);
                    pm_cnum_add(to, to, &term);
                }
        }
        for (int s = 0; s < states * (MAX_N + 1); ++s) {
            if (s < states)
                pm_cnum_set(&now[s], &now[row_cap[i] * states + s]);
            else
                pm_cnum_clear(&now[s]);
        }
    }
    pm_cnum_set(out, &now[states - 1]);
    for (int s = 0; s < states * (MAX_N + 1); ++s)
        pm_cnum_clear(&now[s]);
    pm_cnum_clear(&x);
    pm_cnum_clear(&term);
    free(now);
}

static double log2_or_minus_infinity(const pm_cnum *x)
{
    return pm_cnum_is_zero(x) ? -INFINITY : pm_cnum_log2(x);
}

/* ---- promises ---- */

/* Taken apart into its twins, the block is one fully indecomposable block. */
static void check_indecomposable(const pm_block *b)
{
    pm_matrix apart = {0};
    pm_dm d = {0};
    int col_at[MAX_N];
    int64_t nnz = 0, row = 0, at = 0;
    for (int64_t j = 0; j < b->a.ncols; at += b->col_cap[j++])
        col_at[j] = (int)at;
    assert_int_equal(pm_matrix_alloc(&apart, PM_PATTERN, b->n, b->n, b->n * b->n, NULL), PM_OK);
    for (int64_t i = 0; i < b->a.nrows; ++i)
        for (int c = 0; c < b->row_cap[i]; ++c) {
            for (int64_t k = b->a.rowptr[i]; k < b->a.rowptr[i + 1]; ++k)
                for (int j = 0; j < b->col_cap[b->a.colind[k]]; ++j)
                    apart.colind[nnz++] = col_at[b->a.colind[k]] + j;
            apart.rowptr[++row] = nnz;
        }
    assert_int_equal(pm_dm_decompose(&apart, NULL, &d, NULL), PM_OK);
    assert_int_equal(d.rank, b->n);
    assert_int_equal(d.nblocks, 1);
    pm_dm_free(&d);
    pm_matrix_free(&apart);
}

static void check_block(const pm_block *b, pm_field field, const pm_reduce_options *opt)
{
    const pm_matrix *a = &b->a;
    int64_t rows = 0, cols = 0;
    bool ones = true;
    for (int64_t i = 0; i < a->nrows; ++i)
        rows += b->row_cap[i];
    for (int64_t j = 0; j < a->ncols; ++j)
        cols += b->col_cap[j];
    assert_int_equal(rows, b->n);
    assert_int_equal(cols, b->n);
    for (int64_t i = 0; i < a->nrows; ++i) {
        assert_true(b->row_cap[i] >= 1);
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            pm_cnum x = {0};
            entry_value(a, k, false, &x);
            assert_false(pm_cnum_is_zero(&x));
            ones = ones && pm_cnum_is_one(&x);
            pm_cnum_clear(&x);
            assert_true(k == a->rowptr[i] || a->colind[k - 1] < a->colind[k]);
            assert_true(b->row_cap[i] == 1 || b->col_cap[a->colind[k]] == 1);
        }
        /* no rule fits any more */
        if (opt->degree1 && b->n > opt->small)
            assert_true(a->rowptr[i + 1] - a->rowptr[i] > b->row_cap[i]);
    }
    assert_true(a->field == PM_PATTERN || a->field == field
                || (a->field == PM_INTEGER && field == PM_PATTERN));
    assert_int_equal(ones, a->field == PM_PATTERN);
    if (opt->blocks)
        check_indecomposable(b);
}

/* A row of degree 2 with free neighbours is left only by real numbers that grow too long, and
 * those of this test are short. */
static void check_degree2(const pm_block *b)
{
    for (int64_t i = 0; i < b->a.nrows; ++i) {
        int64_t k = b->a.rowptr[i];
        if (b->a.rowptr[i + 1] - k == 2 && b->row_cap[i] == 1)
            assert_true(b->col_cap[b->a.colind[k]] > 1 || b->col_cap[b->a.colind[k + 1]] > 1);
    }
}

static void check_result(const pm_reduced *r, pm_field field, const pm_reduce_options *opt,
                         const pm_cnum *expected)
{
    pm_cnum value = {0}, x = {0};
    assert_true(!r->zero || pm_cnum_is_zero(expected));
    assert_true(!r->zero || r->nblocks == 0);
    assert_true(opt->blocks || r->nblocks <= 1);
    pm_dyadic_set(&value.re, &r->factor_re);
    pm_dyadic_set(&value.im, &r->factor_im);
    for (int64_t b = 0; b < r->nblocks; ++b) {
        const pm_block *block = &r->blocks[b];
        check_block(block, field, opt);
        if (opt->degree2 && !opt->merge_bits && block->n > opt->small)
            check_degree2(block);
        slow_count(&block->a, block->row_cap, block->col_cap, true, &x);
        assert_true(log2_or_minus_infinity(&x) <= block->log2_bound);
        slow_count(&block->a, block->row_cap, block->col_cap, false, &x);
        pm_cnum_mul(&value, &value, &x);
    }
    assert_true(pm_cnum_equal(&value, expected));
    pm_cnum_clear(&value);
    pm_cnum_clear(&x);
}

static void check_matrix(const table *t, const pm_reduce_options *opt)
{
    static const int32_t ones[MAX_N] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    pm_matrix a = {0};
    pm_reduced r = {0};
    pm_cnum expected = {0}, absolute = {0};
    to_matrix(t, &a);
    slow_count(&a, ones, ones, false, &expected);
    slow_count(&a, ones, ones, true, &absolute);
    assert_true(log2_or_minus_infinity(&absolute) <= pm_permanent_log2_bound(&a));
    assert_int_equal(pm_reduce(&a, opt, NULL, &r, NULL), PM_OK);
    check_result(&r, t->field, opt, &expected);
    pm_reduced_free(&r);
    pm_cnum_clear(&expected);
    pm_cnum_clear(&absolute);
    pm_matrix_free(&a);
}

/* ---- classes from the start ---- */

/* Capacities of up to n classes that sum to n; returns how many classes. */
static int random_capacities(int n, uint64_t *rng, int32_t *cap)
{
    int count = 0;
    for (int left = n; left > 0; left -= cap[count++]) {
        cap[count] = pm_rng_below(rng, 3) ? 1 : 1 + (int32_t)pm_rng_below(rng, 3);
        cap[count] = cap[count] < left ? cap[count] : left;
    }
    return count;
}

/* The same rules where rows and columns have capacities before the first one applies. */
static void check_classes(table *t, const pm_reduce_options *opt, uint64_t *rng)
{
    int32_t row_cap[MAX_N], col_cap[MAX_N], p[MAX_N];
    pm_matrix square = {0}, a = {0};
    pm_rgraph g = {0};
    pm_reduced r = {0};
    pm_cnum expected = {0};
    int nrows = random_capacities(t->n, rng, row_cap),
        ncols = random_capacities(t->n, rng, col_cap);
    for (int i = 0; i < t->n; ++i) {
        p[i] = i;
        for (int j = 0; i < nrows && j < ncols; ++j)
            if (row_cap[i] > 1 && col_cap[j] > 1)
                t->x[i][j].re = t->x[i][j].im = 0;
    }
    to_matrix(t, &square);
    assert_int_equal(pm_matrix_select(&square, p, nrows, p, ncols, &a, NULL), PM_OK);
    slow_count(&a, row_cap, col_cap, false, &expected);
    assert_int_equal(pm_rgraph_load(&g, &a, NULL), PM_OK);
    pm_rgraph_set_capacities(&g, row_cap, col_cap);
    assert_int_equal(pm_rgraph_rewrite(&g, opt, NULL, NULL), PM_OK);
    if (g.zero)
        r.zero = true;
    else
        assert_int_equal(pm_rgraph_extract(&g, opt->blocks, &r, NULL), PM_OK);
    check_result(&r, t->field, opt, &expected);
    pm_reduced_free(&r);
    pm_rgraph_free(&g);
    pm_cnum_clear(&expected);
    pm_matrix_free(&square);
    pm_matrix_free(&a);
}

/* ---- rounds ---- */

static void run_field(pm_field field)
{
    const char *given = getenv("PM_TEST_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 0) : 1 + 1000000 * (uint64_t)field;
    int rounds = test_rounds(3000);
    printf("# %s: seeds %llu .. %llu\n", pm_field_name(field), (unsigned long long)seed,
           (unsigned long long)(seed + (uint64_t)rounds - 1));
    fflush(stdout);
    for (int k = 0; k < rounds; ++k) {
        uint64_t rng = seed + (uint64_t)k;
        table t;
        random_table(&t, &rng, field);
        pm_reduce_options opt = pm_reduce_all();
        if (pm_rng_below(&rng, 2)) {
            uint32_t bits = pm_rng_below(&rng, 16);
            opt = (pm_reduce_options){
                .blocks = bits & 1, .degree1 = bits & 2, .degree2 = bits & 4, .twins = bits & 8};
        }
        opt.small = pm_rng_below(&rng, 2) ? (int)pm_rng_below(&rng, 6) : 0;
        opt.merge_bits = pm_rng_below(&rng, 3) ? 0 : 1 + (int)pm_rng_below(&rng, 8);
        check_matrix(&t, &opt);
        check_classes(&t, &opt, &rng);
    }
}

static void test_pattern(void **state)
{
    (void)state;
    run_field(PM_PATTERN);
}

static void test_integer(void **state)
{
    (void)state;
    run_field(PM_INTEGER);
}

static void test_real(void **state)
{
    (void)state;
    run_field(PM_REAL);
}

static void test_complex(void **state)
{
    (void)state;
    run_field(PM_COMPLEX);
}

/* Regular graphs, of one block or more: blocks as in the decomposition. */
static void regular_graphs(void **state)
{
    uint64_t rng = test_seed();
    int found[2] = {0, 0};
    (void)state;
    for (int round = 0; test_goes_on(round, 500, found[0] > 0 && found[1] > 0); ++round) {
        enum { MOST = 30, DEGREE = 5 };
        const int n = DEGREE + (int)pm_rng_below(&rng, MOST - DEGREE),
                  degree = 3 + (int)pm_rng_below(&rng, DEGREE - 2),
                  step = n % 2 == 0 && n / 2 >= degree ? 1 + (int)pm_rng_below(&rng, 2) : 1;
        const pm_reduce_options how = {.blocks = true, .degree1 = true};
        int32_t p[MOST], q[MOST], shift[MOST];
        pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
        pm_matrix a;
        pm_reduced r;
        pm_dm d;
        random_permutation(&rng, p, n);
        random_permutation(&rng, q, n);
        random_permutation(&rng, shift, n / step);
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < degree; ++k)
                assert_int_equal(
                    pm_triples_add(&t, p[i], q[(i + step * shift[k]) % n], 0, NULL, NULL, NULL),
                    PM_OK);
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &a, NULL), PM_OK);
        assert_int_equal(pm_reduce(&a, &how, NULL, &r, NULL), PM_OK);
        assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
        int64_t rows = 0, entries = 0;
        for (int64_t b = 0; b < r.nblocks; ++b) {
            rows += r.blocks[b].a.nrows;
            entries += pm_matrix_nnz(&r.blocks[b].a);
        }
        assert_true(!r.zero && rows == n && entries == pm_matrix_nnz(&a));
        assert_int_equal(r.nblocks, d.nblocks);
        ++found[r.nblocks > 1];
        if (r.nblocks == 1)
            assert_true(pm_matrix_equal(&r.blocks[0].a, &a));
        pm_dm_free(&d);
        pm_reduced_free(&r);
        pm_matrix_free(&a);
    }
    print_message("# %d with one block, %d with more\n", found[0], found[1]);
    assert_true(found[0] > 0 && found[1] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_graphs), cmocka_unit_test(test_pattern),
        cmocka_unit_test(test_integer),   cmocka_unit_test(test_real),
        cmocka_unit_test(test_complex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
