/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices against dense tables of the same size. */
#include "config.h"

#include "support/testing.h"

#include <inttypes.h>
#include <string.h>

#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "pm/matrix.h"

enum { MOST = 12 };

/* Entries are small integers plus i times small integers; 0 is no entry. */
typedef struct {
    int64_t nrows, ncols;
    int64_t re[MOST][MOST], im[MOST][MOST];
} dense;

static void assert_valid(const pm_matrix *a)
{
    assert_int_equal(a->rowptr[0], 0);
    assert_int_equal(a->re != NULL, a->field != PM_PATTERN);
    assert_int_equal(a->im != NULL, a->field == PM_COMPLEX);
    for (int64_t i = 0; i < a->nrows; ++i) {
        assert_true(a->rowptr[i] <= a->rowptr[i + 1]);
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            assert_in_range(a->colind[k], 0, a->ncols - 1);
            if (k > a->rowptr[i])
                assert_true(a->colind[k - 1] < a->colind[k]);
            if (a->re)
                assert_false(pm_dyadic_is_zero(&a->re[k])
                             && !(a->im && !pm_dyadic_is_zero(&a->im[k])));
        }
    }
}

static dense to_dense(const pm_matrix *a)
{
    dense d = {.nrows = a->nrows, .ncols = a->ncols};
    assert_valid(a);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            d.re[i][a->colind[k]] = a->re ? (int64_t)pm_dyadic_get_d(&a->re[k]) : 1;
            d.im[i][a->colind[k]] = a->im ? (int64_t)pm_dyadic_get_d(&a->im[k]) : 0;
        }
    return d;
}

static void assert_dense(const pm_matrix *a, const dense *want)
{
    dense d = to_dense(a);
    assert_memory_equal(&d, want, sizeof d);
}

static void add(pm_triples *t, int64_t row, int64_t col, int64_t line, int64_t re, int64_t im)
{
    pm_dyadic v[2] = {0};
    pm_dyadic_set_si(&v[0], re);
    pm_dyadic_set_si(&v[1], im);
    bool has_re = t->field != PM_PATTERN, has_im = t->field == PM_COMPLEX;
    assert_int_equal(
        pm_triples_add(t, row, col, line, has_re ? &v[0] : NULL, has_im ? &v[1] : NULL, NULL),
        PM_OK);
}

/* What PM_DUPLICATES_SUM must give.  Half of the lists come by rows. */
static void random_triples(pm_triples *t, dense *sum, uint64_t *rng, pm_field field, uint32_t count)
{
    *t = (pm_triples){
        .field = field, .nrows = 1 + pm_rng_below(rng, MOST), .ncols = 1 + pm_rng_below(rng, MOST)};
    memset(sum, 0, sizeof *sum);
    sum->nrows = t->nrows;
    sum->ncols = t->ncols;
    const bool by_rows = pm_rng_below(rng, 2);
    for (uint32_t e = 0; e < count; ++e) {
        int64_t i = by_rows ? e * t->nrows / count : pm_rng_below(rng, (uint32_t)t->nrows),
                j = pm_rng_below(rng, (uint32_t)t->ncols);
        int64_t re = field == PM_PATTERN ? 1 : (int64_t)pm_rng_below(rng, 5) - 2;
        int64_t im = field == PM_COMPLEX ? (int64_t)pm_rng_below(rng, 3) - 1 : 0;
        add(t, i, j, e + 1, re, im);
        sum->re[i][j] += re;
        sum->im[i][j] += im;
    }
}

static pm_matrix random_matrix(uint64_t *rng, dense *d)
{
    pm_triples t;
    pm_matrix a;
    random_triples(&t, d, rng, (pm_field)pm_rng_below(rng, 4), pm_rng_below(rng, 60));
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_SUM, "random", &a, NULL), PM_OK);
    return a;
}

/* ---- from triples ---- */

static void test_sum(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int r = test_rounds(3000); r-- > 0;) {
        pm_triples t;
        dense sum;
        pm_matrix a;
        pm_field field = (pm_field)(r % 4);
        random_triples(&t, &sum, &rng, field, pm_rng_below(&rng, 60));
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_SUM, "random", &a, NULL), PM_OK);
        assert_int_equal(t.count, 0);
        assert_null(t.at);
        if (field != PM_PATTERN)
            assert_int_equal(a.field, field);
        assert_dense(&a, &sum);
        pm_matrix_free(&a);
    }
}

