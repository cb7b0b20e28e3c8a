/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matchings and the Dulmage-Mendelsohn decomposition, against brute force on small matrices. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "dm/by_columns.h"
#include "dm/connected.h"
#include "dm/near_paths.h"
#include "dm/one_block.h"
#include "dm/push_relabel.h"
#include "dm/short_paths.h"
#include "pm/alloc.h"
#include "pm/dm.h"
#include "reference/textbook.h"
#include "support/graphs.h"
#include "support/testing.h"
#include "support/total_support.h"

#define MAX_SIDE 7

/* ---- small matrices ---- */

static void build(pm_matrix *a, int nrows, int ncols, const char *cells)
{
    int64_t nnz = 0;
    for (int k = 0; k < nrows * ncols; ++k)
        nnz += cells[k] == '1';
    assert_int_equal(pm_matrix_alloc(a, PM_PATTERN, nrows, ncols, nnz, NULL), PM_OK);
    nnz = 0;
    for (int i = 0; i < nrows; ++i) {
        for (int j = 0; j < ncols; ++j)
            if (cells[i * ncols + j] == '1')
                a->colind[nnz++] = j;
        a->rowptr[i + 1] = nnz;
    }
}

static void random_matrix(pm_matrix *a, uint64_t *rng, char *cells)
{
    int nrows = (int)pm_rng_below(rng, MAX_SIDE + 1), ncols = (int)pm_rng_below(rng, MAX_SIDE + 1);
    if (pm_rng_below(rng, 2))
        ncols = nrows;
    double density = 0.1 + 0.6 * pm_rng_unit(rng);
    for (int k = 0; k < nrows * ncols; ++k)
        cells[k] = pm_rng_unit(rng) < density ? '1' : '0';
    build(a, nrows, ncols, cells);
}

/* Size of a maximum matching. */
static int slow_rank(const pm_matrix *a)
{
    int32_t col_of[MAX_SIDE], row_of[MAX_SIDE];
    return (int)textbook_hopcroft_karp(a, col_of, row_of);
}

static bool has_entry(const pm_matrix *a, int64_t i, int64_t j)
{
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        if (a->colind[k] == j)
            return true;
    return false;
}

/* ---- matchings ---- */

static int64_t checked_matching(const pm_matrix *a, int32_t *col_of, int32_t *row_of)
{
    int64_t rank = -1, seen = 0;
    assert_int_equal(pm_matching_maximum(a, NULL, col_of, row_of, &rank, NULL), PM_OK);
    for (int64_t i = 0; i < a->nrows; ++i)
        if (col_of[i] >= 0) {
            assert_true(has_entry(a, i, col_of[i]));
            assert_int_equal(row_of[col_of[i]], i);
            ++seen;
        }
    assert_int_equal(seen, rank);
    for (int64_t j = 0; j < a->ncols; ++j)
        seen -= row_of[j] >= 0;
    assert_int_equal(seen, 0);
    return rank;
}

static void check_hall(const pm_matrix *a, const int32_t *col_of, const int32_t *row_of, int64_t i)
{
    int32_t rows[MAX_SIDE], cols[MAX_SIDE];
    int64_t nrows, ncols;
    unsigned neighbours = 0, listed = 0;
    bool has_i = false;
    assert_int_equal(pm_matching_hall(a, col_of, row_of, i, rows, &nrows, cols, &ncols, NULL),
                     PM_OK);
    assert_int_equal(nrows, ncols + 1);
    for (int64_t k = 0; k < nrows; ++k) {
        assert_true(k == 0 || rows[k - 1] < rows[k]);
        has_i = has_i || rows[k] == i;
        for (int64_t e = a->rowptr[rows[k]]; e < a->rowptr[rows[k] + 1]; ++e)
            neighbours |= 1u << a->colind[e];
    }
    for (int64_t k = 0; k < ncols; ++k) {
        assert_true(k == 0 || cols[k - 1] < cols[k]);
        listed |= 1u << cols[k];
    }
    assert_int_equal(neighbours, listed);
    assert_true(has_i);
}

