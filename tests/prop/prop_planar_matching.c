/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random perfect matchings of planar graphs and tori: each comes as often as its weight says.  Small graphs against all
 * their matchings (chi-square), larger ones against the counts of the graph without an edge or two. False alarm: 3e-7 a
 * run: 27 p values below FREQUENCIES_CHANCE = 1e-9 once in 10^9 each, 241 frequencies and two sums that miss their
 * bounds once in 10^9 each. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "elimination/root_inverse.h"
#include "matchings/planar_matching.h"
#include "matchings/planar_region.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "support/aztec_diamonds.h"
#include "support/graphs.h"
#include "support/matching_frequencies.h"
#include "support/testing.h"

enum { DRAWS = 1500, MISS = 1000000000 };

/* ---- graphs ---- */

static void shuffle(uint64_t *rng, int32_t *to, int n)
{
    for (int i = 0; i < n; ++i)
        to[i] = i;
    for (int i = n - 1; i > 0; --i) {
        const int j = (int)pm_rng_below(rng, (uint32_t)i + 1);
        const int32_t swap = to[i];
        to[i] = to[j];
        to[j] = swap;
    }
}

/* A weighted edge between two cells. */
static void add_edge(uint64_t *rng, pm_field field, int row, int col, pm_triples *t)
{
    pm_dyadic w = {0};
    pm_dyadic_set_si(&w, 1 + (long)pm_rng_below(rng, 9));
    if (field == PM_REAL)
        w.exp += (int32_t)pm_rng_below(rng, 5) - 2;
    graphs_must(pm_triples_add(t, row, col, 0, field == PM_PATTERN ? NULL : &w, NULL, NULL), NULL);
    pm_dyadic_clear(&w);
}

/* rows x cols cells without some of their edges, in any sequence; the cells of one tiling keep their edges.  An even
 * number of columns. */
static void board(uint64_t *rng, pm_field field, int rows, int cols, double chance, pm_matrix *out)
{
    const int n = rows * cols / 2;
    int32_t row[1000], col[1000];
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    shuffle(rng, row, n);
    shuffle(rng, col, n);
    for (int x = 0; x < rows; ++x)
        for (int y = 0; y < cols; ++y)
            for (int down = 0; down < 2; ++down) {
                const int u = x + down, v = y + !down;
                const bool is_tile = !down && y % 2 == 0;
                if (u >= rows || v >= cols || (!is_tile && pm_rng_unit(rng) >= chance))
                    continue;
                const int black = (x + y) % 2 ? (x * cols + y) / 2 : (u * cols + v) / 2;
                const int white = (x + y) % 2 ? (u * cols + v) / 2 : (x * cols + y) / 2;
                add_edge(rng, field, row[black], col[white], &t);
            }
    graphs_must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", out, NULL), NULL);
}

/* rows x cols cells on a torus, in any sequence: a square lattice, or a hexagonal one as a wall of bricks.  rows and
 * cols are even, at least 4. */
static void torus(uint64_t *rng, pm_field field, bool is_hexagonal, int rows, int cols,
                  pm_matrix *out)
{
    const int n = rows * cols / 2;
    int32_t row[1000], col[1000];
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    shuffle(rng, row, n);
    shuffle(rng, col, n);
    for (int x = 0; x < rows; ++x)
        for (int y = 0; y < cols; ++y)
            for (int down = 0; down < 2; ++down) {
                const int u = (x + down) % rows, v = (y + !down) % cols;
                const bool is_row = (x + y) % 2;
                if (is_hexagonal && down && is_row)
                    continue;
                const int black = (is_row ? x * cols + y : u * cols + v) / 2;
                const int white = (is_row ? u * cols + v : x * cols + y) / 2;
                add_edge(rng, field, row[black], col[white], &t);
            }
    graphs_must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", out, NULL), NULL);
}

/* rows x cols vertices of one set in any sequence, with edges along and down and one of the diagonals of each square,
 * each with this chance; those of one tiling are kept.  On a torus every edge is kept, and the diagonals are those to
 * the right if has_diagonals.  An even number of columns. */