static void test_a_pattern_stays_one_without_repeats(void **state)
{
    (void)state;
    for (int repeat = 0; repeat < 2; ++repeat) {
        pm_triples t = {.nrows = 2, .ncols = 2};
        pm_matrix a;
        add(&t, 1, 1, 1, 1, 0);
        add(&t, repeat, 1, 2, 1, 0);
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_SUM, "x", &a, NULL), PM_OK);
        assert_int_equal(a.field, repeat ? PM_INTEGER : PM_PATTERN);
        assert_int_equal(pm_matrix_nnz(&a), repeat ? 1 : 2);
        pm_matrix_free(&a);
    }
}

/* Lines with gaps, and entries of unknown lines; one by one and many at a time. */
static void test_lines(void **state)
{
    enum { ENTRIES = 60 };
    (void)state;
    uint64_t rng = test_seed();
    for (int r = test_rounds(1000); r-- > 0;) {
        static const pm_coordinates places[4] = {{0, 1}, {2, 0}, {1, 1}, {2, 2}};
        pm_triples t = {.nrows = 3, .ncols = 3};
        int64_t line[ENTRIES], next = 1;
        while (t.count < ENTRIES) {
            const int64_t from = t.count, room = ENTRIES - from;
            const int64_t some = room < 4 ? room : 1 + pm_rng_below(&rng, 4);
            const bool is_known = pm_rng_below(&rng, 5) > 0;
            next += pm_rng_below(&rng, 2) ? pm_rng_below(&rng, 3) : 0;
            if (is_known && pm_rng_below(&rng, 2))
                assert_int_equal(pm_triples_add_many(&t, places, NULL, some, next, NULL), PM_OK);
            else
                for (int64_t k = 0; k < some; ++k)
                    add(&t, places[k].row, places[k].col, is_known ? next + k : 0, 1, 0);
            for (int64_t k = 0; k < some; ++k) {
                line[from + k] = is_known ? next + k : 0;
                assert_int_equal(t.at[from + k].row, places[k].row);
                assert_int_equal(t.at[from + k].col, places[k].col);
            }
            next += is_known ? some : 0;
        }
        for (int64_t e = 0; e < ENTRIES; ++e)
            assert_int_equal(pm_text_lines_find(&t.lines, e), line[e]);
        pm_triples_free(&t);
    }
}

/* Rows too long to be sorted by insertion. */
static void test_long_rows(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int r = test_rounds(100); r-- > 0;) {
        const int32_t n = 1 + (int32_t)pm_rng_below(&rng, 100);
        int32_t order[100];
        pm_triples t = {.field = PM_INTEGER, .nrows = 2, .ncols = n};
        pm_matrix a;
        for (int32_t k = 0; k < n; ++k) {
            const int32_t at = (int32_t)pm_rng_below(&rng, (uint32_t)k + 1);
            order[k] = order[at];
            order[at] = k;
        }
        for (int i = 0; i < 2; ++i)
            for (int32_t k = 0; k < n; ++k)
                add(&t, i, order[k], 0, 1000 * i + order[k] + 1, 0);
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "long", &a, NULL), PM_OK);
        for (int64_t k = 0; k < 2 * n; ++k) {
            assert_int_equal(a.colind[k], k % n);
            assert_int_equal(a.re[k].kind, PM_DYADIC_SMALL);
            assert_true(pm_dyadic_get_d(&a.re[k]) == (double)(1000 * (k / n) + k % n + 1));
        }
        pm_matrix_free(&a);
    }
}