static void test_matching_small(void **state)
{
    (void)state;
    uint64_t rng = 1;
    for (int round = 0; round < 3000; ++round) {
        pm_matrix a = {0};
        char cells[MAX_SIDE * MAX_SIDE];
        int32_t col_of[MAX_SIDE], row_of[MAX_SIDE];
        random_matrix(&a, &rng, cells);
        assert_int_equal(checked_matching(&a, col_of, row_of), slow_rank(&a));
        for (int64_t i = 0; i < a.nrows; ++i)
            if (col_of[i] < 0)
                check_hall(&a, col_of, row_of, i);
        pm_matrix_free(&a);
    }
}

/* A matrix of n rows with an identity hidden under random entries: full rank. */
static void planted(pm_matrix *a, int32_t n, int degree, uint64_t *rng)
{
    int32_t *p = pm_alloc_array(n, sizeof *p);
    assert_non_null(p);
    for (int32_t i = 0; i < n; ++i)
        p[i] = i;
    for (int32_t i = n - 1; i > 0; --i) {
        int32_t k = (int32_t)pm_rng_below(rng, (uint32_t)i + 1), t = p[i];
        p[i] = p[k];
        p[k] = t;
    }
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    for (int32_t i = 0; i < n; ++i) {
        assert_int_equal(pm_triples_add(&t, i, p[i], 0, NULL, NULL, NULL), PM_OK);
        for (int k = 1; k < degree; ++k) {
            int32_t j = (int32_t)pm_rng_below(rng, (uint32_t)n);
            assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
        }
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_IGNORE, "test", a, NULL), PM_OK);
    free(p);
}

static void test_matching_planted(void **state)
{
    (void)state;
    uint64_t rng = 2;
    for (int degree = 1; degree <= 6; ++degree) {
        enum { N = 20000 };
        pm_matrix a = {0};
        planted(&a, N, degree, &rng);
        int32_t *col_of = pm_alloc_array(N, sizeof *col_of);
        int32_t *row_of = pm_alloc_array(N, sizeof *row_of);
        assert_int_equal(checked_matching(&a, col_of, row_of), N);
        free(col_of);
        free(row_of);
        pm_matrix_free(&a);
    }
}

/* ---- decomposition ---- */

static void check_permutation(const int32_t *p, int64_t n)
{
    unsigned seen = 0;
    for (int64_t k = 0; k < n; ++k)
        seen |= 1u << p[k];
    assert_int_equal(seen, (1u << n) - 1);
}

/* Entry (i, j) lies in a maximum matching: one less is left without its row and column. */
static bool in_maximum_matching(const pm_matrix *a, int64_t i, int64_t j, int64_t rank)
{
    pm_matrix b = {0};
    int32_t p[MAX_SIDE], q[MAX_SIDE];
    int np = 0, nq = 0;
    for (int k = 0; k < a->nrows; ++k)
        if (k != i)
            p[np++] = k;
    for (int k = 0; k < a->ncols; ++k)
        if (k != j)
            q[nq++] = k;
    assert_int_equal(pm_matrix_select(a, p, np, q, nq, &b, NULL), PM_OK);
    int r = slow_rank(&b);
    pm_matrix_free(&b);
    return r == rank - 1;
}

static int64_t block_of(const int64_t *start, int64_t nblocks, int64_t place)
{
    int64_t b = 0;
    while (b < nblocks && start[b + 1] <= place)
        ++b;
    return b;
}