static void lattice(uint64_t *rng, pm_field field, bool on_torus, bool has_diagonals, int rows,
                    int cols, double chance, pm_matrix *out)
{
    const int n = rows * cols;
    int32_t at[1000];
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    shuffle(rng, at, n);
    for (int x = 0; x < rows; ++x)
        for (int y = 0; y < cols; ++y)
            for (int way = 0; way < 3; ++way) {
                /* 0: along, 1: down, 2: a diagonal of the square to the right and below */
                const bool is_left = way == 2 && !on_torus && pm_rng_below(rng, 2);
                int u = x + (way > 0), v = y + (way != 1), w = y;
                if (!on_torus && (u >= rows || v >= cols))
                    continue;
                if (way == 2 && !has_diagonals)
                    continue;
                if (is_left)
                    w = y + 1, v = y;
                if (!on_torus && !(way == 0 && y % 2 == 0) && pm_rng_unit(rng) >= chance)
                    continue;
                u %= rows;
                v %= cols;
                const int32_t i = at[x * cols + w], j = at[u * cols + v];
                const uint64_t weight = pm_rng_next(rng);
                uint64_t same = weight;
                add_edge(&same, field, i, j, &t);
                same = weight;
                add_edge(&same, field, j, i, &t);
            }
    graphs_must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", out, NULL), NULL);
}

static pm_field field_of(int round)
{
    static const pm_field fields[] = {PM_PATTERN, PM_INTEGER, PM_REAL};
    return fields[round % 3];
}

/* ---- small graphs ---- */

/* Draws from one graph.  max_memory: of the run; with 1 byte vertices are drawn one by one, each with an inverse of its
 * own. */
static void draw_small(frequencies *f, const pm_matrix *a, bool is_general, uint64_t seed,
                       int64_t max_memory)
{
    const pm_run run = {.threads = 1, .max_memory = max_memory};
    pm_planar_matching *m;
    pm_error err;
    matching_list l;
    matching_list_make(a, is_general, &l);
    graphs_must(pm_planar_matching_make(a, is_general, seed, 3, &run, &m, &err), &err);
    for (uint64_t i = 0; i < DRAWS; ++i) {
        int32_t col_of[FREQUENCIES_MAX_N];
        graphs_must(pm_planar_matching_draw(m, i, &run, col_of, &err), &err);
        matching_list_see(&l, col_of);
    }
    frequencies_add(f, &l);
    matching_list_free(&l);
    pm_planar_matching_free(m);
}

static void check_small(int64_t memory)
{
    uint64_t rng = test_seed();
    frequencies f = {0};
    for (int round = 0, rounds = test_rounds(memory ? 4 : 8); round < rounds; ++round) {
        pm_matrix a;
        board(&rng, field_of(round), 2 + (int)pm_rng_below(&rng, 2), 4, 0.9, &a);
        draw_small(&f, &a, false, rng, memory);
        pm_matrix_free(&a);
    }
    frequencies_end(&f);
}

static void every_matching_as_often_as_it_weighs(void **state)
{
    (void)state;
    check_small(0);
}

static void vertices_one_by_one(void **state)
{
    (void)state;
    check_small(1);
}

/* 4 x 4 cells on a torus, at once and one by one.  Without weights one of the four determinants is 0. */
static void small_tori(void **state)
{
    uint64_t rng = test_seed();
    frequencies f = {0};
    (void)state;
    for (int round = 0, rounds = test_rounds(4); round < rounds; ++round) {
        pm_matrix a;
        torus(&rng, field_of(round), false, 4, 4, &a);
        draw_small(&f, &a, false, rng, round % 2);
        pm_matrix_free(&a);
    }
    frequencies_end(&f);
}

/* Graphs with odd cycles: in the plane, and 4 x 4 and 3 x 4 vertices on a torus. */
static void small_graphs_with_odd_cycles(void **state)
{
    uint64_t rng = test_seed();
    frequencies f = {0};
    (void)state;
    for (int round = 0, rounds = test_rounds(8); round < rounds; ++round) {
        const int64_t max_memory = round % 4 == 1;
        pm_matrix a;
        if (round % 2)
            lattice(&rng, field_of(round), true, false, 3, 4, 1, &a);
        else
            lattice(&rng, field_of(round), false, true, 2 + (int)pm_rng_below(&rng, 2), 4, 0.9, &a);
        draw_small(&f, &a, true, rng, max_memory);
        pm_matrix_free(&a);
    }
    frequencies_end(&f);
}

/* ---- larger graphs ---- */

/* Whether entry (i, j) is the edge of this matched row, or has no end in common with it. */
static bool keeps(bool is_general, int32_t i, int32_t j, int32_t row, int32_t col)
{
    if (is_general)
        return (i == row || i == col) == (j == row || j == col);
    return (i == row) == (j == col);
}