/* The first repeat in the order of lines is the one that is named, whatever its place. */
static void test_error_names_the_first_repeat(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int r = test_rounds(2000); r-- > 0;) {
        pm_triples t;
        dense sum;
        pm_matrix a = {0};
        pm_error err;
        char want[128] = "";
        int64_t seen[MOST][MOST] = {0};
        random_triples(&t, &sum, &rng, (pm_field)(r % 4), pm_rng_below(&rng, 20));
        for (int64_t e = 0; e < t.count && !*want; ++e) {
            int64_t *line = &seen[t.at[e].row][t.at[e].col];
            if (*line)
                snprintf(want, sizeof want,
                         "g.txt:%" PRId64 ": duplicate edge (first at line %" PRId64 ")",
                         pm_text_lines_find(&t.lines, e), *line);
            else
                *line = pm_text_lines_find(&t.lines, e);
        }
        pm_status s = pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "g.txt", &a, &err);
        assert_int_equal(s, *want ? PM_EDATA : PM_OK);
        if (*want)
            assert_string_equal(err.msg, want);
        else
            assert_dense(&a, &sum);
        pm_matrix_free(&a);
        pm_triples_free(&t);
    }
}

static void test_ignore(void **state)
{
    (void)state;
    pm_error err;
    for (int other = 0; other < 2; ++other) {
        pm_triples t = {.field = PM_COMPLEX, .nrows = 3, .ncols = 2};
        pm_matrix a = {0};
        add(&t, 2, 1, 4, 5, -1);
        add(&t, 0, 0, 5, 1, 1);
        add(&t, 2, 1, 6, 5, -1);
        add(&t, 2, 1, 9, 5, other ? 1 : -1);
        pm_status s = pm_matrix_from_triples(&t, PM_DUPLICATES_IGNORE, "g.txt", &a, &err);
        if (other) {
            assert_int_equal(s, PM_EDATA);
            assert_string_equal(err.msg,
                                "g.txt:9: duplicate edge with another value (first at line 4)");
        } else {
            assert_int_equal(s, PM_OK);
            dense want = {.nrows = 3, .ncols = 2};
            want.re[2][1] = 5;
            want.im[2][1] = -1;
            want.re[0][0] = want.im[0][0] = 1;
            assert_dense(&a, &want);
        }
        pm_matrix_free(&a);
        pm_triples_free(&t);
    }
}

static void test_unknown_lines(void **state)
{
    (void)state;
    pm_triples t = {.nrows = 1, .ncols = 1};
    pm_matrix a;
    pm_error err;
    add(&t, 0, 0, 0, 1, 0);
    add(&t, 0, 0, 0, 1, 0);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "graph6", &a, &err), PM_EDATA);
    assert_string_equal(err.msg, "graph6: duplicate edge 1 1");
    pm_triples_free(&t);
}

static void test_empty(void **state)
{
    (void)state;
    pm_triples t = {0};
    pm_matrix a, b, zero = {0};
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "x", &a, NULL), PM_OK);
    assert_int_equal(pm_matrix_nnz(&a), 0);
    assert_true(pm_matrix_equal(&a, &zero));
    assert_int_equal(pm_matrix_transpose(&zero, &b, NULL), PM_OK);
    assert_true(pm_matrix_equal(&b, &zero));
    pm_matrix_free(&b);
    assert_int_equal(pm_matrix_copy(&zero, &b, NULL), PM_OK);
    pm_matrix_free(&b);
    assert_int_equal(pm_matrix_select(&a, NULL, 0, NULL, 0, &b, NULL), PM_OK);
    pm_matrix_free(&b);
    pm_matrix_free(&a);
    pm_matrix_free(&a);
}

