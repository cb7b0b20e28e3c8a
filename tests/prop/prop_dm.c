/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Dulmage-Mendelsohn decomposition, and the blocks cut out by it, against slow definitions on
 * small random matrices of every field. */
#include "config.h"

#include <string.h>

#include "pm/alloc.h"
#include "pm/dm.h"
#include "reference/textbook.h"
#include "support/matrices.h"

enum { MAX_SIDE = 7 };

static void draw(uint64_t *rng, pm_field field, pm_matrix *a)
{
    int nrows = (int)pm_rng_below(rng, MAX_SIDE + 1), ncols = (int)pm_rng_below(rng, MAX_SIDE + 1);
    if (pm_rng_below(rng, 3))
        ncols = nrows;
    random_matrix(rng, field, nrows, ncols, 0.15 + 0.5 * pm_rng_unit(rng), a);
}

/* ---- slow definitions ---- */

/* Of n lines, those that are not in the set. */
static int32_t lines_outside(unsigned set, int64_t n, int32_t *line)
{
    int32_t count = 0;
    for (int32_t k = 0; k < n; ++k)
        if (!(set >> k & 1))
            line[count++] = k;
    return count;
}

/* The most rows that can be matched, rows and columns of the sets left out. */
static int rank_without(const pm_matrix *a, unsigned rows, unsigned columns)
{
    pm_matrix rest;
    int32_t p[MAX_SIDE], q[MAX_SIDE], col_of[MAX_SIDE], row_of[MAX_SIDE];
    int32_t np = lines_outside(rows, a->nrows, p), nq = lines_outside(columns, a->ncols, q);
    assert_int_equal(pm_matrix_select(a, p, np, q, nq, &rest, NULL), PM_OK);
    int rank = (int)textbook_hopcroft_karp(&rest, col_of, row_of);
    pm_matrix_free(&rest);
    return rank;
}

static int slow_rank(const pm_matrix *a)
{
    return rank_without(a, 0, 0);
}

/* Whether some perfect matching of square a uses the entry. */
static bool is_useful(const pm_matrix *a, int64_t i, int32_t j)
{
    return rank_without(a, 1u << i, 1u << j) == a->nrows - 1;
}

typedef struct {
    unsigned rows, columns;
} part;

/* Columns that some maximum matching leaves out, and the rows next to them. */
static part slow_under(const pm_matrix *a)
{
    part u = {0};
    for (int j = 0; j < a->ncols; ++j)
        if (rank_without(a, 0, 1u << j) == slow_rank(a))
            u.columns |= 1u << j;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (u.columns >> a->colind[k] & 1)
                u.rows |= 1u << i;
    /* the columns matched to those rows are left out by another matching, so they are there */
    return u;
}

static part slow_over(const pm_matrix *a)
{
    part o = {0};
    for (int64_t i = 0; i < a->nrows; ++i)
        if (rank_without(a, 1u << i, 0) == slow_rank(a))
            o.rows |= 1u << i;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (o.rows >> i & 1)
                o.columns |= 1u << a->colind[k];
    return o;
}

/* ---- the coarse parts ---- */

static unsigned set_of(const int32_t *p, int64_t first, int64_t end)
{
    unsigned set = 0;
    for (int64_t k = first; k < end; ++k)
        set |= 1u << p[k];
    return set;
}

static void check_coarse(const pm_matrix *a, const pm_dm *d)
{
    part under = slow_under(a), over = slow_over(a);
    assert_int_equal(d->rank, slow_rank(a));
    assert_int_equal(pm_dm_has_perfect_matching(d),
                     a->nrows == a->ncols && slow_rank(a) == a->nrows);
    assert_int_equal(set_of(d->p, 0, d->rr[1]), under.rows);
    assert_int_equal(set_of(d->q, 0, d->cc[2]), under.columns);
    assert_int_equal(set_of(d->p, d->rr[2], d->nrows), over.rows);
    assert_int_equal(set_of(d->q, d->cc[3], d->ncols), over.columns);
}

static void test_coarse(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(2000); round > 0; --round) {
        pm_matrix a = {0};
        pm_dm d = {0};
        draw(&rng, PM_PATTERN, &a);
        assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
        check_coarse(&a, &d);
        pm_dm_free(&d);
        pm_matrix_free(&a);
    }
}

/* ---- blocks ---- */

/* Entry (i, j) of a, or -1. */
static int64_t find(const pm_matrix *a, int64_t i, int64_t j)
{
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        if (a->colind[k] == j)
            return k;
    return -1;
}

