/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the expansion: fractions, terms of a line, the pool, and trees with known shapes. */
#include "config.h"

#include <string.h>

#include "support/testing.h"

#include "expand/addend_pool.h"
#include "expand/canonical.h"
#include "expand/expansion.h"
#include "number/cnum.h"
#include "pm/alloc.h"
#include "pm/expand.h"
#include "reduce/block_edit.h"

/* ---- blocks from pictures ---- */

/* A digit an entry, a blank none; every line as often as its capacity says. */
static void build(pm_block *b, int n, const char *const *rows, const char *row_caps,
                  const char *col_caps)
{
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = (int64_t)strlen(rows[0])};
    *b = (pm_block){0};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < t.ncols; ++j) {
            pm_dyadic x = {0};
            pm_dyadic_set_si(&x, rows[i][j] - '0');
            if (rows[i][j] != ' ')
                assert_int_equal(pm_triples_add(&t, i, j, 0, &x, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &b->a, NULL), PM_OK);
    b->row_cap = pm_alloc_array(b->a.nrows, sizeof *b->row_cap);
    b->col_cap = pm_alloc_array(b->a.ncols, sizeof *b->col_cap);
    for (int i = 0; i < n; ++i)
        b->n += b->row_cap[i] = row_caps[i] - '0';
    for (int64_t j = 0; col_caps[j]; ++j)
        b->col_cap[j] = col_caps[j] - '0';
}

/* ---- fractions ---- */

static void assert_fraction(const pm_fraction *x, const char *re, const char *im)
{
    mpq_t q;
    mpq_init(q);
    assert_int_equal(mpq_set_str(q, re, 10), 0);
    assert_true(mpq_equal(q, x->re));
    assert_int_equal(mpq_set_str(q, im, 10), 0);
    assert_true(mpq_equal(q, x->im));
    mpq_clear(q);
}

static void test_fraction(void **state)
{
    (void)state;
    pm_fraction x, y;
    pm_cnum a = {0};
    mpz_t six;
    mpz_init_set_ui(six, 6);
    pm_fraction_init(&x);
    pm_fraction_init(&y);
    assert_true(pm_fraction_is_zero(&x));
    pm_dyadic_set_d(&a.re, 0.75);
    pm_dyadic_set_d(&a.im, -40);
    assert_true(pm_fraction_set_dyadic(&x, &a.re, &a.im));
    assert_fraction(&x, "3/4", "-40");
    pm_fraction_div_z(&x, six);
    assert_fraction(&x, "1/8", "-20/3");
    pm_fraction_set_si(&y, -2);
    pm_fraction_add(&y, &x);
    assert_fraction(&y, "-15/8", "-20/3");
    pm_fraction_mul(&x, &y);
    assert_fraction(&x, "-25735/576", "35/3");
    /* as long as may be, and a bit more, in any way */
    pm_cnum_set_si(&a, 3);
    pm_dyadic_mul_2exp(&a.re, PM_FRACTION_BITS_MAX - 2);
    assert_true(pm_fraction_set_dyadic(&x, &a.re, &a.im));
    assert_false(pm_fraction_is_long(&x));
    pm_dyadic_mul_2exp(&a.re, 1);
    assert_false(pm_fraction_set_dyadic(&x, &a.re, &a.im));
    assert_false(pm_fraction_is_long(&x));
    pm_fraction_add(&x, &x);
    assert_true(pm_fraction_is_long(&x));
    pm_cnum_set_si(&a, 0);
    pm_dyadic_set_si(&a.im, 1);
    pm_dyadic_mul_2exp(&a.im, -PM_FRACTION_BITS_MAX);
    assert_true(pm_fraction_set_dyadic(&x, &a.re, &a.im));
    assert_false(pm_fraction_is_long(&x));
    pm_dyadic_mul_2exp(&a.im, -1);
    assert_false(pm_fraction_set_dyadic(&x, &a.re, &a.im));
    pm_cnum_clear(&a);
    pm_fraction_clear(&x);
    pm_fraction_clear(&y);
    mpz_clear(six);
}

/* ---- the choice of a line ---- */

