/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planar and nearly planar graphs that are not bipartite, in every field and numbered at random: the Pfaffian, or the sum of
 * several, against the definition, the frontier and known numbers; what is refused.  PM_TEST_SEED repeats a run, PM_TEST_ROUNDS multiplies the
 * rounds. */
#include "config.h"

#include <string.h>

#include "pm/alloc.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/triangulations.h"

static uint64_t rng;

static pm_count_options with(const char *algorithm)
{
    pm_count_options o = pm_count_defaults();
    o.general = true;
    o.algorithm = algorithm;
    o.seed = pm_rng_next(&rng);
    return o;
}

static pm_count_options with_any_reductions(const char *algorithm)
{
    pm_count_options o = with(algorithm);
    o.independent = pm_rng_below(&rng, 2);
    if (pm_rng_below(&rng, 2))
        o.reduce = (pm_reduce_options){.blocks = pm_rng_below(&rng, 2),
                                       .degree1 = pm_rng_below(&rng, 2),
                                       .degree2 = pm_rng_below(&rng, 2)};
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

/* ---- the definition ---- */

static void entry(const pm_matrix *a, int64_t k, pm_cnum *x)
{
    pm_cnum_set_si(x, 1);
    if (a->re)
        pm_dyadic_set(&x->re, &a->re[k]);
    if (a->im)
        pm_dyadic_set(&x->im, &a->im[k]);
}

/* The first vertex that is left is matched to each of its neighbours. */
static void hafnian(const pm_matrix *a, uint32_t left, pm_cnum *sum)
{
    int32_t v = 0;
    pm_cnum_set_si(sum, left == 0);
    if (!left)
        return;
    while (!(left >> v & 1))
        ++v;
    left &= ~(UINT32_C(1) << v);
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
        pm_cnum rest = {0}, x = {0};
        if (!(left >> a->colind[k] & 1))
            continue;
        hafnian(a, left & ~(UINT32_C(1) << a->colind[k]), &rest);
        entry(a, k, &x);
        pm_cnum_mul(&rest, &rest, &x);
        pm_cnum_add(sum, sum, &rest);
        pm_cnum_clear(&rest);
        pm_cnum_clear(&x);
    }
}

static void against_definition(void **state)
{
    (void)state;
    int64_t nonzero = 0;
    for (int round = 0; round < test_rounds(2000); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        random_triangulation(&rng, (pm_field)(round % 4), 3 + (int32_t)pm_rng_below(&rng, 10),
                             0.3 + 0.7 * pm_rng_unit(&rng), &a);
        pm_count_options o = with_any_reductions("planar");
        pm_value_init(&v);
        hafnian(&a, (1u << a.nrows) - 1, &exact);
        count(&a, &o, 1 + round % 2, &v);
        if (!agrees(&v, &exact))
            print_error("round %d, %d vertices\n", round, (int)a.nrows);
        assert_true(agrees(&v, &exact));
        nonzero += !pm_cnum_is_zero(&exact);
        pm_cnum_clear(&exact);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
    assert_true(nonzero > 0);
}

/* ---- the frontier ---- */

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

static void against_frontier(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_matrix a;
        random_triangulation(&rng, (pm_field)(round % 4), 20 + 2 * (int32_t)pm_rng_below(&rng, 30),
                             0.5 + 0.5 * pm_rng_unit(&rng), &a);
        pm_count_options planar = with_any_reductions("planar"), frontier = with("frontier");
        compare(&a, &planar, &frontier);
        pm_matrix_free(&a);
    }
}

/* Blobs in a row that share a vertex or are joined by a bridge, or not joined. */
static void cut_vertices(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_triples t = {.field = (pm_field)(round % 4)};
        pm_matrix a;
        int32_t n = 0, blobs = 2 + (int32_t)pm_rng_below(&rng, 6);
        for (int32_t blob = 0; blob < blobs; ++blob) {
            pm_matrix one;
            int32_t size = 3 + (int32_t)pm_rng_below(&rng, 8), how = (int32_t)pm_rng_below(&rng, 3);
            int32_t first = n - (n > 0 && how == 0);
            random_triangulation(&rng, PM_PATTERN, size, 0.9, &one);
            for (int32_t v = 0; v < size; ++v)
                for (int64_t k = one.rowptr[v]; k < one.rowptr[v + 1]; ++k)
                    if (v < one.colind[k])
                        add_random_edge(&t, &rng, first + v, first + one.colind[k]);
            if (n > 0 && how == 1)
                add_random_edge(&t, &rng, n - 1, first);
            n = first + size;
            pm_matrix_free(&one);
        }
        t.nrows = t.ncols = n;
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
        pm_triples_free(&t);
        pm_count_options planar = with_any_reductions("planar"), frontier = with("frontier");
        compare(&a, &planar, &frontier);
        pm_matrix_free(&a);
    }
}