/* Where every row and column stands, and what that says about each entry. */
static void check_dm(const pm_matrix *a, const pm_dm *d)
{
    int64_t row_at[MAX_SIDE], col_at[MAX_SIDE];
    assert_int_equal(d->nrows, a->nrows);
    assert_int_equal(d->ncols, a->ncols);
    check_permutation(d->p, d->nrows);
    check_permutation(d->q, d->ncols);
    for (int64_t k = 0; k < d->nrows; ++k)
        row_at[d->p[k]] = k;
    for (int64_t k = 0; k < d->ncols; ++k)
        col_at[d->q[k]] = k;
    assert_int_equal(d->rr[0], 0);
    assert_int_equal(d->cc[0], 0);
    assert_int_equal(d->rr[4], d->nrows);
    assert_int_equal(d->cc[4], d->ncols);
    assert_int_equal(d->rr[1], d->cc[2] - d->cc[1]);
    assert_int_equal(d->rr[2] - d->rr[1], d->cc[3] - d->cc[2]);
    assert_int_equal(d->rr[3] - d->rr[2], d->cc[4] - d->cc[3]);
    assert_int_equal(d->rank, d->rr[3]);
    assert_int_equal(d->r[0], 0);
    assert_int_equal(d->s[0], 0);
    assert_int_equal(d->r[d->nblocks], d->nrows);
    assert_int_equal(d->s[d->nblocks], d->ncols);
    assert_int_equal(d->r[d->square_first], d->rr[1]);
    assert_int_equal(d->r[d->square_last], d->rr[2]);
    assert_int_equal(d->s[d->square_first], d->cc[2]);
    assert_int_equal(d->s[d->square_last], d->cc[3]);
    for (int64_t b = d->square_first; b < d->square_last; ++b) {
        assert_true(d->r[b + 1] > d->r[b]);
        assert_int_equal(d->r[b + 1] - d->r[b], d->s[b + 1] - d->s[b]);
    }
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int64_t j = a->colind[k];
            int64_t rb = block_of(d->r, d->nblocks, row_at[i]);
            int64_t cb = block_of(d->s, d->nblocks, col_at[j]);
            assert_true(rb <= cb);
            /* the coarse theorem of Dulmage and Mendelsohn: so exactly inside the blocks */
            assert_int_equal(in_maximum_matching(a, i, j, d->rank), rb == cb);
        }
}

/* Each square block is connected; with every entry in a perfect matching that is fully
 * indecomposable. */
static void check_connected(const pm_matrix *a, const pm_dm *d, int64_t b)
{
    unsigned rows = 0, cols = 0, row_in = 0, col_in = 0;
    for (int64_t k = d->r[b]; k < d->r[b + 1]; ++k) {
        row_in |= 1u << d->p[k];
        col_in |= 1u << d->q[d->s[b] + k - d->r[b]];
    }
    rows = 1u << d->p[d->r[b]];
    for (int round = 0; round < 2 * MAX_SIDE; ++round)
        for (int64_t i = 0; i < a->nrows; ++i)
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
                unsigned r = 1u << i & row_in, c = 1u << a->colind[k] & col_in;
                if (r && c && (r & rows || c & cols)) {
                    rows |= r;
                    cols |= c;
                }
            }
    assert_int_equal(rows, row_in);
    assert_int_equal(cols, col_in);
}

static void test_dm_small(void **state)
{
    (void)state;
    uint64_t rng = 3;
    for (int round = 0; round < 3000; ++round) {
        pm_matrix a = {0};
        pm_dm d = {0};
        char cells[MAX_SIDE * MAX_SIDE];
        random_matrix(&a, &rng, cells);
        assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
        check_dm(&a, &d);
        for (int64_t b = d.square_first; b < d.square_last; ++b)
            check_connected(&a, &d, b);
        pm_dm_free(&d);
        pm_matrix_free(&a);
    }
}

