/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planar and nearly planar graphs, in every field and relabelled: the determinant against the
 * frontier and against the definition.  PM_TEST_SEED repeats a run, PM_TEST_ROUNDS multiplies the
 * rounds. */
#include "config.h"

#include "pm/alloc.h"
#include "pm/count.h"
#include "reference/textbook.h"
#include "support/answers.h"
#include "support/planar_graphs.h"

static uint64_t rng;

static pm_count_options with(const char *algorithm)
{
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.seed = pm_rng_next(&rng);
    return o;
}

static pm_count_options with_any_reductions(const char *algorithm)
{
    pm_count_options o = with(algorithm);
    o.transpose = pm_rng_below(&rng, 2);
    if (pm_rng_below(&rng, 2))
        o.reduce = (pm_reduce_options){.blocks = pm_rng_below(&rng, 2),
                                       .degree1 = pm_rng_below(&rng, 2),
                                       .degree2 = pm_rng_below(&rng, 2),
                                       .twins = pm_rng_below(&rng, 2)};
    return o;
}

static void count(const pm_matrix *a, const pm_count_options *o, int threads, pm_value *v)
{
    pm_error err = {.msg = ""};
    pm_run run = {.threads = threads};
    pm_status rc = pm_count(a, o, &run, v, NULL, &err);
    if (rc)
        print_error("%s\n", err.msg);
    assert_int_equal(rc, PM_OK);
}

static void against_definition(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(2000); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_field field = (pm_field)(round % 4);
        random_planar(&rng, field, 6 + (int)pm_rng_below(&rng, 15), round % 3 == 0, &a);
        if (a.nrows == a.ncols && a.nrows <= 11) {
            pm_count_options o = with_any_reductions("planar");
            pm_value_init(&v);
            textbook_transfer_matrix(&a, &exact);
            count(&a, &o, 1 + round % 2, &v);
            if (!agrees(&v, &exact))
                print_error("round %d, n = %d\n", round, (int)a.nrows);
            assert_true(agrees(&v, &exact));
            pm_cnum_clear(&exact);
            pm_value_clear(&v);
        }
        pm_matrix_free(&a);
    }
}

static void against_frontier(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_matrix a;
        pm_value x, y, z;
        pm_field field = (pm_field)(round % 4);
        random_planar(&rng, field, 30 + (int)pm_rng_below(&rng, 90), round % 8 == 0, &a);
        pm_count_options planar = with_any_reductions("planar"), frontier = with("frontier");
        pm_count_options any = with(NULL);
        pm_value_init(&x);
        pm_value_init(&y);
        pm_value_init(&z);
        count(&a, &planar, 2, &x);
        count(&a, &frontier, 1, &y);
        count(&a, &any, 2, &z);
        if (!values_agree(&x, &y))
            print_error("round %d, n = %d\n", round, (int)a.nrows);
        assert_true(values_agree(&x, &y));
        assert_true(values_agree(&x, &z));
        pm_value_clear(&x);
        pm_value_clear(&y);
        pm_value_clear(&z);
        pm_matrix_free(&a);
    }
}

/* Two equal or proportional hubs, one on either side of a ring, whose weights are far from each
 * other: merged, and written out again. */
static void weighted_twins(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        int ring = 3 + (int)pm_rng_below(&rng, 5), n = ring + 2;
        double ratio = pm_rng_below(&rng, 2) ? 0x3p-20 : 1;
        pm_triples t = {.field = PM_REAL, .nrows = n, .ncols = n};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                bool hub = i < 2 && j < ring, side = i >= 2 && (j == i - 2 || j == (i - 1) % ring);
                bool tail = j >= ring && i >= 2 && i - 2 == j - ring;
                pm_dyadic w = {0};
                if (!hub && !side && !tail)
                    continue;
                pm_dyadic_set_d(&w, hub ? (j + 1.25) * (i ? ratio : 1) : pm_rng_unit(&rng));
                pm_dyadic_mul_2exp(&w, 7 * j); /* columns of different sizes */
                pm_triples_add(&t, i, j, 0, &w, NULL, NULL);
            }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
        pm_triples_free(&t);
        pm_count_options o = with("planar");
        o.reduce = (pm_reduce_options){.twins = true};
        o.transpose = round % 2;
        pm_value_init(&v);
        textbook_transfer_matrix(&a, &exact);
        count(&a, &o, 1, &v);
        assert_true(agrees(&v, &exact));
        pm_cnum_clear(&exact);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* Real and complex answers are rounded once: the error is 2^-98 of the value at most. */