/* The logarithm of the weighted count of the matchings with the edges of these matched rows; -INFINITY if it is 0. */
static double log_count_with(const pm_matrix *a, bool is_general, const int32_t *col_of,
                             const int32_t *rows, int count)
{
    pm_triples t = {.field = a->field, .nrows = a->nrows, .ncols = a->ncols};
    pm_matrix rest;
    pm_dyadic w = {0};
    pm_value v;
    pm_count_options o = pm_count_defaults();
    o.general = is_general;
    pm_value_init(&v);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            bool stays = true;
            for (int e = 0; e < count; ++e)
                stays =
                    stays && keeps(is_general, (int32_t)i, a->colind[k], rows[e], col_of[rows[e]]);
            if (!stays)
                continue;
            if (a->re)
                pm_dyadic_set(&w, &a->re[k]);
            graphs_must(pm_triples_add(&t, i, a->colind[k], 0, a->re ? &w : NULL, NULL, NULL),
                        NULL);
        }
    graphs_must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &rest, NULL), NULL);
    graphs_must(pm_count(&rest, &o, NULL, &v, NULL, NULL), NULL);
    const double result = pm_value_log10_abs(&v);
    pm_value_clear(&v);
    pm_matrix_free(&rest);
    return result;
}

/* Bernstein's bound: n draws with chance p miss it once in MISS. */
static void check_frequency(int seen, int n, double p)
{
    const double l = log(2.0 * MISS);
    assert_true(fabs(seen - n * p) <= sqrt(2 * n * p * (1 - p) * l + l * l / 9) + l / 3 + 1e-6 * n);
}

/* Pairs of edges of one matching: how often both are in another one. */
static void check_pairs(uint64_t *rng, const pm_matrix *a, bool is_general, int64_t max_memory)
{
    enum { PAIRS = 20, FEW = 100 };
    const pm_run run = {.threads = 1, .max_memory = max_memory};
    pm_planar_matching *m;
    int32_t first[1000], col_of[1000], pair[PAIRS][2];
    int seen[PAIRS] = {0};
    graphs_must(pm_planar_matching_make(a, is_general, *rng, 0, &run, &m, NULL), NULL);
    graphs_must(pm_planar_matching_draw(m, UINT64_MAX, &run, first, NULL), NULL);
    for (int i = 0; i < PAIRS; ++i)
        for (int e = 0; e < 2; ++e)
            pair[i][e] = (int32_t)pm_rng_below(rng, (uint32_t)a->nrows);
    for (uint64_t s = 0; s < FEW; ++s) {
        graphs_must(pm_planar_matching_draw(m, s, &run, col_of, NULL), NULL);
        for (int i = 0; i < PAIRS; ++i)
            seen[i] +=
                col_of[pair[i][0]] == first[pair[i][0]] && col_of[pair[i][1]] == first[pair[i][1]];
    }
    const double all = log_count_with(a, is_general, first, NULL, 0);
    for (int i = 0; i < PAIRS; ++i)
        check_frequency(seen[i], FEW,
                        pow(10, log_count_with(a, is_general, first, pair[i], 2) - all));
    pm_planar_matching_free(m);
}

static void pairs_of_edges(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = 0, rounds = test_rounds(4); round < rounds; ++round) {
        pm_matrix a;
        board(&rng, field_of(round), 8, 14, round % 3 ? 0.9 : 1, &a);
        check_pairs(&rng, &a, false, round % 2 ? 1 << 20 : 0);
        pm_matrix_free(&a);
    }
}

/* Tori of more rows than are drawn in one step. */
static void pairs_of_edges_on_tori(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = 0, rounds = test_rounds(4); round < rounds; ++round) {
        pm_matrix a;
        torus(&rng, field_of(round / 2), round % 2, 6 + 2 * (int)pm_rng_below(&rng, 2), 10, &a);
        check_pairs(&rng, &a, false, round % 4 ? 0 : 1 << 18);
        pm_matrix_free(&a);
    }
}

/* Graphs with odd cycles, in the plane and triangular lattices on tori. */
static void pairs_of_edges_with_odd_cycles(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = 0, rounds = test_rounds(4); round < rounds; ++round) {
        pm_matrix a;
        const bool on_torus = round % 2;
        lattice(&rng, field_of(round / 2), on_torus, true, on_torus ? 5 : 8,
                on_torus ? 6 + 2 * (int)pm_rng_below(&rng, 2) : 14, 0.9, &a);
        check_pairs(&rng, &a, true, round % 4 ? 0 : 1 << 18);
        pm_matrix_free(&a);
    }
}

