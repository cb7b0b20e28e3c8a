/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lattices on tori, bipartite and not, in every field and numbered at random: four Pfaffians against the frontier, product
 * formulas and known numbers; irregular ones; what is refused.  PM_TEST_SEED repeats a run, PM_TEST_ROUNDS multiplies the
 * rounds. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "planar/plain_graph.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/triangulations.h"

static uint64_t rng;

/* ---- lattices ---- */

/* An edge from vertex `from` of a cell to vertex `to` of the cell that is dx, dy away. */
typedef struct {
    int from, dx, dy, to;
} cell_edge;

typedef struct {
    int vertices, nedges; /* of a cell */
    cell_edge edge[6];
    int least; /* cells along the shorter side from which on it is always recognised */
} lattice;

static const lattice
    square = {1, 2, {{0, 1, 0, 0}, {0, 0, 1, 0}}, 5},
    triangular = {1, 3, {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 1, 1, 0}}, 6},
    kagome = {3,
              6,
              {{0, 0, 0, 1}, {0, 0, 0, 2}, {1, 0, 0, 2}, {1, 0, 1, 0}, {2, 1, 0, 0}, {2, 1, -1, 1}},
              4},
    honeycomb = {2, 3, {{0, 0, 0, 1}, {0, -1, 0, 1}, {0, 0, -1, 1}}, 5};
static const lattice *const lattices[] = {&square, &triangular, &kagome, &honeycomb};
enum { LATTICES = (int)(sizeof lattices / sizeof *lattices) };

/* m x n cells; who goes once around the first direction is `twist` cells farther in the second one. */
static int32_t vertex_at(const lattice *l, int32_t m, int32_t n, int32_t twist, int32_t x,
                         int32_t y, int vertex)
{
    int32_t around = x >= m ? 1 : x < 0 ? -1 : 0;
    int32_t row = x - around * m, column = ((y + around * twist) % n + n) % n;
    return l->vertices * (row * n + column) + vertex;
}

static void begin(pm_triples *t, pm_field field, int32_t vertices)
{
    *t = (pm_triples){.field = field, .nrows = vertices, .ncols = vertices};
}

static void end(pm_triples *t, pm_matrix *out)
{
    assert_int_equal(pm_matrix_from_triples(t, PM_DUPLICATES_ERROR, "torus", out, NULL), PM_OK);
    pm_triples_free(t);
}

static void make(const lattice *l, pm_field field, int32_t m, int32_t n, int32_t twist,
                 pm_matrix *out)
{
    pm_triples t;
    int32_t vertices = l->vertices * m * n, *name = malloc((size_t)vertices * sizeof *name);
    random_permutation(&rng, name, vertices);
    begin(&t, field, vertices);
    for (int32_t x = 0; x < m; ++x)
        for (int32_t y = 0; y < n; ++y)
            for (int e = 0; e < l->nedges; ++e) {
                const cell_edge *c = &l->edge[e];
                int32_t u = vertex_at(l, m, n, twist, x, y, c->from);
                int32_t v = vertex_at(l, m, n, twist, x + c->dx, y + c->dy, c->to);
                add_random_edge(&t, &rng, name[u], name[v]);
            }
    free(name);
    end(&t, out);
}

/* ---- counts ---- */

static pm_count_options with(const char *algorithm)
{
    pm_count_options o = pm_count_defaults();
    o.general = true;
    o.algorithm = algorithm;
    o.seed = pm_rng_next(&rng);
    return o;
}

static pm_status try_count(const pm_matrix *a, const pm_count_options *o, int threads, pm_value *v,
                           pm_error *err)
{
    pm_run run = {.threads = threads};
    return pm_count(a, o, &run, v, NULL, err);
}

static void count(const pm_matrix *a, const pm_count_options *o, int threads, pm_value *v)
{
    pm_error err = {.msg = ""};
    pm_status status = try_count(a, o, threads, v, &err);
    if (status)
        print_error("%s\n", err.msg);
    assert_int_equal(status, PM_OK);
}