static void test_choice(void **state)
{
    (void)state;
    /* row 1 has three entries; alone in column 1 it takes one of rows 2 .. 5 with three left */
    static const char *const rows[] = {"111   ", "1  111", "1  111", " 11111", " 11111", "111111"};
    pm_block b, term;
    pm_expansion x = {0};
    int64_t divisor;
    build(&b, 6, rows, "111111", "111111");
    assert_int_equal(pm_expansion_choose(&b, 5, 9, NULL, &x, NULL), PM_OK);
    assert_false(x.is_column);
    assert_int_equal(x.line, 0);
    assert_int_equal(x.nterms, 2);
    assert_true(x.share[0].second < 0 && x.share[1].second >= 0);
    /* a term keeps its entries of the line, and all other lines */
    assert_int_equal(pm_expansion_term(&b, &x, 1, &term, &divisor, NULL), PM_OK);
    assert_int_equal(divisor, 1);
    assert_int_equal(term.a.rowptr[1], 2);
    assert_int_equal(term.a.colind[0], x.share[1].first);
    assert_int_equal(term.a.colind[1], x.share[1].second);
    assert_int_equal(pm_matrix_nnz(&term.a), pm_matrix_nnz(&b.a) - 1);
    pm_block_free(&term);
    pm_expansion_free(&x);
    /* nothing has so few terms */
    assert_int_equal(pm_expansion_choose(&b, 9, 1, NULL, &x, NULL), PM_OK);
    assert_int_equal(x.nterms, 0);
    pm_expansion_free(&x);
    /* nothing is that short */
    assert_int_equal(pm_expansion_choose(&b, 3, 9, NULL, &x, NULL), PM_OK);
    assert_int_equal(x.nterms, 0);
    pm_expansion_free(&x);
    pm_block_free(&b);
}

static void test_classes(void **state)
{
    (void)state;
    /* two rows in one, over columns of which one stands for two */
    static const char *const rows[] = {"234 ", "5112"};
    pm_block b, term;
    pm_matrix a;
    mpz_t times;
    mpz_init(times);
    build(&b, 2, rows, "23", "1112");
    const int64_t keep[] = {0, 2};
    assert_int_equal(pm_block_restrict(&b, 0, keep, 2, &term, NULL), PM_OK);
    assert_int_equal(term.a.nrows, 3);
    assert_int_equal(term.row_cap[0], 1);
    assert_int_equal(term.row_cap[2], 1);
    assert_int_equal(term.a.rowptr[3] - term.a.rowptr[2], 2);
    assert_int_equal(term.n, b.n);
    /* written out: 2 rows of 3 entries, 3 rows of 3 + 2 */
    assert_int_equal(pm_block_entries_written_out(&b), 21);
    assert_int_equal(pm_block_write_out(&b, PM_REAL, &a, times, NULL), PM_OK);
    assert_int_equal(a.nrows, 5);
    assert_int_equal(pm_matrix_nnz(&a), 21);
    assert_int_equal(a.field, PM_REAL);
    assert_int_equal(mpz_get_si(times), 2 * 6 * 2);
    assert_int_equal(pm_block_transpose(&b, NULL), PM_OK);
    assert_int_equal(b.row_cap[3], 2);
    assert_int_equal(b.col_cap[1], 3);
    assert_false(pm_block_equal(&b, &term));
    pm_matrix_free(&a);
    pm_block_free(&term);
    pm_block_free(&b);
    mpz_clear(times);
}

/* ---- the pool ---- */

/* factor times the block of one entry of this value and capacity n (its count is no matter). */
static void make_addend(pm_addend *t, int n, int value, long factor)
{
    const char row[] = {(char)('0' + value), 0}, cap[] = {(char)('0' + n), 0};
    const char *rows[] = {row};
    pm_addend_init(t);
    pm_fraction_set_si(&t->factor, factor);
    if (n == 0)
        return;
    t->blocks = pm_alloc_array(1, sizeof *t->blocks);
    t->nblocks = 1;
    t->n = n;
    build(&t->blocks[0], 1, rows, cap, cap);
    assert_int_equal(pm_block_canonise(&t->blocks[0], NULL, &t->key, NULL), PM_OK);
}