/* Of all tilings of an Aztec diamond of order n, n (n + 1) / 2 over k have k pairs of dominoes of one direction
 * (Elkies, Kuperberg, Larsen and Propp 1992, theorem for AD(n; x)), although most of the dominoes near its corners are
 * certain. So k has the mean and the variance of as many tosses of a coin.  The sum of the squares: above by Hsu,
 * Kakade and Zhang 2012, theorem 1, as k is sub-Gaussian; below by Maurer 2003, theorem 1, with a fourth moment of at
 * most 3. */
static void directions_in_aztec_diamonds(void **state)
{
    enum { ORDER = 6, PAIRS = ORDER * (ORDER + 1) / 2 };
    const int draws = test_rounds(400);
    const double l = log(MISS);
    int all = 0;
    double squares = 0;
    pm_matrix a;
    pm_planar_matching *m;
    (void)state;
    aztec_diamond(ORDER, NULL, &a);
    graphs_must(pm_planar_matching_make(&a, false, test_seed(), 0, NULL, &m, NULL), NULL);
    for (int s = 0; s < draws; ++s) {
        int32_t col_of[2 * PAIRS];
        uint8_t edge[4 * ORDER * ORDER];
        int along = 0;
        graphs_must(pm_planar_matching_draw(m, (uint64_t)s, NULL, col_of, NULL), NULL);
        aztec_edges(ORDER, col_of, edge);
        for (int r = 0; r < 2 * ORDER; ++r)
            for (int c = 0; c < 2 * ORDER; ++c)
                along += (r + c) % 2 == 0 && edge[r * 2 * ORDER + c];
        assert_int_equal(along % 2, 0);
        all += along / 2;
        squares += pow(along - PAIRS, 2) / PAIRS; /* of the normalised number, its mean is 1 */
    }
    check_frequency(all, draws * PAIRS, 0.5);
    assert_true(squares <= draws + 2 * sqrt(draws * l) + 2 * l);
    assert_true(squares >= draws - sqrt(6 * draws * l));
    pm_planar_matching_free(m);
    pm_matrix_free(&a);
}

/* Every draw is a perfect matching; draws depend on seed, block and number alone, not on threads.  With little memory
 * they are others. */
static void the_same_draws(void **state)
{
    enum { SIDE = 30, N = SIDE * SIDE / 2 };
    uint64_t rng = test_seed();
    pm_matrix a;
    pm_planar_matching *m;
    int32_t col_of[2][N];
    (void)state;
    board(&rng, PM_INTEGER, SIDE, SIDE, 0.95, &a);
    graphs_must(pm_planar_matching_make(&a, false, rng, 0, NULL, &m, NULL), NULL);
    for (uint64_t s = 0; s < 3; ++s) {
        const pm_run run[2] = {{.threads = 1}, {.threads = 2, .max_memory = s ? 0 : 1 << 20}};
        char taken[N] = {0};
        for (int i = 0; i < 2; ++i)
            graphs_must(pm_planar_matching_draw(m, s, &run[i], col_of[i], NULL), NULL);
        if (run[1].max_memory == 0)
            assert_memory_equal(col_of[0], col_of[1], sizeof col_of[0]);
        for (int i = 0; i < N; ++i) {
            assert_true(entry_at(&a, i, col_of[1][i]) >= 0);
            assert_false(taken[col_of[1][i]]);
            taken[col_of[1][i]] = 1;
        }
    }
    pm_planar_matching_free(m);
    pm_matrix_free(&a);
}

/* ---- plans ---- */

/* A cycle of 2n - 2 vertices; one more row is adjacent to all its columns, one more column to all its rows. */
static void two_hubs(int n, pm_matrix *out)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    for (int i = 0; i < n - 1; ++i) {
        graphs_must(pm_triples_add(&t, i, i, 0, NULL, NULL, NULL), NULL);
        graphs_must(pm_triples_add(&t, i, (i + 1) % (n - 1), 0, NULL, NULL, NULL), NULL);
        graphs_must(pm_triples_add(&t, i, n - 1, 0, NULL, NULL, NULL), NULL);
        graphs_must(pm_triples_add(&t, n - 1, i, 0, NULL, NULL, NULL), NULL);
    }
    graphs_must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", out, NULL), NULL);
}