/* Otherwise the graph might be counted as a nearly planar one. */
static bool is_recognised(const pm_matrix *a)
{
    const pm_block b = {.n = (int32_t)a->nrows, .a = *a, .general = true};
    pm_plain_graph w;
    pm_error err;
    assert_int_equal(pm_plain_graph_make(&b, &w, NULL), PM_OK);
    const pm_drawn_graph d = pm_plain_graph_drawn(&w);
    int32_t *next = malloc((size_t)pm_matrix_nnz(a) * sizeof *next);
    pm_status status = pm_embedding_on_torus(&d, next, &err);
    assert_true(status == PM_OK || status == PM_UNABLE);
    free(next);
    pm_plain_graph_free(&w);
    return !status;
}

static void compare_to_frontier(const pm_matrix *a, const pm_value *v)
{
    pm_value w;
    pm_count_options o = with("frontier");
    pm_value_init(&w);
    count(a, &o, 1, &w);
    assert_true(values_agree(v, &w));
    pm_value_clear(&w);
}

static void against_frontier(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(160); ++round) {
        pm_matrix a;
        pm_value v;
        const lattice *l = lattices[round % LATTICES];
        int32_t m = l->least + (int32_t)pm_rng_below(&rng, 2);
        int32_t n = l->least + (int32_t)pm_rng_below(&rng, 2);
        n += l->vertices * m * n % 2;
        make(l, (pm_field)(round / LATTICES % 4), m, n, (int32_t)pm_rng_below(&rng, (uint32_t)n),
             &a);
        assert_true(is_recognised(&a));
        pm_count_options o = with("planar");
        o.independent = pm_rng_below(&rng, 2);
        pm_value_init(&v);
        count(&a, &o, 1 + round % 2, &v);
        assert_false(v.is_estimated);
        compare_to_frontier(&a, &v);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* Square grids of every size without a twist: the smallest ones are found by their squares. */
static void thin_grids(void **state)
{
    (void)state;
    for (int32_t m = 3; m <= 7; ++m)
        for (int32_t n = 4 + 2 * test_first(&rng, 3); n <= 12; n += 2 * test_step(3)) {
            pm_matrix a;
            pm_value v;
            pm_count_options o = with("planar");
            make(&square, (pm_field)((m + n / 2) % 4), m, n, 0, &a);
            assert_true(is_recognised(&a));
            pm_value_init(&v);
            count(&a, &o, 1, &v);
            compare_to_frontier(&a, &v);
            pm_value_clear(&v);
            pm_matrix_free(&a);
        }
}

/* A grid with a diagonal in some squares and without some edges.  More than 90 of 100 are recognised, so the
 * probability that it is only half of at least 50 is below 1e-11; fewer are not
 * enough to tell. */
static void irregular(void **state)
{
    (void)state;
    int recognised = 0;
    const int rounds = test_rounds(60);
    for (int round = 0; round < rounds; ++round) {
        enum { SIDE = 7, WIDTH = 8, VERTICES = SIDE * WIDTH };
        int32_t name[VERTICES];
        pm_triples t;
        pm_matrix a;
        pm_value v;
        random_permutation(&rng, name, VERTICES);
        begin(&t, (pm_field)(round % 4), VERTICES);
        for (int32_t x = 0; x < SIDE; ++x)
            for (int32_t y = 0; y < WIDTH; ++y) {
                int32_t u = name[vertex_at(&square, SIDE, WIDTH, 0, x, y, 0)];
                int32_t right = name[vertex_at(&square, SIDE, WIDTH, 0, x, y + 1, 0)];
                int32_t down = name[vertex_at(&square, SIDE, WIDTH, 0, x + 1, y, 0)];
                int32_t across = name[vertex_at(&square, SIDE, WIDTH, 0, x + 1, y + 1, 0)];
                uint32_t diagonal = pm_rng_below(&rng, 3);
                if (pm_rng_below(&rng, 50))
                    add_random_edge(&t, &rng, u, right);
                if (pm_rng_below(&rng, 50))
                    add_random_edge(&t, &rng, u, down);
                if (diagonal)
                    add_random_edge(&t, &rng, diagonal == 1 ? u : right,
                                    diagonal == 1 ? across : down);
            }
        end(&t, &a);
        pm_count_options o = with("planar");
        pm_value_init(&v);
        recognised += is_recognised(&a);
        count(&a, &o, 2, &v);
        compare_to_frontier(&a, &v);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
    print_message("# %d of %d irregular tori were recognised\n", recognised, rounds);
    assert_true(rounds < 50 || 2 * recognised > rounds);
}

/* The number is halved in the end, so no modulus is taken as the only prime, even ones least of all. */
static void modular(void **state)
{
    (void)state;
    static const uint64_t moduli[] = {2, 3, 16777213, 1000, UINT64_C(1) << 40};
    for (int round = 0; round < test_rounds(40); ++round) {
        pm_matrix a;
        pm_value v, w;
        make(round % 2 ? &triangular : &kagome, (pm_field)(round / 2 % 2), 6, 6, 0, &a);
        pm_count_options whole = with("frontier"), o = with("planar");
        o.modulus = moduli[round % 5];
        pm_value_init(&v);
        pm_value_init(&w);
        count(&a, &o, 1, &v);
        count(&a, &whole, 1, &w);
        mpz_fdiv_r_ui(mpq_numref(w.exact), mpq_numref(w.exact), o.modulus);
        assert_int_equal(mpz_cmp(mpq_numref(w.exact), mpq_numref(v.exact)), 0);
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; ++kind) {
        pm_matrix a;
        pm_value v;
        pm_run run = {.threads = 1};
        pm_status status = PM_ENOMEM;
        make(kind % 2 ? &kagome : &square, kind < 2 ? PM_PATTERN : PM_INTEGER, 5, 4, 0, &a);
        pm_count_options o = with("planar");
        pm_value_init(&v);
        for (int64_t k = 1; status; ++k) {
            pm_count_report report = {0};
            pm_alloc_fail_at(k);
            status = pm_count(&a, &o, &run, &v, &report, NULL);
            pm_alloc_fail_at(0);
            assert_true(status == PM_OK || status == PM_ENOMEM);
            pm_count_report_free(&report);
        }
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* ---- known numbers ---- */

static void count_pattern(const lattice *l, int32_t m, int32_t n, pm_value *v)
{
    pm_matrix a;
    pm_count_options o = with("planar");
    make(l, PM_PATTERN, m, n, 0, &a);
    assert_true(is_recognised(&a));
    count(&a, &o, 2, v);
    pm_matrix_free(&a);
}

/* The kagome lattice on a torus has 2^(cells + 1) perfect matchings (Elser 1984; Wu and Wang 2008). */
static void kagome_powers(void **state)
{
    (void)state;
    for (int32_t m = 4; m <= 16; m += 3)
        for (int32_t n = 4; n <= 20; n += 4) {
            pm_value v;
            pm_value_init(&v);
            count_pattern(&kagome, m, n, &v);
            assert_int_equal(mpz_sizeinbase(mpq_numref(v.exact), 2), m * n + 2);
            assert_int_equal(mpz_scan1(mpq_numref(v.exact), 0), m * n + 1);
            pm_value_clear(&v);
        }
}

/* log of the Pfaffian of a class of signs: the Fourier modes are shifted by a and b, 0 or 1/2. */
static double log_pfaffian(int32_t m, int32_t n, double a, double b, bool is_triangular)
{
    double sum = 0;
    for (int32_t j = 0; j < m; ++j)
        for (int32_t k = 0; k < n; ++k) {
            double p = 2 * M_PI * (j + a) / m, q = 2 * M_PI * (k + b) / n;
            double mode =
                pow(sin(p), 2) + pow(sin(q), 2) + (is_triangular ? pow(cos(p + q), 2) : 0);
            if (mode < 1e-20)
                return -INFINITY;
            sum += log(4 * mode) / 4;
        }
    return sum;
}

/* Half the sum of four such products (Kasteleyn 1961; Fendley, Moessner and Sondhi 2002), as logarithms. */
static void product_formulas(void **state)
{
    (void)state;
    static const int32_t sizes[][2] = {{6, 6},   {7, 8},   {8, 9},  {10, 10},
                                       {15, 22}, {41, 40}, {60, 60}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int is_triangular = 0; is_triangular < 2; ++is_triangular) {
            int32_t m = sizes[i][0], n = sizes[i][1];
            double all = 0, most = log_pfaffian(m, n, 0.5, 0.5, is_triangular);
            most = fmax(most, log_pfaffian(m, n, 0.5, 0, is_triangular));
            most = fmax(most, log_pfaffian(m, n, 0, 0.5, is_triangular));
            for (int c = 0; c < 4; ++c)
                all += exp(log_pfaffian(m, n, c % 2 / 2., c / 2 / 2., is_triangular) - most);
            pm_value v;
            long exponent;
            pm_value_init(&v);
            count_pattern(is_triangular ? &triangular : &square, m, n, &v);
            double mantissa = mpz_get_d_2exp(&exponent, mpq_numref(v.exact));
            double found = log(mantissa) + M_LN2 * (double)exponent;
            if (fabs(found - most - log(all / 2)) > 1e-9)
                print_error("%d x %d, triangular %d\n", (int)m, (int)n, is_triangular);
            assert_true(fabs(found - most - log(all / 2)) <= 1e-9);
            pm_value_clear(&v);
        }
}

/* ---- what is refused ---- */

static void refuses(const pm_matrix *a, const char *why)
{
    pm_value v;
    pm_error err = {.msg = ""};
    pm_count_options o = with("planar");
    pm_value_init(&v);
    assert_int_equal(try_count(a, &o, 1, &v, &err), PM_UNABLE);
    if (!strstr(err.msg, why))
        print_error("%s\n", err.msg);
    assert_non_null(strstr(err.msg, why));
    pm_value_clear(&v);
}

/* A double torus, two tori of squares that share the sides of a square; and a torus with a loop. */
static void refusals(void **state)
{
    (void)state;
    enum { SIDE = 25, VERTICES = SIDE * SIDE };
    pm_triples t;
    pm_matrix a;
    begin(&t, PM_PATTERN, 2 * VERTICES - 4);
    for (int copy = 0; copy < 2; ++copy)
        for (int32_t x = 0; x < SIDE; ++x)
            for (int32_t y = 0; y < SIDE; ++y)
                for (int d = 0; d < 2; ++d) {
                    int32_t ends[2][2] = {{x, y}, {(x + d) % SIDE, (y + 1 - d) % SIDE}}, v[2];
                    bool is_shared = true;
                    for (int i = 0; i < 2; ++i) {
                        bool is_corner = ends[i][0] < 2 && ends[i][1] < 2;
                        int32_t corner = 2 * ends[i][0] + ends[i][1];
                        int32_t at = ends[i][0] * SIDE + ends[i][1];
                        int32_t skipped = at < 2 ? at : at < SIDE + 2 ? 2 : 4;
                        v[i] = is_corner ? corner : 4 + copy * (VERTICES - 4) + at - skipped;
                        is_shared = is_shared && is_corner;
                    }
                    if (!copy || !is_shared)
                        add_random_edge(&t, &rng, v[0], v[1]);
                }
    end(&t, &a);
    refuses(&a, "not planar");
    pm_matrix_free(&a);

    begin(&t, PM_PATTERN, SIDE * (SIDE - 1));
    for (int32_t x = 0; x < SIDE; ++x)
        for (int32_t y = 0; y + 1 < SIDE; ++y)
            for (int d = 0; d < 2; ++d)
                add_random_edge(&t, &rng, x * (SIDE - 1) + y,
                                vertex_at(&square, SIDE, SIDE - 1, 1, x + d, y + 1 - d, 0));
    assert_int_equal(pm_triples_add(&t, 9, 9, 0, NULL, NULL, NULL), PM_OK);
    end(&t, &a);
    refuses(&a, "planar cannot count graphs with loops");
    pm_matrix_free(&a);
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_frontier),
                                       cmocka_unit_test(thin_grids),
                                       cmocka_unit_test(irregular),
                                       cmocka_unit_test(modular),
                                       cmocka_unit_test(every_allocation_may_fail),
                                       cmocka_unit_test(kagome_powers),
                                       cmocka_unit_test(product_formulas),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests_name("torus", tests, NULL, NULL);
}