/* A canonical form that is stopped leaves the block. */
static void test_stopped_form(void **state)
{
    static const char *const rows[] = {"111", "011", "101"};
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.stop = &stop};
    pm_block a, b;
    uint64_t key = 7;
    (void)state;
    build(&a, 3, rows, "111", "111");
    build(&b, 3, rows, "111", "111");
    assert_int_equal(pm_block_canonise(&a, &run, &key, NULL), PM_ESTOPPED);
    assert_true(key == 7 && pm_block_equal(&a, &b));
    pm_block_free(&a);
    pm_block_free(&b);
}

static bool add(pm_addend_pool *p, int n, int value, long factor)
{
    bool is_new;
    pm_addend t;
    make_addend(&t, n, value, factor);
    assert_int_equal(pm_pool_add(p, &t, &is_new, NULL), PM_OK);
    pm_addend_clear(&t);
    return is_new;
}

static void assert_taken(pm_addend_pool *p, int64_t n, const char *factor)
{
    pm_addend t;
    pm_pool_take(p, &t);
    assert_int_equal(t.n, n);
    assert_fraction(&t.factor, factor, "0");
    pm_addend_clear(&t);
}

static void test_pool(void **state)
{
    (void)state;
    pm_expand_options opt = {.pool_bytes = 1 << 20};
    pm_allowance budget = pm_allowance_make(&opt);
    pm_addend_pool p;
    assert_int_equal(pm_pool_open(&p, 9, &budget, NULL), PM_OK);
    int64_t empty = budget.bytes;
    assert_true(add(&p, 3, 1, 5));
    assert_true(add(&p, 7, 1, 1));
    assert_true(add(&p, 3, 2, 1));
    assert_false(add(&p, 3, 1, -9)); /* equal to the first */
    assert_false(add(&p, 0, 0, 4));  /* numbers */
    assert_false(add(&p, 0, 0, 3));
    assert_false(add(&p, 5, 1, 0)); /* nothing */
    assert_int_equal(p.count, 3);
    assert_fraction(&p.number, "7", "0");
    assert_taken(&p, 7, "1"); /* the largest first */
    opt.pool_bytes = 0;
    assert_true(add(&p, 2, 1, 8));
    assert_taken(&p, 2, "8"); /* no room: the smallest first */
    opt.pool_bytes = 1 << 20;
    assert_true(add(&p, 4, 1, 6));
    assert_taken(&p, 4, "6");
    assert_taken(&p, 3, "1"); /* of equal size, the last to come */
    assert_taken(&p, 3, "-4");
    assert_int_equal(p.count, 0);
    assert_int_equal(budget.bytes, empty);
    assert_true(add(&p, 9, 1, 1));
    assert_true(budget.bytes > empty);
    pm_pool_close(&p);
    assert_int_equal(budget.bytes, 0);
}

/* ---- trees ---- */

/* "S(N,MxM..." of the nodes */
static pm_status write_shape(void *text, const pm_position *at, pm_node *node, pm_error *err)
{
    static const char *const words[] = {"M", "N", "P(", "S(", ")"};
    (void)at;
    (void)err;
    strcat(text, words[node->kind]);
    if (node->kind != PM_NODE_CLOSE && mpz_cmp_ui(node->times, 1) > 0)
        strcat(text, "*");
    return PM_OK;
}

static const pm_visitor shape_writer = {
    .enter = write_shape, .leaf = write_shape, .leave = write_shape};

static void assert_shape(const pm_matrix *a, const pm_expand_options *opt, const char *wanted)
{
    char text[256] = "";
    assert_int_equal(pm_expand(a, opt, NULL, &shape_writer, text, NULL), PM_OK);
    assert_string_equal(text, wanted);
}