/* All vertices are to be drawn: as many as fit are chosen; if none fits, one, but no hub. */
static void plans_fit_into_memory(void **state)
{
    enum { N = 50 };
    pm_matrix a;
    int64_t colptr[N + 1] = {0}, entry[4 * N];
    int32_t rowind[4 * N], row[N], col[N], local[2 * N];
    uint8_t sign[4 * N] = {0}, mark[2 * N];
    (void)state;
    two_hubs(N, &a);
    for (int32_t j = 0; j < N; ++j) {
        row[j] = col[j] = j;
        colptr[j + 1] = colptr[j];
        for (int32_t i = 0; i < N; ++i)
            if (entry_at(&a, i, j) >= 0) {
                rowind[colptr[j + 1]] = i;
                entry[colptr[j + 1]++] = entry_at(&a, i, j);
            }
    }
    const pm_signed_graph g = {
        .a = &a, .classes = 1, .sign = sign, .colptr = colptr, .rowind = rowind, .entry = entry};
    const pm_region r = {.n = N, .row = row, .col = col, .bits = 100, .classes = 1};
    const pm_root_signs plain = {.classes = 1};
    for (int32_t fit = 0; fit <= N; ++fit) {
        pm_region_plan p;
        memset(mark, PM_VERTEX_PLANNED, sizeof mark);
        graphs_must(pm_region_plan_make(&g, &r, mark, local,
                                        pm_root_inverse_bytes(fit, false, plain, r.bits), NULL, &p,
                                        NULL),
                    NULL);
        assert_true(p.kept <= (fit > 3 ? fit : 3));
        assert_true(p.drawn >= 1);
        assert_true(fit < 3 ? p.drawn == 1 : p.kept >= fit - 2);
        assert_true(fit < N || p.drawn == 2 * N);
        pm_region_plan_free(&p);
    }
    pm_matrix_free(&a);
}

/* ---- failures ---- */

static void not_planar(void **state)
{
    pm_matrix a;
    pm_planar_matching *m;
    pm_error err = {.msg = ""};
    (void)state;
    dense_graph(4, 1, 1, &a);
    assert_int_equal(pm_planar_matching_make(&a, false, 1, 0, NULL, &m, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "not planar"));
    pm_matrix_free(&a);
}

static void stops(void **state)
{
    pm_matrix a;
    pm_planar_matching *m;
    int32_t col_of[1000];
    const pm_run late = {.deadline = 1e-9};
    (void)state;
    grid_graph(20, 20, &a);
    graphs_must(pm_planar_matching_make(&a, false, 1, 0, NULL, &m, NULL), NULL);
    assert_int_equal(pm_planar_matching_draw(m, 0, &late, col_of, NULL), PM_ESTOPPED);
    pm_planar_matching_free(m);
    pm_matrix_free(&a);
}

static void fail_in_turn(const pm_matrix *a, bool is_general)
{
    const pm_run run = {.threads = 1};
    pm_status rc = PM_ENOMEM;
    int failures = 0;
    for (int64_t k = 1; rc != PM_OK; ++k) {
        pm_planar_matching *m = NULL;
        pm_error err = {.msg = ""};
        int32_t col_of[32];
        pm_alloc_fail_at(k);
        rc = pm_planar_matching_make(a, is_general, 1, 0, &run, &m, &err);
        if (rc == PM_OK)
            rc = pm_planar_matching_draw(m, 0, &run, col_of, &err);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || (rc == PM_ENOMEM && strlen(err.msg) > 0));
        failures += rc != PM_OK;
        pm_planar_matching_free(m);
    }
    assert_true(failures > 20);
}

static void every_allocation_may_fail(void **state)
{
    uint64_t rng = test_seed();
    pm_matrix a;
    (void)state;
    grid_graph(8, 8, &a);
    fail_in_turn(&a, false);
    pm_matrix_free(&a);
    torus(&rng, PM_INTEGER, false, 8, 8, &a);
    fail_in_turn(&a, false);
    pm_matrix_free(&a);
    lattice(&rng, PM_INTEGER, true, true, 5, 6, 1, &a);
    fail_in_turn(&a, true);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_matching_as_often_as_it_weighs),
        cmocka_unit_test(vertices_one_by_one),
        cmocka_unit_test(small_tori),
        cmocka_unit_test(small_graphs_with_odd_cycles),
        cmocka_unit_test(pairs_of_edges),
        cmocka_unit_test(pairs_of_edges_on_tori),
        cmocka_unit_test(pairs_of_edges_with_odd_cycles),
        cmocka_unit_test(directions_in_aztec_diamonds),
        cmocka_unit_test(the_same_draws),
        cmocka_unit_test(plans_fit_into_memory),
        cmocka_unit_test(not_planar),
        cmocka_unit_test(stops),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