/* The number in a that line i of a block is labelled with, from 0. */
static int64_t origin(const pm_labels *l, int64_t i)
{
    char number[24];
    return atoll(pm_label(l, i, number)) - 1;
}

static bool same_value(const pm_matrix *a, int64_t k, const pm_matrix *b, int64_t m)
{
    return (!a->re || pm_dyadic_equal(&a->re[k], &b->re[m]))
           && (!a->im || pm_dyadic_equal(&a->im[k], &b->im[m]));
}

/* The block is the submatrix that its labels say, lines ascending; seen: the entries of a. */
static void check_block(const pm_matrix *a, const pm_matrix *b, bool *seen)
{
    assert_int_equal(b->field, a->field);
    assert_int_equal(b->nrows, b->ncols);
    for (int64_t i = 0; i < b->nrows; ++i) {
        assert_true(i == 0 || origin(&b->row_labels, i - 1) < origin(&b->row_labels, i));
        assert_true(i == 0 || origin(&b->col_labels, i - 1) < origin(&b->col_labels, i));
        for (int64_t j = 0; j < b->ncols; ++j) {
            int64_t k = find(a, origin(&b->row_labels, i), origin(&b->col_labels, j));
            int64_t m = find(b, i, j);
            assert_int_equal(k >= 0, m >= 0);
            if (k < 0)
                continue;
            assert_true(same_value(a, k, b, m));
            assert_false(seen[k]);
            seen[k] = true;
        }
    }
}

/* Exactly the useful entries are in blocks, and the permanents of the blocks multiply to that of
 * the whole. */
static void check_blocks(const pm_matrix *a, const pm_dm *d)
{
    bool seen[MAX_SIDE * MAX_SIDE] = {false};
    int64_t *count;
    pm_dm_cut c = {0};
    pm_cnum product = {0}, permanent = {0};
    pm_cnum_set_si(&product, 1);
    assert_int_equal(pm_dm_cut_open(a, d, &c, NULL), PM_OK);
    assert_int_equal(pm_dm_count_entries(a, d, &count, NULL), PM_OK);
    for (int64_t b = 0; b < d->nblocks; ++b) {
        pm_matrix block = {0};
        assert_int_equal(pm_dm_cut_block(&c, b, &block, NULL), PM_OK);
        assert_int_equal(pm_matrix_nnz(&block), count[b]);
        check_block(a, &block, seen);
        textbook_transfer_matrix(&block, &permanent);
        pm_cnum_mul(&product, &product, &permanent);
        pm_matrix_free(&block);
    }
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            assert_int_equal(seen[k], is_useful(a, i, a->colind[k]));
    textbook_transfer_matrix(a, &permanent);
    assert_true(pm_cnum_equal(&product, &permanent));
    pm_cnum_clear(&product);
    pm_cnum_clear(&permanent);
    pm_dm_cut_close(&c);
    free(count);
}

/* ---- orders ---- */

/* What the order says of the lines of a block, found one by one. */
static void check_order(const pm_matrix *block, int64_t n, const int32_t *order,
                        const int32_t *restricted)
{
    int64_t next = 0;
    for (int64_t k = 0; k < 2 * n; ++k) {
        bool is_row = order[k] < n;
        const pm_labels *l = is_row ? &block->row_labels : &block->col_labels;
        for (int64_t i = 0; i < block->nrows; ++i)
            if (origin(l, i) == order[k] - (is_row ? 0 : n))
                assert_int_equal(restricted[next++], i + (is_row ? 0 : block->nrows));
    }
    assert_int_equal(next, 2 * block->nrows);
}

static void check_orders(const pm_matrix *a, const pm_dm *d, uint64_t *rng)
{
    int32_t order[2 * MAX_SIDE], restricted[2 * MAX_SIDE];
    int64_t n = a->nrows;
    for (int32_t k = 0; k < 2 * n; ++k) {
        int32_t other = (int32_t)pm_rng_below(rng, (uint32_t)k + 1);
        order[k] = order[other];
        order[other] = k;
    }
    pm_dm_cut c = {0};
    assert_int_equal(pm_dm_cut_open(a, d, &c, NULL), PM_OK);
    assert_int_equal(pm_dm_cut_order(&c, order, restricted, NULL), PM_OK);
    for (int64_t b = 0; b < d->nblocks; ++b) {
        pm_matrix block = {0};
        assert_int_equal(pm_dm_cut_block(&c, b, &block, NULL), PM_OK);
        check_order(&block, n, order, restricted + 2 * d->r[b]);
        pm_matrix_free(&block);
    }
    pm_dm_cut_close(&c);
}