/* Entries by columns, with several threads, against a search of each column. */
static void test_transposed_patterns(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = 0; round < 300; ++round) {
        enum { LINES = 12 };
        const int nrows = (int)pm_rng_below(&rng, LINES), ncols = (int)pm_rng_below(&rng, LINES),
                  threads = 1 + (int)pm_rng_below(&rng, 5);
        const double density = pm_rng_unit(&rng);
        int64_t rowptr[LINES + 1] = {0}, ptr[LINES + 1], place[LINES * LINES], count[LINES],
                               nnz = 0;
        int32_t colind[LINES * LINES], row[LINES * LINES];
        for (int i = 0; i < nrows; ++i) {
            for (int j = 0; j < ncols; ++j)
                if (pm_rng_unit(&rng) < density)
                    colind[nnz++] = j;
            rowptr[i + 1] = nnz;
        }
        pm_transposed_make(nrows, ncols, rowptr, colind, threads, ptr, row,
                           pm_rng_below(&rng, 2) ? place : NULL);
        pm_transposed_make(nrows, ncols, rowptr, colind, threads, ptr, row, place);
        pm_transposed_count(ncols, nnz, colind, threads, count);
        int64_t at = 0;
        for (int j = 0; j < ncols; ++j) {
            assert_int_equal(ptr[j], at);
            for (int i = 0; i < nrows; ++i)
                for (int64_t k = rowptr[i]; k < rowptr[i + 1]; ++k)
                    if (colind[k] == j) {
                        assert_int_equal(row[at], i);
                        assert_int_equal(place[k], at++);
                    }
            assert_int_equal(count[j], at - ptr[j]);
        }
        assert_int_equal(ptr[ncols], nnz);
    }
    const pm_run run = {.threads = 3};
    assert_int_equal(pm_transposed_threads(INT64_MAX, NULL), 1);
    assert_int_equal(pm_transposed_threads(10, &run), 1);
    assert_in_range(pm_transposed_threads(INT64_MAX, &run), 1, 3);
}

static void test_size_limit(void **state)
{
    (void)state;
    pm_matrix a;
    pm_error err;
    assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, INT64_C(1) << 31, 1, 0, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "2147483648 x 1"));
    assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, 1, INT64_C(1) << 31, 0, &err), PM_UNABLE);
}

/* ---- other matrices ---- */

static void test_copy_and_equal(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int r = test_rounds(1000); r-- > 0;) {
        dense d;
        pm_matrix a = random_matrix(&rng, &d), b;
        assert_int_equal(pm_matrix_copy(&a, &b, NULL), PM_OK);
        assert_dense(&b, &d);
        assert_true(pm_matrix_equal(&a, &b));
        int64_t nnz = pm_matrix_nnz(&b);
        if (nnz && b.re) {
            pm_dyadic *v = b.im && r % 2 ? b.im : b.re;
            pm_dyadic_mul_2exp(&v[nnz - 1], 1);
            assert_int_equal(pm_matrix_equal(&a, &b), pm_dyadic_is_zero(&v[nnz - 1]));
            pm_matrix_make_pattern(&b);
            assert_int_equal(b.field, PM_PATTERN);
            assert_null(b.re);
            assert_false(pm_matrix_equal(&a, &b));
            assert_valid(&b);
        }
        pm_matrix_free(&a);
        pm_matrix_free(&b);
    }
}

static void test_transpose(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int r = test_rounds(1000); r-- > 0;) {
        dense d, turned = {0};
        pm_matrix a = random_matrix(&rng, &d), b, c;
        turned.nrows = d.ncols;
        turned.ncols = d.nrows;
        for (int i = 0; i < MOST; ++i)
            for (int j = 0; j < MOST; ++j) {
                turned.re[j][i] = d.re[i][j];
                turned.im[j][i] = d.im[i][j];
            }
        assert_int_equal(pm_matrix_transpose(&a, &b, NULL), PM_OK);
        assert_dense(&b, &turned);
        assert_int_equal(pm_matrix_transpose(&b, &c, NULL), PM_OK);
        assert_true(pm_matrix_equal(&a, &c));
        pm_matrix_free(&a);
        pm_matrix_free(&b);
        pm_matrix_free(&c);
    }
}

/* m of the numbers 0 .. n-1 in random order. */
static int64_t random_choice(uint64_t *rng, int64_t n, int32_t *p)
{
    for (int64_t i = 0; i < n; ++i) {
        int64_t j = pm_rng_below(rng, (uint32_t)i + 1);
        p[i] = p[j];
        p[j] = (int32_t)i;
    }
    return pm_rng_below(rng, (uint32_t)n + 1);
}

static void test_select(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int r = test_rounds(2000); r-- > 0;) {
        dense d, part = {0};
        int32_t p[MOST], q[MOST];
        pm_matrix a = random_matrix(&rng, &d), b;
        part.nrows = random_choice(&rng, d.nrows, p);
        part.ncols = random_choice(&rng, d.ncols, q);
        for (int64_t i = 0; i < part.nrows; ++i)
            for (int64_t j = 0; j < part.ncols; ++j) {
                part.re[i][j] = d.re[p[i]][q[j]];
                part.im[i][j] = d.im[p[i]][q[j]];
            }
        assert_int_equal(pm_matrix_select(&a, p, part.nrows, q, part.ncols, &b, NULL), PM_OK);
        assert_dense(&b, &part);
        pm_matrix_free(&a);
        pm_matrix_free(&b);
    }
}