static void rounded_once(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_matrix a;
        pm_value v;
        pm_field field = round % 2 ? PM_REAL : PM_COMPLEX;
        random_planar(&rng, field, 20 + (int)pm_rng_below(&rng, 80), false, &a);
        pm_count_options o = with("planar");
        o.reduce = (pm_reduce_options){0};
        pm_value_init(&v);
        count(&a, &o, 2, &v);
        pm_xreal size = pm_xreal_add(pm_xreal_abs(v.re), pm_xreal_abs(v.im));
        pm_xreal most = pm_xreal_mul(size, pm_xreal_make(0x1p-98, 0, 0));
        assert_true(pm_xreal_cmpabs(v.error, most) <= 0);
        assert_false(v.is_estimated);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* ---- nearly planar ---- */

static void compare(const pm_matrix *a, const pm_count_options *x, const pm_count_options *y)
{
    pm_value v, w;
    pm_value_init(&v);
    pm_value_init(&w);
    count(a, x, 2, &v);
    count(a, y, 1, &w);
    assert_true(values_agree(&v, &w));
    pm_value_clear(&v);
    pm_value_clear(&w);
}

static void split_against_definition(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(1500); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        random_planar(&rng, (pm_field)(round % 4), 6 + (int)pm_rng_below(&rng, 10), false, &a);
        add_chords(&rng, 1 + (int)pm_rng_below(&rng, 8), round % 5 == 0, &a);
        if (a.nrows <= 9) {
            pm_count_options o = with_any_reductions("planar");
            pm_value_init(&v);
            textbook_transfer_matrix(&a, &exact);
            count(&a, &o, 1 + round % 2, &v);
            if (!agrees(&v, &exact))
                print_error("round %d, n = %d\n", round, (int)a.nrows);
            assert_true(agrees(&v, &exact));
            pm_cnum_clear(&exact);
            pm_value_clear(&v);
        }
        pm_matrix_free(&a);
    }
}

static void split_against_frontier(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_matrix a;
        random_planar(&rng, (pm_field)(round % 4), 30 + (int)pm_rng_below(&rng, 60), false, &a);
        add_chords(&rng, 1 + round % 8, round % 5 == 0, &a);
        pm_count_options planar = with_any_reductions("planar"), frontier = with("frontier");
        compare(&a, &planar, &frontier);
        pm_matrix_free(&a);
    }
}

/* A strip of squares whose ends are joined the other way round. */
static void make_moebius(pm_field field, int width, int length, pm_matrix *out)
{
    pm_triples t = {.field = field, .nrows = width * length / 2, .ncols = width * length / 2};
    int32_t number[200], sides[2] = {0, 0};
    for (int x = 0; x < width * length; ++x)
        number[x] = sides[(x / length + x % length) % 2]++;
    for (int i = 0; i < width; ++i)
        for (int j = 0; j < length; ++j)
            for (int d = 0; d < 2; ++d) {
                int x = i * length + j, y = d ? x + length : x + 1;
                if (d && i + 1 == width)
                    continue;
                if (!d && j + 1 == length)
                    y = (width - 1 - i) * length;
                int odd = (i + j) % 2;
                add_drawn(&t, &rng, number[odd ? y : x], number[odd ? x : y]);
            }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "strip", out, NULL), PM_OK);
    pm_triples_free(&t);
}