static void test_blocks(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    int several = 0;
    for (int round = 0; test_goes_on(round, 3000, several > test_rounds(50)); ++round) {
        pm_matrix a = {0};
        pm_dm d = {0};
        draw(&rng, (pm_field)(round % 4), &a);
        assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
        if (pm_dm_has_perfect_matching(&d)) {
            several += d.nblocks > 1;
            check_blocks(&a, &d);
            check_orders(&a, &d, &rng);
        }
        pm_dm_free(&d);
        pm_matrix_free(&a);
    }
    assert_true(several > test_rounds(50));
}

/* ---- labels and memory ---- */

static void name_lines(pm_labels *l, int64_t n, char letter)
{
    for (int64_t i = 0; i < n; ++i) {
        char text[8];
        int length = snprintf(text, sizeof text, "%c%d", letter, (int)i);
        assert_int_equal(pm_labels_append(l, text, length, NULL), PM_OK);
    }
}

/* Rows 0 and 2, columns 1 and 3 are a block, row 1 and column 0, row 3 and column 2. */
static void build(pm_matrix *a)
{
    static const int32_t at[][2] = {{0, 1}, {0, 3}, {2, 1}, {2, 3}, {1, 0}, {1, 3}, {3, 2}};
    pm_triples t = {.field = PM_INTEGER, .nrows = 4, .ncols = 4};
    for (size_t k = 0; k < sizeof at / sizeof *at; ++k) {
        pm_dyadic x = {0};
        pm_dyadic_set_si(&x, (int64_t)k + 2);
        assert_int_equal(pm_triples_add(&t, at[k][0], at[k][1], 0, &x, NULL, NULL), PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", a, NULL), PM_OK);
}

static void test_labels(void **state)
{
    pm_matrix a = {0};
    pm_dm d = {0};
    pm_dm_cut c = {0};
    int found = 0;
    (void)state;
    build(&a);
    name_lines(&a.row_labels, 4, 'r');
    name_lines(&a.col_labels, 4, 'c');
    assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
    assert_int_equal(d.nblocks, 3);
    assert_int_equal(pm_dm_cut_open(&a, &d, &c, NULL), PM_OK);
    for (int64_t b = 0; b < 3; ++b) {
        pm_matrix block = {0};
        char number[24];
        assert_int_equal(pm_dm_cut_block(&c, b, &block, NULL), PM_OK);
        if (block.nrows == 2) {
            assert_string_equal(pm_label(&block.row_labels, 0, number), "r0");
            assert_string_equal(pm_label(&block.row_labels, 1, number), "r2");
            assert_string_equal(pm_label(&block.col_labels, 0, number), "c1");
            assert_string_equal(pm_label(&block.col_labels, 1, number), "c3");
            ++found;
        }
        pm_matrix_free(&block);
    }
    assert_int_equal(found, 1);
    pm_dm_cut_close(&c);
    pm_dm_free(&d);
    pm_matrix_free(&a);
}

/* All that is asked of the cut, as long as it succeeds. */
static pm_status cut_all(const pm_matrix *a, const pm_dm *d, pm_error *err)
{
    static const int32_t order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int32_t restricted[8];
    int64_t *count = NULL;
    pm_dm_cut c = {0};
    pm_status s = pm_dm_count_entries(a, d, &count, err);
    free(count);
    if (s == PM_OK)
        s = pm_dm_cut_open(a, d, &c, err);
    if (s == PM_OK)
        s = pm_dm_cut_order(&c, order, restricted, err);
    for (int64_t b = 0; b < d->nblocks && s == PM_OK; ++b) {
        pm_matrix block = {0};
        s = pm_dm_cut_block(&c, b, &block, err);
        pm_matrix_free(&block);
    }
    pm_dm_cut_close(&c);
    return s;
}

static void test_no_memory(void **state)
{
    pm_matrix a = {0};
    pm_dm d = {0};
    pm_status s = PM_ENOMEM;
    int failures = 0;
    (void)state;
    build(&a);
    assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
    for (int64_t k = 1; s != PM_OK; ++k) {
        pm_error err = {.msg = ""};
        pm_alloc_fail_at(k);
        s = cut_all(&a, &d, &err);
        pm_alloc_fail_at(0);
        assert_true(s == PM_OK || s == PM_ENOMEM);
        assert_true(s == PM_OK || strlen(err.msg) > 0);
        failures += s != PM_OK;
    }
    assert_true(failures > 15);
    pm_dm_free(&d);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coarse),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