/* Against the definition; also the sum of all repetitions 0. */
static void test_repeat(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int r = test_rounds(1000); r-- > 0;) {
        dense d;
        int64_t times[2][MOST], first[2][MOST + 1] = {{0}};
        pm_matrix a = random_matrix(&rng, &d), b;
        const int64_t size[2] = {d.nrows, d.ncols};
        for (int side = 0; side < 2; ++side)
            for (int64_t k = 0; k < size[side]; ++k) {
                times[side][k] = pm_rng_below(&rng, 4);
                first[side][k + 1] = first[side][k] + times[side][k];
            }
        assert_int_equal(pm_matrix_repeat(&a, times[0], times[1], &b, NULL), PM_OK);
        assert_int_equal(b.nrows, first[0][d.nrows]);
        assert_int_equal(b.ncols, first[1][d.ncols]);
        int64_t nnz = 0;
        for (int64_t i = 0; i < d.nrows; ++i)
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                for (int64_t y = 0; y < times[0][i]; ++y)
                    for (int64_t x = 0; x < times[1][a.colind[k]]; ++x, ++nnz) {
                        int64_t row = first[0][i] + y, col = first[1][a.colind[k]] + x;
                        int64_t e = b.rowptr[row];
                        while (e < b.rowptr[row + 1] && b.colind[e] != col)
                            ++e;
                        assert_true(e < b.rowptr[row + 1]);
                        assert_true(!a.re || pm_dyadic_equal(&a.re[k], &b.re[e]));
                        assert_true(!a.im || pm_dyadic_equal(&a.im[k], &b.im[e]));
                    }
        assert_int_equal(pm_matrix_nnz(&b), nnz);
        pm_matrix_free(&a);
        pm_matrix_free(&b);
    }
}

/* A matrix that would be too large is refused before it is made. */
static void test_repeat_too_often(void **state)
{
    (void)state;
    static const struct {
        int64_t rows, cols;
        const char *msg;
    } bad[] = {
        {(1 << 26) + 1, 1, "would have 67108865 rows, 1 columns and 67108865 entries"},
        {1, (1 << 26) + 1, "would have 1 rows, 67108865 columns and 67108865 entries"},
        {65536, 32769, "would have 65536 rows, 32769 columns and 2147549184 entries"},
        {INT64_C(1) << 32, INT64_C(1) << 31, "2^63 rows, columns or entries"},
    };
    pm_matrix one = {0}, none = {0};
    assert_int_equal(pm_matrix_alloc(&one, PM_PATTERN, 1, 1, 1, NULL), PM_OK);
    one.rowptr[1] = 1;
    one.colind[0] = 0;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        pm_error err = {.msg = ""};
        assert_int_equal(pm_matrix_repeat(&one, &bad[k].rows, &bad[k].cols, &none, &err),
                         PM_UNABLE);
        assert_non_null(strstr(err.msg, bad[k].msg));
    }
    pm_matrix_free(&one);
}

/* A few columns of very many. */
static void test_select_from_wide(void **state)
{
    (void)state;
    enum { N = 5000, BLOCK = 5 };
    uint64_t rng = test_seed();
    pm_triples t = {.nrows = 3, .ncols = N};
    pm_matrix a, b;
    for (int64_t j = 0; j < N; ++j)
        add(&t, pm_rng_below(&rng, 3), j, 0, 1, 0);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "x", &a, NULL), PM_OK);
    for (int r = test_rounds(200); r-- > 0;) {
        static const int32_t p[] = {2, 0, 1};
        int32_t q[BLOCK];
        int64_t nnz = 0;
        for (int32_t j = 0; j < BLOCK; ++j)
            q[j] = (int32_t)pm_rng_below(&rng, N / BLOCK) + (j * 3 % BLOCK) * (N / BLOCK);
        assert_int_equal(pm_matrix_select(&a, p, 3, q, BLOCK, &b, NULL), PM_OK);
        assert_valid(&b);
        for (int64_t i = 0; i < 3; ++i)
            for (int64_t k = b.rowptr[i]; k < b.rowptr[i + 1]; ++k, ++nnz) {
                bool found = false;
                for (int64_t l = a.rowptr[p[i]]; l < a.rowptr[p[i] + 1]; ++l)
                    found |= a.colind[l] == q[b.colind[k]];
                assert_true(found);
            }
        assert_int_equal(nnz, BLOCK);
        pm_matrix_free(&b);
    }
    pm_matrix_free(&a);
}