static void test_dm_example(void **state)
{
    (void)state;
    pm_matrix a = {0};
    pm_dm d = {0};
    /* row 0 under-determined (columns 0, 1); rows 1 and 2 square; row 3 alone in its block;
     * rows 4 and 5 over-determined (column 5) */
    build(&a, 6, 6,
          "110000"
          "001110"
          "001101"
          "000010"
          "000001"
          "000001");
    assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
    assert_int_equal(d.rank, 5);
    assert_int_equal(d.nblocks, 4);
    assert_int_equal(d.square_first, 1);
    assert_int_equal(d.square_last, 3);
    assert_int_equal(d.r[2] - d.r[1], 2);
    assert_int_equal(d.p[d.r[2]], 3);
    assert_int_equal(d.q[d.s[2]], 4);
    pm_dm_free(&d);
    pm_matrix_free(&a);
}

/* Long chains: nothing recurses. */
static void test_dm_chain(void **state)
{
    (void)state;
    enum { N = 300000 };
    for (int closed = 0; closed < 2; ++closed) {
        pm_matrix a = {0};
        pm_dm d = {0};
        assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, N, N, 2 * N, NULL), PM_OK);
        for (int32_t i = 0; i < N; ++i) {
            int64_t k = a.rowptr[i];
            if (closed && i == N - 1)
                a.colind[k++] = 0;
            a.colind[k++] = i;
            if (i < N - 1)
                a.colind[k++] = i + 1;
            a.rowptr[i + 1] = k;
        }
        assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
        assert_int_equal(d.rank, N);
        assert_int_equal(d.nblocks, closed ? 1 : N);
        pm_dm_free(&d);
        pm_matrix_free(&a);
    }
}

/* ---- memory ---- */

static void test_no_memory(void **state)
{
    (void)state;
    pm_matrix a = {0};
    pm_status status = PM_ENOMEM;
    int failures = 0;
    build(&a, 3, 4,
          "1100"
          "1100"
          "1101");
    for (int64_t k = 1; status; ++k) {
        pm_dm d = {0};
        pm_error err = {.msg = ""};
        pm_alloc_fail_at(k);
        status = pm_dm_decompose(&a, NULL, &d, &err);
        pm_alloc_fail_at(0);
        if (status) {
            assert_int_equal(status, PM_ENOMEM);
            assert_true(strlen(err.msg) > 0);
            assert_null(d.p);
            ++failures;
        }
        pm_dm_free(&d);
    }
    assert_true(failures > 10);
    int32_t col_of[3], row_of[4], rows[3], cols[4];
    int64_t nrows = -1, ncols = -1, rank;
    pm_matrix_free(&a);
    build(&a, 2, 1, "11");
    assert_int_equal(pm_matching_maximum(&a, NULL, col_of, row_of, &rank, NULL), PM_OK);
    int64_t single = col_of[0] < 0 ? 0 : 1;
    for (int64_t k = 1; k <= 2; ++k) {
        pm_alloc_fail_at(k);
        status = pm_matching_hall(&a, col_of, row_of, single, rows, &nrows, cols, &ncols, NULL);
        pm_alloc_fail_at(0);
        assert_int_equal(status, PM_ENOMEM);
        assert_int_equal(nrows, -1);
    }
    pm_matrix_free(&a);
}

static void fraction_is_told(void *context, double fraction, const char *text)
{
    int *told = context;
    assert_true(fraction >= 0 && fraction <= 1);
    assert_string_equal(text, "matching");
    ++*told;
}

/* Graphs of fixed seed, for which the greedy start is not enough. */
static void progress_of_a_matching(void **state)
{
    (void)state;
    enum { N = 20000 };
    uint64_t rng = 2;
    int told = 0;
    int32_t *col_of = pm_alloc_array(N, sizeof *col_of);
    int32_t *row_of = pm_alloc_array(N, sizeof *row_of);
    pm_run run = {.progress = fraction_is_told, .context = &told};
    for (int degree = 3; degree <= 6; ++degree) {
        pm_matrix a = {0};
        int64_t rank;
        planted(&a, N, degree, &rng);
        assert_int_equal(pm_matching_maximum(&a, &run, col_of, row_of, &rank, NULL), PM_OK);
        assert_int_equal(rank, N);
        pm_matrix_free(&a);
    }
    assert_true(told > 0);
    free(col_of);
    free(row_of);
}

