/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks with one value nearly everywhere, by rook numbers: against the definition, against other
 * ways, and against the numbers that the problem is known for. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "pm/count.h"
#include "pm/memory.h"
#include "reference/textbook.h"
#include "rook/rook_board.h"
#include "support/answers.h"
#include "support/matrices.h"

static uint64_t rng;

/* c everywhere but in `others` cells, drawn with repeats, that have another value, often 0.  Some
 * lines are made equal, so that there are twins. */
static void nearly_constant(pm_field field, int n, int others, int64_t c, pm_matrix *out)
{
    int64_t *value = malloc((size_t)(n * n) * sizeof *value + 1);
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    for (int i = 0; i < n * n; ++i)
        value[i] = c;
    for (int x = 0; x < others; ++x)
        value[pm_rng_below(&rng, (uint32_t)(n * n))] =
            field == PM_PATTERN || pm_rng_below(&rng, 2) ? 0 : (int64_t)pm_rng_below(&rng, 9) - 4;
    for (int copies = (int)pm_rng_below(&rng, 3); copies > 0; --copies) {
        int from = (int)pm_rng_below(&rng, (uint32_t)n), to = (int)pm_rng_below(&rng, (uint32_t)n);
        for (int j = 0; j < n; ++j)
            value[to * n + j] = value[from * n + j];
    }
    for (int i = 0; i < n * n; ++i) {
        pm_dyadic entry = {0};
        pm_dyadic_set_si(&entry, value[i]);
        if (value[i])
            assert_int_equal(pm_triples_add(&t, i / n, i % n, 0,
                                            field == PM_PATTERN ? NULL : &entry, NULL, NULL),
                             PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
    free(value);
}

static pm_status count_by(const pm_matrix *a, const char *algorithm, bool reduce, uint64_t modulus,
                          pm_value *v)
{
    pm_run run = {.threads = 1 + (int)pm_rng_below(&rng, 3)};
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.modulus = modulus;
    o.seed = pm_rng_next(&rng);
    if (!reduce)
        o.reduce = (pm_reduce_options){0};
    return pm_count(a, &o, &run, v, NULL, NULL);
}

static void against_definition(void **state)
{
    (void)state;
    int counted = 0, rounds = test_rounds(600);
    for (int round = 0; test_goes_on(round, 600, counted > rounds / 2); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        int n = 1 + (int)pm_rng_below(&rng, 9);
        int64_t c = round % 2 ? 1 : (int64_t)pm_rng_below(&rng, 7) - 3;
        pm_value_init(&v);
        nearly_constant(round % 2 ? PM_PATTERN : PM_INTEGER, n, (int)pm_rng_below(&rng, 3) * n, c,
                        &a);
        textbook_transfer_matrix(&a, &exact);
        pm_status rc = count_by(&a, "rook", round % 3 != 0, 0, &v);
        assert_true(rc == PM_OK || rc == PM_UNABLE);
        if (!rc)
            assert_true(agrees(&v, &exact));
        counted += !rc;
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
    assert_true(counted > rounds / 2); /* some 95 in 100; few rounds go on */
}

static void against_ryser(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(30); ++round) {
        pm_matrix a;
        pm_value v, w;
        uint64_t modulus = round % 3 == 2 ? 2 + pm_rng_below(&rng, 100) : 0;
        int n = 14 + (int)pm_rng_below(&rng, 5);
        bool reduce = round % 4 < 2;
        pm_value_init(&v);
        pm_value_init(&w);
        nearly_constant(round % 2 ? PM_PATTERN : PM_INTEGER, n, (int)pm_rng_below(&rng, 50), 1, &a);
        assert_int_equal(count_by(&a, "ryser", true, modulus, &w), PM_OK);
        /* At most 50 others and two copied lines leave more than half of the cells as they are;
         * what a reduction leaves may have no such value. */
        pm_status rc = count_by(&a, "rook", reduce, modulus, &v);
        assert_true(rc == PM_OK || (reduce && rc == PM_UNABLE));
        if (!rc)
            assert_true(values_agree(&v, &w));
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
    }
}

/* ---- the problem of the hats, and that of the couples ---- */

static void complement_of_bands(int n, int bands, pm_matrix *out)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if ((j - i + n) % n >= bands)
                assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

/* Derangements: D(n) = (n - 1) (D(n-1) + D(n-2)). */
static void derangements(int n, mpz_t out)
{
    mpz_t before;
    mpz_init_set_ui(before, 1);
    mpz_set_ui(out, 0);
    for (int k = 2; k <= n; ++k) {
        mpz_add(before, before, out);
        mpz_mul_ui(before, before, (unsigned long)k - 1);
        mpz_swap(before, out);
    }
    mpz_clear(before);
}

/* Touchard 1934: sum over k of (-1)^k 2n/(2n-k) C(2n-k, k) (n-k)! */
static void couples(int n, mpz_t out)
{
    mpz_t term, factorial;
    mpz_inits(term, factorial, NULL);
    mpz_set_ui(out, 0);
    for (unsigned long k = 0, two_n = 2 * (unsigned long)n; k <= (unsigned long)n; ++k) {
        mpz_bin_uiui(term, two_n - k, k);
        mpz_mul_ui(term, term, two_n);
        mpz_divexact_ui(term, term, two_n - k);
        mpz_fac_ui(factorial, (unsigned long)n - k);
        mpz_mul(term, term, factorial);
        k % 2 ? mpz_sub(out, out, term) : mpz_add(out, out, term);
    }
    mpz_clears(term, factorial, NULL);
}

static void known_numbers(void **state)
{
    (void)state;
    static const int sizes[] = {3, 4, 10, 33, 150};
    for (size_t x = 0; x < sizeof sizes / sizeof *sizes; ++x)
        for (int bands = 1; bands <= 2; ++bands) {
            pm_matrix a;
            pm_value v;
            mpz_t known;
            mpz_init(known);
            pm_value_init(&v);
            complement_of_bands(sizes[x], bands, &a);
            bands == 1 ? derangements(sizes[x], known) : couples(sizes[x], known);
            assert_int_equal(count_by(&a, sizes[x] > 10 ? "rook" : NULL, true, 0, &v), PM_OK);
            assert_int_equal(mpz_cmp(mpq_numref(v.exact), known), 0);
            pm_value_clear(&v);
            mpz_clear(known);
            pm_matrix_free(&a);
        }
}

/* ---- what is refused ---- */

static void refusals(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v;
    pm_value_init(&v);
    complement_of_bands(12, 9, &a);
    assert_int_equal(count_by(&a, "rook", false, 0, &v), PM_UNABLE);
    pm_matrix_free(&a);
    complement_of_bands(12, 2, &a);
    assert_int_equal(count_by(&a, "rook", false, 0, &v), PM_OK);
    pm_matrix_free(&a);
    pm_triples t = {.field = PM_REAL, .nrows = 1, .ncols = 1};
    pm_dyadic half = {0};
    pm_dyadic_set_d(&half, 0.5);
    assert_int_equal(pm_triples_add(&t, 0, 0, 0, &half, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    assert_int_equal(count_by(&a, "rook", false, 0, &v), PM_UNABLE);
    pm_matrix_free(&a);
    pm_value_clear(&v);
}

/* The board itself: cells c - entry, twins written out, no empty lines. */
static void boards(void **state)
{
    (void)state;
    static const int32_t row_cap[] = {2, 1, 1}, col_cap[] = {1, 1, 1, 1};
    pm_triples t = {.field = PM_INTEGER, .nrows = 3, .ncols = 4};
    static const int64_t entry[3][4] = {{5, 5, 2, 5}, {5, 5, 5, 5}, {5, 5, 5, 0}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) {
            pm_dyadic x = {0};
            pm_dyadic_set_si(&x, entry[i][j]);
            if (entry[i][j])
                assert_int_equal(pm_triples_add(&t, i, j, 0, &x, NULL, NULL), PM_OK);
        }
    pm_block b = {.row_cap = (int32_t *)row_cap, .col_cap = (int32_t *)col_cap, .n = 4};
    pm_rook_board board;
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &b.a, NULL), PM_OK);
    assert_int_equal(pm_rook_board_make(&b, &board, NULL), PM_OK);
    assert_int_equal(board.c.m.small, 5);
    assert_int_equal(board.n, 4);
    assert_int_equal(board.b.a.nrows, 3);
    assert_int_equal(board.b.a.ncols, 2);
    assert_int_equal(pm_matrix_nnz(&board.b.a), 3);
    assert_int_equal(board.b.a.re[0].m.small, 3);
    assert_int_equal(board.b.a.re[1].m.small, 3);
    assert_int_equal(board.b.a.re[2].m.small, 5);
    pm_rook_board_free(&board);
    pm_matrix_free(&b.a);
    pm_triples_free(&t);
}

/* An integer matrix of 1, but for one element that is so large that its difference to 1 has too many digits. */
static void differences_out_of_range(void **state)
{
    (void)state;
    static const int32_t once[] = {1, 1, 1};
    pm_triples t = {.field = PM_INTEGER, .nrows = 3, .ncols = 3};
    for (int i = 0; i < 9; ++i) {
        pm_dyadic x = {0};
        pm_dyadic_set_si(&x, 1);
        if (i == 4)
            pm_dyadic_mul_2exp(&x, INT32_MAX);
        assert_int_equal(pm_triples_add(&t, i / 3, i % 3, 0, &x, NULL, NULL), PM_OK);
    }
    pm_block b = {.row_cap = (int32_t *)once, .col_cap = (int32_t *)once, .n = 3};
    pm_rook_board board;
    pm_error err;
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &b.a, NULL), PM_OK);
    pm_memory_set_limit(INT64_C(64) << 20); /* the digits take 256 MiB */
    assert_int_equal(pm_rook_board_make(&b, &board, &err), PM_UNABLE);
    pm_memory_set_limit(0);
    assert_non_null(strstr(err.msg, "its digits do not fit into memory"));
    pm_matrix_free(&b.a);
    pm_triples_free(&t);
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards),
        cmocka_unit_test(differences_out_of_range),
        cmocka_unit_test(against_definition),
        cmocka_unit_test(against_ryser),
        cmocka_unit_test(known_numbers),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("rook", tests, NULL, NULL);
}