/* ---- nearly planar graphs ---- */

/* A random triangulation of so many vertices and edges between random vertices. */
static void with_chords(pm_field field, int32_t vertices, int32_t chords, pm_matrix *out)
{
    pm_triples t = {.field = field, .nrows = vertices, .ncols = vertices};
    pm_matrix planar;
    char *joined = calloc((size_t)vertices * (size_t)vertices, 1);
    random_triangulation(&rng, PM_PATTERN, vertices, 0.8, &planar);
    for (int32_t v = 0; v < vertices; ++v)
        for (int64_t k = planar.rowptr[v]; k < planar.rowptr[v + 1]; ++k)
            if (v < planar.colind[k]) {
                add_random_edge(&t, &rng, v, planar.colind[k]);
                joined[v * vertices + planar.colind[k]] = 1;
            }
    for (int32_t c = 0; c < chords; ++c) {
        int32_t u = (int32_t)pm_rng_below(&rng, (uint32_t)vertices - 1);
        int32_t v = u + 1 + (int32_t)pm_rng_below(&rng, (uint32_t)(vertices - u - 1));
        if (!joined[u * vertices + v])
            add_random_edge(&t, &rng, u, v);
        joined[u * vertices + v] = 1;
    }
    free(joined);
    pm_matrix_free(&planar);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

static void chords_against_definition(void **state)
{
    (void)state;
    int64_t nonzero = 0;
    for (int round = 0; round < test_rounds(400); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        with_chords((pm_field)(round % 4), 6 + 2 * (int32_t)pm_rng_below(&rng, 4),
                    1 + (int32_t)pm_rng_below(&rng, 12), &a);
        pm_count_options o = with_any_reductions("planar");
        pm_value_init(&v);
        hafnian(&a, (1u << a.nrows) - 1, &exact);
        count(&a, &o, 1 + round % 2, &v);
        assert_true(agrees(&v, &exact));
        nonzero += !pm_cnum_is_zero(&exact);
        pm_cnum_clear(&exact);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
    assert_true(nonzero > 0);
}

static void chords_against_frontier(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_matrix a;
        with_chords((pm_field)(round % 4), 20 + 2 * (int32_t)pm_rng_below(&rng, 15),
                    1 + (int32_t)pm_rng_below(&rng, 6), &a);
        pm_count_options planar = with_any_reductions("planar"), frontier = with("frontier");
        compare(&a, &planar, &frontier);
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
        random_triangulation(&rng, round % 2 ? PM_REAL : PM_COMPLEX,
                             20 + 2 * (int32_t)pm_rng_below(&rng, 40), 0.9, &a);
        pm_count_options o = with("planar");
        o.reduce = (pm_reduce_options){0};
        pm_value_init(&v);
        count(&a, &o, 2, &v);
        pm_xreal size = pm_xreal_add(pm_xreal_abs(v.re), pm_xreal_abs(v.im));
        assert_true(pm_xreal_cmpabs(v.error, pm_xreal_mul(size, pm_xreal_make(0x1p-98, 0, 0)))
                    <= 0);
        assert_false(v.is_estimated);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* One prime below 2^24, which is the modulus itself, and moduli that are not. */
static void modular(void **state)
{
    (void)state;
    static const uint64_t moduli[] = {3, 101, 16777213, 16777259, 1000, UINT64_C(1) << 40};
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_matrix a;
        pm_value v, w;
        random_triangulation(&rng, (pm_field)(round % 2), 6 + 2 * (int32_t)pm_rng_below(&rng, 20),
                             0.8, &a);
        pm_count_options whole = with("frontier"), o = with("planar");
        o.modulus = moduli[round % 6];
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
    for (int field = 0; field < 4; ++field) {
        pm_matrix a;
        pm_value v;
        pm_run run = {.threads = 1};
        pm_status status = PM_ENOMEM;
        with_chords((pm_field)field, 24, 3, &a);
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

/* Edges as pairs of numbers, ended by -1. */
static void from_edges(int32_t n, const int32_t *ends, pm_matrix *out)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    for (; ends[0] >= 0; ends += 2)
        add_random_edge(&t, &rng, ends[0], ends[1]);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

/* Without reductions and with them. */
static void check_count(const pm_matrix *a, const char *wanted)
{
    mpz_t z;
    assert_int_equal(mpz_init_set_str(z, wanted, 10), 0);
    for (int reduced = 0; reduced < 2; ++reduced) {
        pm_value v;
        pm_count_options o = with("planar");
        if (!reduced)
            o.reduce = (pm_reduce_options){0};
        pm_value_init(&v);
        count(a, &o, 1, &v);
        assert_int_equal(mpz_cmp(mpq_numref(v.exact), z), 0);
        pm_value_clear(&v);
    }
    mpz_clear(z);
}

/* The dodecahedron (C20): 36 perfect matchings; buckminsterfullerene (C60): 12500 (Klein et al. 1986). */
static void fullerenes(void **state)
{
    (void)state;
    pm_matrix a;
    pm_triples t = {.field = PM_PATTERN, .nrows = 20, .ncols = 20};
    for (int32_t i = 0; i < 5; ++i) {
        /* inner pentagon, its spokes, a ring of ten, and the outer pentagon */
        add_random_edge(&t, &rng, i, (i + 1) % 5);
        add_random_edge(&t, &rng, i, 5 + 2 * i);
        add_random_edge(&t, &rng, 5 + 2 * i, 6 + 2 * i);
        add_random_edge(&t, &rng, 6 + 2 * i, 5 + (2 * i + 2) % 10);
        add_random_edge(&t, &rng, 6 + 2 * i, 15 + i);
        add_random_edge(&t, &rng, 15 + i, 15 + (i + 1) % 5);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    pm_triples_free(&t);
    check_count(&a, "36");
    pm_matrix_free(&a);

    /* the truncated icosahedron: a vertex for each direction of each edge of an icosahedron, whose vertices are a pole,
     * two rings of five, and a pole */
    int32_t around[12][5], number[12][12];
    for (int32_t i = 0; i < 5; ++i) {
        const int32_t upper[5] = {0, 1 + (i + 4) % 5, 6 + (i + 4) % 5, 6 + i, 1 + (i + 1) % 5};
        const int32_t lower[5] = {11, 6 + (i + 1) % 5, 1 + (i + 1) % 5, 1 + i, 6 + (i + 4) % 5};
        around[0][i] = 1 + i;
        around[11][i] = 6 + (4 - i);
        memcpy(around[1 + i], upper, sizeof upper);
        memcpy(around[6 + i], lower, sizeof lower);
    }
    for (int32_t v = 0, next = 0; v < 12; ++v)
        for (int i = 0; i < 5; ++i)
            number[v][around[v][i]] = next++;
    pm_triples ball = {.field = PM_PATTERN, .nrows = 60, .ncols = 60};
    for (int32_t v = 0; v < 12; ++v)
        for (int i = 0; i < 5; ++i) {
            int32_t w = around[v][i];
            add_random_edge(&ball, &rng, number[v][w], number[v][around[v][(i + 1) % 5]]);
            if (v < w)
                add_random_edge(&ball, &rng, number[v][w], number[w][v]);
        }
    assert_int_equal(pm_matrix_from_triples(&ball, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    pm_triples_free(&ball);
    assert_int_equal(pm_matrix_nnz(&a), 180);
    check_count(&a, "12500");
    pm_matrix_free(&a);
}

/* A hub and a rim of n - 1 vertices: the rim less the partner of the hub is a path with one perfect matching. */
static void wheels(void **state)
{
    (void)state;
    for (int32_t n = 4; n <= 60; ++n) {
        pm_matrix a;
        char wanted[8] = "0";
        pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
        for (int32_t i = 0; i + 1 < n; ++i) {
            add_random_edge(&t, &rng, i, (i + 1) % (n - 1));
            add_random_edge(&t, &rng, i, n - 1);
        }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
        pm_triples_free(&t);
        if (n % 2 == 0)
            snprintf(wanted, sizeof wanted, "%d", (int)n - 1);
        check_count(&a, wanted);
        pm_matrix_free(&a);
    }
}

/* Triangles with a common vertex have an odd number of vertices; with a pendant edge there one matching is left,
 * and with two pendant edges none. */
static void windmills(void **state)
{
    (void)state;
    for (int32_t blades = 1; blades < 20; ++blades)
        for (int32_t pendant = 0; pendant < 4; ++pendant) {
            pm_matrix a;
            int32_t n = 1 + 2 * blades + pendant;
            pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
            for (int32_t b = 0; b < blades; ++b) {
                add_random_edge(&t, &rng, 0, 1 + 2 * b);
                add_random_edge(&t, &rng, 0, 2 + 2 * b);
                add_random_edge(&t, &rng, 1 + 2 * b, 2 + 2 * b);
            }
            for (int32_t v = n - pendant; v < n; ++v)
                add_random_edge(&t, &rng, 0, v);
            assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
            pm_triples_free(&t);
            check_count(&a, pendant == 1 ? "1" : "0");
            pm_matrix_free(&a);
        }
}

/* The square of a path, vertex i joined to i + 1 and i + 2: Fibonacci numbers, since a matching ends with an edge or
 * with two that cross. */
static void squares_of_paths(void **state)
{
    (void)state;
    mpz_t f[3];
    mpz_inits(f[0], f[1], f[2], NULL);
    mpz_set_si(f[0], 1);
    mpz_set_si(f[1], 1);
    for (int32_t n = 4; n <= 400; n += 2) {
        pm_matrix a;
        pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
        mpz_add(f[2], f[0], f[1]);
        mpz_set(f[0], f[1]);
        mpz_set(f[1], f[2]);
        for (int32_t i = 0; i < n; ++i)
            for (int32_t j = i + 1; j <= i + 2 && j < n; ++j)
                add_random_edge(&t, &rng, i, j);
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
        pm_triples_free(&t);
        char *wanted = mpz_get_str(NULL, 10, f[2]);
        check_count(&a, wanted);
        free(wanted);
        pm_matrix_free(&a);
    }
    mpz_clears(f[0], f[1], f[2], NULL);
}

/* The graph of Petersen, and complete graphs: (n - 1)!! */
static void small_ones(void **state)
{
    (void)state;
    static const int32_t petersen[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 0, 5, 1, 6, 2, 7,
                                       3, 8, 4, 9, 5, 7, 7, 9, 9, 6, 6, 8, 8, 5, -1};
    static const char *const complete[] = {"15", "105", "945"};
    pm_matrix a;
    from_edges(10, petersen, &a);
    check_count(&a, "6");
    pm_matrix_free(&a);
    for (int i = 0; i < 3; ++i) {
        int32_t n = 6 + 2 * i;
        pm_triples full = {.field = PM_PATTERN, .nrows = n, .ncols = n};
        for (int32_t u = 0; u < n; ++u)
            for (int32_t v = 0; v < u; ++v)
                add_random_edge(&full, &rng, u, v);
        assert_int_equal(pm_matrix_from_triples(&full, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
        pm_triples_free(&full);
        check_count(&a, complete[i]);
        pm_matrix_free(&a);
    }
}

/* ---- what is refused ---- */

static void refuses(const pm_matrix *a, const char *why, const char *next)
{
    pm_value v;
    pm_error err = {.msg = ""};
    pm_count_options o = with("planar");
    pm_value_init(&v);
    assert_int_equal(pm_count(a, &o, NULL, &v, NULL, &err), PM_UNABLE);
    if (!strstr(err.msg, why) || !strstr(err.msg, next))
        print_error("%s\n", err.msg);
    assert_non_null(strstr(err.msg, why));
    assert_non_null(strstr(err.msg, next));
    pm_value_clear(&v);
}

/* The neighbours of a vertex of a cycle are at the given distances. */
static void make_ring(int32_t n, const int32_t *distance, int count_of_distances, pm_matrix *out)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    for (int32_t v = 0; v < n; ++v)
        for (int i = 0; i < count_of_distances; ++i)
            add_random_edge(&t, &rng, v, (v + distance[i]) % n);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

static void refusals(void **state)
{
    (void)state;
    static const int32_t far[] = {1, 44, 614, 233};
    pm_matrix a;
    make_ring(4000, far, 3, &a);
    refuses(&a, "not planar: 12000 edges; on 4000 vertices a planar graph has 11994 at most",
            "it is still not planar after 256 edges are deleted");
    pm_matrix_free(&a);
    make_ring(500, far, 4, &a);
    refuses(&a, "not planar: 2000 edges on 500 vertices", "");
    pm_matrix_free(&a);

    /* K4 with a loop */
    pm_triples loop = {.field = PM_PATTERN, .nrows = 4, .ncols = 4};
    for (int32_t u = 0; u < 4; ++u)
        for (int32_t v = 0; v < u; ++v)
            add_random_edge(&loop, &rng, u, v);
    assert_int_equal(pm_triples_add(&loop, 2, 2, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&loop, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    pm_triples_free(&loop);
    refuses(&a, "planar cannot count graphs with loops", "");
    pm_matrix_free(&a);
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_definition),
                                       cmocka_unit_test(against_frontier),
                                       cmocka_unit_test(cut_vertices),
                                       cmocka_unit_test(chords_against_definition),
                                       cmocka_unit_test(chords_against_frontier),
                                       cmocka_unit_test(small_ones),
                                       cmocka_unit_test(rounded_once),
                                       cmocka_unit_test(modular),
                                       cmocka_unit_test(every_allocation_may_fail),
                                       cmocka_unit_test(fullerenes),
                                       cmocka_unit_test(wheels),
                                       cmocka_unit_test(windmills),
                                       cmocka_unit_test(squares_of_paths),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests_name("planar_general", tests, NULL, NULL);
}