/* From a matching of some rows: as large as before or larger; by pushes, and by searches for near columns among all rows, a maximum one. */
static void short_paths(void **state)
{
    uint64_t rng = test_seed();
    int perfect = 0;
    (void)state;
    for (int round = 0; round < 4000; ++round) {
        pm_matrix a;
        pm_columns columns;
        pm_triples t = {.field = PM_PATTERN,
                        .nrows = 1 + (int64_t)pm_rng_below(&rng, 40),
                        .ncols = 1 + (int64_t)pm_rng_below(&rng, 60)};
        const double p = 4 * pm_rng_unit(&rng) / (double)t.ncols;
        for (int i = 0; i < t.nrows; ++i)
            for (int j = 0; j < t.ncols; ++j)
                if (pm_rng_unit(&rng) < p)
                    assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &a, NULL), PM_OK);
        int32_t col_of[40], row_of[60], best[40], best_row[60];
        int64_t rank, matched = 0;
        memset(col_of, 0xff, sizeof col_of);
        memset(row_of, 0xff, sizeof row_of);
        for (int i = 0; i < a.nrows; ++i) /* some rows take their first free column */
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1] && col_of[i] < 0; ++k)
                if (row_of[a.colind[k]] < 0 && pm_rng_below(&rng, 4)) {
                    col_of[i] = a.colind[k];
                    row_of[a.colind[k]] = i;
                    ++matched;
                }
        const int64_t before = matched;
        assert_int_equal(pm_columns_make(&a, NULL, &columns, NULL), PM_OK);
        const bool is_near = round % 2; /* it has no early end for so few rows */
        const bool is_short = round % 4 == 0, pushes = !is_near && round % 8 > 0;
        const int64_t most = round % 4 == 1 ? a.nrows : 1 + (int64_t)pm_rng_below(&rng, 9);
        pm_status status = PM_OK;
        if (is_near)
            status = pm_near_paths(&a, most, NULL, col_of, row_of, &matched, NULL);
        else if (is_short)
            status = pm_short_paths(&a, &columns, NULL, col_of, row_of, &matched, NULL);
        if (!status && pushes)
            status = pm_push_relabel(&a, &columns, NULL, col_of, row_of, &matched, NULL);
        assert_int_equal(status, PM_OK);
        assert_int_equal(pm_matching_maximum(&a, NULL, best, best_row, &rank, NULL), PM_OK);
        assert_true(matched >= before && matched <= rank);
        if (is_short && !pushes && before < rank)
            assert_true(matched > before);
        if (is_near ? most == a.nrows : pushes)
            assert_int_equal(matched, rank);
        perfect += rank == a.nrows;
        int64_t count = 0;
        for (int i = 0; i < a.nrows; ++i) {
            bool is_entry = col_of[i] == -1;
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                is_entry = is_entry || a.colind[k] == col_of[i];
            assert_true(is_entry && (col_of[i] < 0 || row_of[col_of[i]] == i));
            count += col_of[i] >= 0;
        }
        assert_int_equal(count, matched);
        pm_columns_free(&columns);
        pm_matrix_free(&a);
    }
    assert_true(perfect > 200);
}

/* Along a path: the last row is unmatched and wants the column of the row before it, and so on, to the first column. */
static void shift_by_one(int32_t *col_of, int32_t *row_of, int n)
{
    for (int i = 0; i < n; ++i) {
        col_of[i] = i + 1 < n ? i + 1 : -1;
        row_of[i] = i - 1;
    }
}