/* ---- labels ---- */

static void give_labels(pm_labels *l, const char *prefix, int64_t n)
{
    for (int64_t i = 0; i < n; ++i) {
        char text[32];
        int length = snprintf(text, sizeof text, "%s%" PRId64 "xyz", prefix, i) - 3;
        assert_int_equal(pm_labels_append(l, text, length, NULL), PM_OK);
    }
}

static void assert_label(const pm_labels *l, int64_t i, const char *prefix, int64_t number)
{
    char want[32], room[24];
    snprintf(want, sizeof want, "%s%" PRId64, prefix, number);
    assert_string_equal(pm_label(l, i, room), want);
}

static void test_labels_move_along(void **state)
{
    (void)state;
    pm_matrix a, b, c;
    pm_labels none = {0}, empty = {.count = 9};
    assert_label(&none, 41, "", 42);
    assert_int_equal(pm_labels_select(&none, NULL, 3, &empty, NULL), PM_OK);
    assert_false(pm_labels_exist(&empty));

    assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, 30, 20, 0, NULL), PM_OK);
    give_labels(&a.row_labels, "row", 30);
    assert_int_equal(pm_matrix_transpose(&a, &b, NULL), PM_OK);
    assert_false(pm_labels_exist(&b.row_labels));
    assert_int_equal(b.col_labels.count, 30);
    assert_label(&b.col_labels, 29, "row", 29);

    static const int32_t p[] = {17, 0, 3}, q[] = {4};
    assert_int_equal(pm_matrix_select(&a, p, 3, q, 1, &c, NULL), PM_OK);
    assert_int_equal(c.row_labels.count, 3);
    for (int i = 0; i < 3; ++i)
        assert_label(&c.row_labels, i, "row", p[i]);
    assert_false(pm_labels_exist(&c.col_labels));
    pm_matrix_free(&c);

    assert_int_equal(pm_matrix_copy(&b, &c, NULL), PM_OK);
    assert_label(&c.col_labels, 12, "row", 12);
    pm_matrix_free(&a);
    pm_matrix_free(&b);
    pm_matrix_free(&c);
}

/* Integers, what looks like one, and words, in any mixture: labels are the strings that were given. */
static void test_labels_are_kept(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    static const char *const others[] = {"",           "a",   "007", "2147483648",
                                         "2147483647", "0",   "-1",  "12345678901",
                                         "1 2",        "0x1", "+3",  "00"};
    enum { LABELS = 30, OTHERS = sizeof others / sizeof *others };
    for (int round = 0; round < test_rounds(300); ++round) {
        char want[LABELS][24], room[24];
        int32_t p[LABELS];
        pm_labels l = {0}, some;
        const int n = 1 + (int)pm_rng_below(&rng, LABELS),
                  integers = (int)pm_rng_below(&rng, LABELS);
        for (int i = 0; i < n; ++i) {
            const int32_t value = (int32_t)(pm_rng_next(&rng) >> (33 + pm_rng_below(&rng, 30)));
            if (i < integers)
                snprintf(want[i], sizeof want[i], "%d", value);
            else
                strcpy(want[i], others[pm_rng_below(&rng, OTHERS)]);
            if (i < integers && pm_rng_below(&rng, 2))
                assert_int_equal(pm_labels_append_integer(&l, value, NULL), PM_OK);
            else
                assert_int_equal(pm_labels_append(&l, want[i], (int64_t)strlen(want[i]), NULL),
                                 PM_OK);
            p[i] = (int32_t)pm_rng_below(&rng, (uint32_t)i + 1);
        }
        assert_int_equal(l.count, n);
        assert_true(pm_labels_exist(&l));
        for (int i = 0; i < n; ++i)
            assert_string_equal(pm_label(&l, i, room), want[i]);
        assert_int_equal(pm_labels_select(&l, p, n, &some, NULL), PM_OK);
        for (int i = 0; i < n; ++i)
            assert_string_equal(pm_label(&some, i, room), want[p[i]]);
        /* a copy can be appended to */
        assert_int_equal(pm_labels_append(&some, "end", 3, NULL), PM_OK);
        assert_string_equal(pm_label(&some, 0, room), want[p[0]]);
        assert_string_equal(pm_label(&some, n, room), "end");
        pm_labels_free(&some);
        pm_labels_free(&l);
    }
}