/* Row i of n in columns i + 0, 1, 3, 7, 8 modulo n; `copies` of it along the diagonal. */
static void circulants(int n, int copies, pm_matrix *a)
{
    static const int shifts[] = {0, 1, 3, 7, 8};
    pm_triples t = {.field = PM_PATTERN, .nrows = n * copies, .ncols = n * copies};
    for (int i = 0; i < n * copies; ++i)
        for (int k = 0; k < 5; ++k)
            assert_int_equal(
                pm_triples_add(&t, i, i / n * n + (i + shifts[k]) % n, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", a, NULL), PM_OK);
}

static void test_shapes(void **state)
{
    (void)state;
    pm_matrix one, three;
    pm_expand_options opt = pm_expand_defaults();
    circulants(11, 1, &one);
    circulants(11, 3, &three);
    assert_shape(&one, &opt, "M");
    assert_shape(&three, &opt, "P(M*)");
    opt.min_degree = 6;
    opt.max_terms = 3;
    assert_shape(&one, &opt, "S(MMM)");
    opt.max_terms = 2; /* five entries are three terms */
    assert_shape(&one, &opt, "M");
    opt.max_terms = 4; /* equal blocks do not share what they take once */
    assert_shape(&three, &opt, "P(S(*MMMM))");
    opt.max_n = 10;
    assert_shape(&three, &opt, "P(M*)");
    opt.max_n = 11;
    opt.pool_bytes = 36000; /* too few for three terms */
    assert_shape(&three, &opt, "P(M*)");
    opt = pm_expand_defaults();
    opt.min_degree = 6;
    opt.until_n = 11;
    assert_shape(&three, &opt, "P(M*)");
    opt.until_n = 0;
    opt.min_degree = 12; /* to the end */
    opt.max_terms = 100000;
    assert_shape(&one, &opt, "N");
    assert_shape(&three, &opt, "P(N*)");
    opt.max_depth = 0;
    assert_shape(&three, &opt, "M");
    opt.max_depth = 1; /* room for the product alone */
    assert_shape(&three, &opt, "P(M*)");
    pm_matrix_free(&one);
    pm_matrix_free(&three);
}

/* A term that cannot be had leaves the whole as it is. */
static void test_unable(void **state)
{
    (void)state;
    static const int64_t exponents[] = {1, PM_FRACTION_BITS_MAX / 2, PM_FRACTION_BITS_MAX};
    static const char *const shapes[] = {"S(MM)", "S(MM)", "M"};
    pm_expand_options opt = pm_expand_defaults();
    opt.min_degree = 4;
    opt.max_terms = 2;
    for (int round = 0; round < 3; ++round) {
        pm_matrix a, b;
        circulants(11, 1, &a);
        pm_triples t = {.field = PM_INTEGER, .nrows = 11, .ncols = 11};
        for (int64_t i = 0; i < 11; ++i)
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k) {
                pm_dyadic x = {0};
                pm_dyadic_set_si(&x, 1);
                if (i == 0) /* three entries, one of which is a factor in one of the terms */
                    pm_dyadic_mul_2exp(&x, exponents[round]);
                if (i > 0 || k < 3)
                    assert_int_equal(pm_triples_add(&t, i, a.colind[k], 0, &x, NULL, NULL), PM_OK);
            }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &b, NULL), PM_OK);
        assert_shape(&b, &opt, shapes[round]);
        pm_matrix_free(&a);
        pm_matrix_free(&b);
    }
}

/* The stop flag is looked at between terms, and between the lines of a choice. */
static void test_stop(void **state)
{
    (void)state;
    pm_matrix a;
    pm_error err;
    char text[256] = "";
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.stop = &stop};
    pm_expand_options opt = pm_expand_defaults();
    opt.min_degree = 12;
    circulants(11, 1, &a);
    assert_int_equal(pm_expand(&a, &opt, &run, &shape_writer, text, &err), PM_ESTOPPED);
    static const char *const rows[] = {"111", "111", "112"};
    pm_block b;
    pm_expansion x;
    build(&b, 3, rows, "111", "111");
    assert_int_equal(pm_expansion_choose(&b, 5, 9, &run, &x, &err), PM_ESTOPPED);
    pm_block_free(&b);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fraction), cmocka_unit_test(test_choice),
        cmocka_unit_test(test_classes),  cmocka_unit_test(test_pool),
        cmocka_unit_test(test_shapes),   cmocka_unit_test(test_unable),
        cmocka_unit_test(test_stop),     cmocka_unit_test(test_stopped_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