static void pushes(void **state)
{
    enum { N = 20000 };
    const volatile sig_atomic_t stop = 1;
    const pm_run stopped = {.stop = &stop};
    pm_matrix a;
    pm_columns columns;
    pm_status status = PM_ENOMEM;
    int64_t matched;
    int failures = 0;
    int32_t *col_of = malloc(N * sizeof *col_of), *row_of = malloc(N * sizeof *row_of);
    (void)state;
    band_graph(N, 0, 1, &a);
    assert_int_equal(pm_columns_make(&a, NULL, &columns, NULL), PM_OK);
    shift_by_one(col_of, row_of, N);
    matched = N - 1;
    assert_int_equal(pm_push_relabel(&a, &columns, &stopped, col_of, row_of, &matched, NULL),
                     PM_ESTOPPED);
    for (int64_t k = 1; status; ++k) {
        shift_by_one(col_of, row_of, N);
        matched = N - 1;
        pm_alloc_fail_at(k);
        status = pm_push_relabel(&a, &columns, NULL, col_of, row_of, &matched, NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
        failures += status == PM_ENOMEM;
    }
    assert_int_equal(failures, 3);
    assert_int_equal(matched, N);
    for (int i = 0; i < N; ++i)
        assert_true(col_of[i] == i && row_of[i] == i);
    pm_columns_free(&columns);
    pm_matrix_free(&a);
    free(col_of);
    free(row_of);
}

/* Whether there is one block, against the number of strong components. */
static void one_block(void **state)
{
    uint64_t rng = test_seed();
    int found[2] = {0, 0};
    (void)state;
    for (int round = 0; round < 2000; ++round) {
        const int n = 1 + (int)pm_rng_below(&rng, 60);
        int32_t col_of[60], row_of[60];
        int64_t rank;
        bool is_one;
        pm_matrix a;
        pm_dm d;
        permutations_union(&rng, n, 1 + (int)pm_rng_below(&rng, 3), &a);
        assert_int_equal(pm_matching_maximum(&a, NULL, col_of, row_of, &rank, NULL), PM_OK);
        assert_int_equal(rank, n);
        assert_int_equal(pm_one_block(&a, col_of, row_of, NULL, &is_one, NULL), PM_OK);
        assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
        assert_int_equal(is_one, d.nblocks == 1);
        ++found[is_one];
        pm_dm_free(&d);
        pm_matrix_free(&a);
    }
    assert_true(found[0] > 100 && found[1] > 100);
}

/* Two large blocks, and entries that join them: in one direction they stay two, in both they become one.  A
 * union of four permutations is a block, unless all four agree somewhere: false alarm below 1e-6. */
static void large_blocks(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int joined = 0; joined < 3; ++joined) {
        enum { HALF = 4000 };
        pm_triples t = {.field = PM_PATTERN, .nrows = 2 * HALF, .ncols = 2 * HALF};
        for (int side = 0; side < 2; ++side) {
            pm_matrix a;
            permutations_union(&rng, HALF, 4, &a);
            for (int64_t i = 0; i < HALF; ++i)
                for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                    assert_int_equal(pm_triples_add(&t, side * HALF + i, side * HALF + a.colind[k],
                                                    0, NULL, NULL, NULL),
                                     PM_OK);
            pm_matrix_free(&a);
        }
        for (int side = 0; side < joined; ++side)
            assert_int_equal(
                pm_triples_add(&t, side * HALF + 7, (1 - side) * HALF + 9, 0, NULL, NULL, NULL),
                PM_OK);
        pm_matrix a;
        pm_dm d;
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &a, NULL), PM_OK);
        assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
        assert_int_equal(d.nblocks, joined == 2 ? 1 : 2);
        pm_dm_free(&d);
        pm_matrix_free(&a);
    }
}