/* ---- when memory ends ---- */

/* Everything that allocates, once; the first failure ends it. */
static pm_status use_everything(const pm_matrix *model)
{
    static const int32_t p[] = {1, 0}, q[] = {2, 0};
    pm_triples t = {.field = PM_COMPLEX, .nrows = 2, .ncols = 3};
    pm_matrix a = {0}, b = {0}, c = {0}, d = {0}, e = {0};
    pm_dyadic re = {0}, im = {0};
    pm_labels l = {0};
    mpz_t big;
    mpz_init(big);
    mpz_setbit(big, 200);
    mpz_add_ui(big, big, 1);
    pm_status s = PM_OK;
    for (int64_t k = 0; k < 40 && !s; ++k) {
        pm_dyadic_set_mpz(&re, big);
        pm_dyadic_set_si(&im, k);
        s = pm_triples_add(&t, k % 2, k % 3, k, &re, &im, NULL);
        if (!s)
            s = pm_labels_append(&l, "label", 5, NULL);
    }
    s = s ? s : pm_matrix_from_triples(&t, PM_DUPLICATES_SUM, "x", &a, NULL);
    s = s ? s : pm_matrix_copy(model, &b, NULL);
    s = s ? s : pm_matrix_transpose(model, &c, NULL);
    s = s ? s : pm_matrix_select(model, p, 2, q, 2, &d, NULL);
    s = s ? s : pm_matrix_select(model, p, 2, q, 0, &e, NULL);
    pm_matrix_free(&a);
    pm_matrix_free(&b);
    pm_matrix_free(&c);
    pm_matrix_free(&d);
    pm_matrix_free(&e);
    pm_triples_free(&t);
    pm_labels_free(&l);
    pm_dyadic_clear(&re);
    pm_dyadic_clear(&im);
    mpz_clear(big);
    return s;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    pm_matrix model;
    pm_triples t = {.field = PM_COMPLEX, .nrows = 2, .ncols = 300};
    for (int64_t k = 0; k < 9; ++k)
        add(&t, k % 2, k, k, 3, 4);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "x", &model, NULL), PM_OK);
    give_labels(&model.row_labels, "r", 2);
    give_labels(&model.col_labels, "c", 300);
    int64_t k = 0;
    pm_status s;
    do {
        pm_alloc_fail_at(++k);
        s = use_everything(&model);
        assert_true(s == PM_OK || s == PM_ENOMEM);
    } while (s != PM_OK);
    pm_alloc_fail_at(0);
    assert_true(k > 40);
    pm_matrix_free(&model);
}

static void test_field_names(void **state)
{
    (void)state;
    assert_string_equal(pm_field_name(PM_PATTERN), "pattern");
    assert_string_equal(pm_field_name(PM_COMPLEX), "complex");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_a_pattern_stays_one_without_repeats),
        cmocka_unit_test(test_error_names_the_first_repeat),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_ignore),
        cmocka_unit_test(test_unknown_lines),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_transposed_patterns),
        cmocka_unit_test(test_size_limit),
        cmocka_unit_test(test_copy_and_equal),
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_repeat_too_often),
        cmocka_unit_test(test_select_from_wide),
        cmocka_unit_test(test_labels_move_along),
        cmocka_unit_test(test_labels_are_kept),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_field_names),
    };
    return cmocka_run_group_tests_name("matrix", tests, NULL, NULL);
}