static void moebius_strips(void **state)
{
    (void)state;
    for (int width = 2; width <= 5; ++width)
        for (int length = 5; length <= 30; length += 5) {
            pm_matrix a;
            /* one even and one odd: the graph is bipartite */
            make_moebius((pm_field)(length % 4), width, length + (width + length + 1) % 2, &a);
            pm_count_options planar = with("planar"), frontier = with("frontier");
            planar.reduce = (pm_reduce_options){0};
            compare(&a, &planar, &frontier);
            pm_matrix_free(&a);
        }
}

/* ---- boards of any size ---- */

static void make_board(int rows, int cols, pm_matrix *out)
{
    pm_triples t = {.nrows = (rows * cols + 1) / 2, .ncols = rows * cols / 2};
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
            for (int d = 0; d < 2; ++d) {
                int x = i * cols + j, y = d ? x + cols : x + 1;
                if (d ? i + 1 == rows : j + 1 == cols)
                    continue;
                /* cells that stand before them on their side */
                int odd = (i + j) % 2, other = odd ? x : y, mine = odd ? y : x;
                int row = 0, col = 0;
                for (int c = 0; c < rows * cols; ++c) {
                    row += c < mine && (c / cols + c % cols) % 2 == 0;
                    col += c < other && (c / cols + c % cols) % 2 == 1;
                }
                assert_int_equal(pm_triples_add(&t, row, col, 0, NULL, NULL, NULL), PM_OK);
            }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "board", out, NULL), PM_OK);
    pm_triples_free(&t);
}

enum { SIDE = 30 };
typedef mpz_t square[SIDE][SIDE];

/* |det a| of n x n integers, without fractions (Bareiss 1968); a is used up. */
static void determinant(square a, int n, mpz_t out)
{
    mpz_t before, t;
    mpz_init_set_ui(before, 1);
    mpz_init(t);
    mpz_set_ui(out, 1);
    for (int k = 0; k < n && mpz_sgn(out); ++k) {
        int r = k;
        while (r < n && mpz_sgn(a[r][k]) == 0)
            ++r;
        if (r == n) {
            mpz_set_ui(out, 0);
            break;
        }
        for (int j = 0; j < n; ++j)
            mpz_swap(a[r][j], a[k][j]);
        for (int i = k + 1; i < n; ++i)
            for (int j = k + 1; j < n; ++j) {
                mpz_mul(t, a[i][j], a[k][k]);
                mpz_submul(t, a[i][k], a[k][j]);
                mpz_divexact(a[i][j], t, before);
            }
        mpz_set(before, a[k][k]);
    }
    if (mpz_sgn(out))
        mpz_abs(out, before);
    mpz_clears(before, t, NULL);
}

/* Kasteleyn's product over all j, k of 2 cos(pi j / (m + 1)) + 2i cos(pi k / (n + 1)) is the square
 * of the number of tilings.  Over k alone it is a Fibonacci polynomial, F_0 = 1, F_1 = x,
 * F_(n+1) = x F_n + F_(n-1); and the first cosines are the eigenvalues of a path of m vertices.
 * count[n]: from det F_n(path), for n = 1 .. SIDE. */
static void count_tilings(int m, mpz_t *count)
{
    static square f[3], copy;
    for (int s = 0; s < 3; ++s)
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < m; ++j)
                mpz_init_set_ui(f[s][i][j], s == 0 && i == j);
    for (int n = 1; n <= SIDE; ++n) {
        square *last = &f[(n + 2) % 3], *before = &f[(n + 1) % 3], *now = &f[n % 3];
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < m; ++j) {
                mpz_set_ui((*now)[i][j], 0);
                if (n > 1)
                    mpz_set((*now)[i][j], (*before)[i][j]);
                if (i > 0)
                    mpz_add((*now)[i][j], (*now)[i][j], (*last)[i - 1][j]);
                if (i + 1 < m)
                    mpz_add((*now)[i][j], (*now)[i][j], (*last)[i + 1][j]);
                mpz_init_set(copy[i][j], (*now)[i][j]);
            }
        determinant(copy, m, count[n]);
        mpz_sqrt(count[n], count[n]);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < m; ++j)
                mpz_clear(copy[i][j]);
    }
    for (int s = 0; s < 3; ++s)
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < m; ++j)
                mpz_clear(f[s][i][j]);
}