/* Whether a graph is connected, against labels that spread along entries until nothing changes. */
static bool slowly_connected(const pm_matrix *a)
{
    enum { MOST = 60 };
    int label[2 * MOST];
    assert_true(a->nrows <= MOST && a->ncols <= MOST);
    for (int v = 0; v < a->nrows + a->ncols; ++v)
        label[v] = v;
    for (bool changes = true; changes;) {
        changes = false;
        for (int64_t i = 0; i < a->nrows; ++i)
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
                int *row = &label[i], *col = &label[a->nrows + a->colind[k]];
                changes = changes || *row != *col;
                *row = *col = *row < *col ? *row : *col;
            }
    }
    for (int v = 0; v < a->nrows + a->ncols; ++v)
        if (label[v])
            return false;
    return true;
}

static void connected(void **state)
{
    uint64_t rng = test_seed();
    int found[2] = {0, 0};
    (void)state;
    for (int round = 0; round < 2000; ++round) {
        pm_matrix a;
        bool is_connected;
        pm_triples t = {.field = PM_PATTERN,
                        .nrows = (int64_t)pm_rng_below(&rng, 30),
                        .ncols = (int64_t)pm_rng_below(&rng, 30)};
        const double p = 8 * pm_rng_unit(&rng) / (double)(t.ncols + 1);
        for (int i = 0; i < t.nrows; ++i)
            for (int j = 0; j < t.ncols; ++j)
                if (pm_rng_unit(&rng) < p)
                    assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &a, NULL), PM_OK);
        assert_int_equal(pm_connected_find(&a, NULL, &is_connected, NULL), PM_OK);
        assert_int_equal(is_connected, slowly_connected(&a));
        ++found[is_connected];
        pm_matrix_free(&a);
    }
    assert_true(found[0] > 100 && found[1] > 100);
}

static void shuffle(uint64_t *rng, int32_t *p, int32_t n)
{
    for (int32_t i = 0; i < n; ++i) {
        const int32_t j = (int32_t)pm_rng_below(rng, (uint32_t)i + 1);
        p[i] = p[j];
        p[j] = i;
    }
}

/* A long path, and two of them, on several threads. */
static void long_paths(void **state)
{
    enum { N = 60000 };
    const pm_run run = {.threads = 4};
    uint64_t rng = test_seed();
    int32_t *p = pm_alloc_array(N, sizeof *p), *q = pm_alloc_array(N, sizeof *q);
    (void)state;
    for (int round = 0; round < 6; ++round) {
        pm_matrix a;
        bool is_connected;
        const int cut = round % 2 ? 1 + (int)pm_rng_below(&rng, N - 1) : 0;
        pm_triples t = {.field = PM_PATTERN, .nrows = N, .ncols = N};
        shuffle(&rng, p, N);
        shuffle(&rng, q, N);
        for (int i = 0; i < N; ++i) { /* row p[i], column q[i], row p[i + 1], ... */
            assert_int_equal(pm_triples_add(&t, p[i], q[i], 0, NULL, NULL, NULL), PM_OK);
            if (i && i != cut)
                assert_int_equal(pm_triples_add(&t, p[i], q[i - 1], 0, NULL, NULL, NULL), PM_OK);
        }
        if (cut) /* as many entries as the path has */
            assert_int_equal(
                pm_triples_add(&t, p[cut - 1], q[cut > 1 ? 0 : cut - 1], 0, NULL, NULL, NULL),
                PM_OK);
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_IGNORE, "test", &a, NULL), PM_OK);
        assert_int_equal(pm_connected_find(&a, &run, &is_connected, NULL), PM_OK);
        assert_int_equal(is_connected, cut == 0);
        pm_matrix_free(&a);
    }
    free(p);
    free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_paths),
        cmocka_unit_test(pushes),
        cmocka_unit_test(one_block),
        cmocka_unit_test(large_blocks),
        cmocka_unit_test(test_matching_small),
        cmocka_unit_test(test_matching_planted),
        cmocka_unit_test(test_dm_small),
        cmocka_unit_test(test_dm_example),
        cmocka_unit_test(test_dm_chain),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(progress_of_a_matching),
        cmocka_unit_test(connected),
        cmocka_unit_test(long_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