static void boards(void **state)
{
    (void)state;
    mpz_t wanted[SIDE + 1];
    for (int n = 0; n <= SIDE; ++n)
        mpz_init(wanted[n]);
    for (int m = 1; m <= SIDE; ++m) {
        count_tilings(m, wanted);
        for (int n = m; n <= SIDE; ++n) {
            pm_matrix a;
            pm_value v;
            pm_count_options o = with("planar");
            if (m * n % 2)
                continue;
            make_board(m, n, &a);
            pm_value_init(&v);
            count(&a, &o, 1, &v);
            assert_int_equal(mpz_cmp(mpq_numref(v.exact), wanted[n]), 0);
            pm_value_clear(&v);
            pm_matrix_free(&a);
        }
    }
    for (int n = 0; n <= SIDE; ++n)
        mpz_clear(wanted[n]);
}

static void threads_and_ways_change_no_digit(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(40); ++round) {
        pm_matrix a;
        pm_value x, y;
        pm_run run = {.threads = 2};
        random_planar(&rng, (pm_field)(round % 4), round % 3 ? 200 : 60, false, &a);
        if (round % 3 == 0)
            add_chords(&rng, 4, false, &a);
        pm_count_options o = with("planar");
        pm_value_init(&x);
        pm_value_init(&y);
        count(&a, &o, 1, &x);
        count(&a, &o, 3, &y);
        assert_true(mpq_equal(x.exact, y.exact));
        assert_memory_equal(&x.re, &y.re, sizeof x.re);
        assert_memory_equal(&x.im, &y.im, sizeof x.im);
        assert_int_equal(pm_count_verify(&a, &o, &run, &x, NULL), PM_OK);
        pm_value_clear(&x);
        pm_value_clear(&y);
        pm_matrix_free(&a);
    }
}

static void any_modulus(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_matrix a;
        pm_value whole, residue;
        random_planar(&rng, (pm_field)(round % 2), 10 + (int)pm_rng_below(&rng, 40), false, &a);
        add_chords(&rng, round % 3 ? 0 : 3, false, &a);
        pm_count_options o = with_any_reductions("planar");
        pm_value_init(&whole);
        pm_value_init(&residue);
        count(&a, &o, 1, &whole);
        o.modulus = 2 + pm_rng_next(&rng) % ((UINT64_C(1) << (1 + pm_rng_below(&rng, 61))) - 1);
        count(&a, &o, 2, &residue);
        assert_int_equal(mpz_fdiv_ui(mpq_numref(whole.exact), o.modulus),
                         mpz_get_ui(mpq_numref(residue.exact)));
        pm_value_clear(&whole);
        pm_value_clear(&residue);
        pm_matrix_free(&a);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; ++kind) {
        pm_matrix a;
        pm_value v;
        pm_run run = {.threads = 1};
        random_planar(&rng, (pm_field)(kind % 4), 40, false, &a);
        add_chords(&rng, kind < 4 ? 0 : 3, false, &a);
        pm_count_options o = with("planar");
        pm_value_init(&v);
        pm_status rc = PM_ENOMEM;
        for (int64_t k = 1; rc; ++k) {
            pm_count_report report = {0};
            pm_alloc_fail_at(k);
            rc = pm_count(&a, &o, &run, &v, &report, NULL);
            pm_alloc_fail_at(0);
            assert_true(rc == PM_OK || rc == PM_ENOMEM);
            pm_count_report_free(&report);
        }
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_definition),
        cmocka_unit_test(against_frontier),
        cmocka_unit_test(weighted_twins),
        cmocka_unit_test(rounded_once),
        cmocka_unit_test(split_against_definition),
        cmocka_unit_test(split_against_frontier),
        cmocka_unit_test(moebius_strips),
        cmocka_unit_test(boards),
        cmocka_unit_test(threads_and_ways_change_no_digit),
        cmocka_unit_test(any_modulus),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("planar", tests, NULL, NULL);
}
