/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hafnians of full graphs: against the definition, closed forms, the frontier, and between vector units and numbers of
 * threads.  All comparisons are exact or within proven errors, so no test fails by chance; residues of different moduli
 * are compared with the integer. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/algorithm.h"
#include "hafnian/hafnian_outer.h"
#include "hafnian/hafnian_run.h"
#include "hafnian/hafnian_scale.h"
#include "number/prime.h"
#include "planner/registry.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/hafnian_kernels.h"
#include "support/matrices.h"

static uint64_t rng;

/* ---- graphs ---- */

typedef struct {
    pm_field field;
    int n;
    double p, loops; /* probabilities of an edge and of a loop */
    bool is_wild;    /* entries as of random_matrix, some of 60 bits or beyond 2^600 */
} graph;

static void random_number(const graph *g, pm_dyadic *x)
{
    if (g->is_wild && g->field >= PM_REAL)
        random_real(&rng, x);
    else if (g->is_wild)
        pm_dyadic_set_si(x, random_entry(&rng));
    else if (g->field >= PM_REAL)
        pm_dyadic_set_d(x, 2 * pm_rng_unit(&rng) - 1);
    else
        pm_dyadic_set_si(x, g->field == PM_PATTERN ? 1 : (int64_t)pm_rng_below(&rng, 19) - 9);
}

static void add(const graph *g, pm_triples *t, int i, int j, const pm_dyadic *re,
                const pm_dyadic *im)
{
    pm_dyadic x = {0}, y = {0};
    pm_dyadic_set(&x, re);
    pm_dyadic_set(&y, im);
    assert_int_equal(pm_triples_add(t, i, j, 0, g->field == PM_PATTERN ? NULL : &x,
                                    g->field == PM_COMPLEX ? &y : NULL, NULL),
                     PM_OK);
    pm_dyadic_clear(&x);
    pm_dyadic_clear(&y);
}

static void random_graph(const graph *g, pm_matrix *out)
{
    pm_triples t = {.field = g->field, .nrows = g->n, .ncols = g->n};
    for (int i = 0; i < g->n; ++i)
        for (int j = i; j < g->n; ++j) {
            pm_dyadic re = {0}, im = {0};
            if (pm_rng_unit(&rng) >= (i == j ? g->loops : g->p))
                continue;
            random_number(g, &re);
            if (g->field == PM_COMPLEX)
                random_number(g, &im);
            if (!pm_dyadic_is_zero(&re) || !pm_dyadic_is_zero(&im)) {
                add(g, &t, i, j, &re, &im);
                if (i != j)
                    add(g, &t, j, i, &re, &im);
            }
            pm_dyadic_clear(&re);
            pm_dyadic_clear(&im);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

/* ---- the definition ---- */

/* h[S]: of the vertices of S, by the partner of the lowest one. */
static void definition(const pm_matrix *a, pm_cnum *out)
{
    const int n = (int)a->nrows;
    pm_cnum *h = calloc((size_t)1 << n, sizeof *h);
    pm_cnum_set_si(&h[0], 1);
    for (uint32_t S = 1; S < UINT32_C(1) << n; ++S) {
        const int i = __builtin_ctz(S);
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const uint32_t used = UINT32_C(1) << i | UINT32_C(1) << a->colind[k];
            pm_cnum x = {0}, product = {0};
            if ((S & used) != used)
                continue;
            pm_dyadic_set_si(&x.re, 1);
            if (a->re)
                pm_dyadic_set(&x.re, &a->re[k]);
            if (a->im)
                pm_dyadic_set(&x.im, &a->im[k]);
            pm_cnum_mul(&product, &x, &h[S ^ used]);
            pm_cnum_add(&h[S], &h[S], &product);
            pm_cnum_clear(&x);
            pm_cnum_clear(&product);
        }
    }
    pm_cnum_set(out, &h[(UINT32_C(1) << n) - 1]);
    for (uint32_t S = 0; S < UINT32_C(1) << n; ++S)
        pm_cnum_clear(&h[S]);
    free(h);
}

/* ---- counts ---- */

static pm_status count_with(const pm_matrix *a, const char *algorithm, bool reduce, int threads,
                            uint64_t modulus, pm_value *v)
{
    const pm_run run = {.threads = threads};
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.general = true;
    o.modulus = modulus;
    if (!reduce)
        o.reduce = (pm_reduce_options){0};
    return pm_count(a, &o, &run, v, NULL, NULL);
}

static void count(const pm_matrix *a, const char *algorithm, int threads, pm_value *v)
{
    assert_int_equal(count_with(a, algorithm, pm_rng_below(&rng, 2), threads, 0, v), PM_OK);
}

static bool is_small(const pm_matrix *a)
{
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        if (pm_dyadic_bits(&a->re[k]) + a->re[k].exp > 12)
            return false;
    return a->field <= PM_INTEGER;
}

static void compare_with_definition(const graph *g)
{
    pm_matrix a = {0};
    pm_cnum exact = {0};
    pm_value v;
    pm_value_init(&v);
    random_graph(g, &a);
    definition(&a, &exact);
    count(&a, "hafnian", 1 + (int)pm_rng_below(&rng, 3), &v);
    assert_true(agrees(&v, &exact));
    count(&a, NULL, 1, &v);
    assert_true(agrees(&v, &exact));
    if (a.field > PM_INTEGER || is_small(&a)) {
        count(&a, "hafnian-small", 1, &v);
        assert_true(agrees(&v, &exact));
    }
    pm_value_clear(&v);
    pm_cnum_clear(&exact);
    pm_matrix_free(&a);
}

static void follows_definition(void **state)
{
    static const double some[] = {0, 0, 0.4, 1};
    (void)state;
    for (int round = test_rounds(400); round > 0; --round)
        for (int field = PM_PATTERN; field <= PM_COMPLEX; ++field) {
            const graph g = {.field = (pm_field)field,
                             .n = 1 + (int)pm_rng_below(&rng, round % 20 ? 9 : 13),
                             .p = pm_rng_below(&rng, 2) ? 1 : 0.6,
                             .loops = some[pm_rng_below(&rng, 4)],
                             .is_wild = pm_rng_below(&rng, 3) == 0};
            compare_with_definition(&g);
        }
}

/* An error bound that is far too large would agree with everything. */
static void errors_are_small(void **state)
{
    (void)state;
    for (int field = PM_REAL; field <= PM_COMPLEX; ++field) {
        const graph g = {.field = (pm_field)field, .n = 14, .p = 1, .loops = field == PM_REAL};
        pm_matrix a = {0};
        pm_cnum exact = {0};
        pm_value v;
        pm_value_init(&v);
        random_graph(&g, &a);
        definition(&a, &exact);
        count(&a, "hafnian", 1, &v);
        assert_true(agrees(&v, &exact));
        /* at most 13!! products, or 2.4 million with loops, of numbers below 2: 2^35 in all */
        assert_true(pm_xreal_cmpabs(v.error, pm_xreal_make(1, 0, 35 - 84)) < 0);
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
}

/* ---- weights of a wide range ---- */

enum { WIDE = 12 };

/* absolute: the same with absolute values. */
static void wide_graph(pm_field field, int n, int range, bool is_bipartite, bool loops,
                       pm_matrix *out, pm_matrix *absolute)
{
    const graph g = {.field = field}, of_real = {.field = PM_REAL};
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    pm_triples sizes = {.field = PM_REAL, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j) {
            pm_dyadic re = {0}, im = {0}, size = {0};
            const bool may_be = i == j ? loops : !is_bipartite || (i + j) % 2;
            if (!may_be || pm_rng_below(&rng, 4) == 0)
                continue;
            const int64_t exponent = (int64_t)pm_rng_below(&rng, 2 * (uint32_t)range) - range;
            pm_dyadic_set_d(&re, 1.5 + pm_rng_unit(&rng));
            pm_dyadic_mul_2exp(&re, exponent);
            pm_dyadic_set(&size, &re);
            if (pm_rng_below(&rng, 2))
                pm_dyadic_neg(&re);
            if (field == PM_COMPLEX)
                pm_dyadic_set_d(&im, pm_rng_unit(&rng));
            pm_dyadic_add(&size, &size, &im);
            for (int k = 0; k < (i == j ? 1 : 2); ++k) {
                add(&g, &t, k ? j : i, k ? i : j, &re, &im);
                add(&of_real, &sizes, k ? j : i, k ? i : j, &size, &size);
            }
            pm_dyadic_clear(&re);
            pm_dyadic_clear(&im);
            pm_dyadic_clear(&size);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&sizes, PM_DUPLICATES_ERROR, "", absolute, NULL),
                     PM_OK);
    pm_triples_free(&t);
    pm_triples_free(&sizes);
}

/* The bound is right, and small beside the hafnian of the absolute values where the heaviest matching is as heavy as
 * the heaviest fractional one, as in bipartite graphs. */
static void wide_weights(void **state)
{
    static const int ranges[] = {60, 700, 1500, 9000};
    (void)state;
    for (int round = test_rounds(120); round > 0; --round) {
        const pm_field field = round % 3 ? PM_REAL : PM_COMPLEX;
        const int n = 4 + (int)pm_rng_below(&rng, WIDE - 3);
        const int range = field == PM_REAL ? ranges[pm_rng_below(&rng, 4)] : 50;
        const bool is_bipartite = pm_rng_below(&rng, 2), loops = !is_bipartite && (round & 4);
        pm_matrix a = {0}, absolute = {0};
        pm_cnum exact = {0}, size = {0};
        pm_value v;
        pm_value_init(&v);
        wide_graph(field, n, range, is_bipartite, loops, &a, &absolute);
        definition(&a, &exact);
        definition(&absolute, &size);
        assert_int_equal(count_with(&a, "hafnian", false, 1, 0, &v), PM_OK);
        assert_true(agrees(&v, &exact));
        const pm_xreal most =
            pm_xreal_mul(pm_xreal_from_dyadic(&size.re), pm_xreal_make(1, 0, -60));
        if (is_bipartite)
            assert_true(pm_xreal_cmpabs(v.error, most) <= 0);
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_cnum_clear(&size);
        pm_matrix_free(&a);
        pm_matrix_free(&absolute);
    }
}

/* The largest sum of exponents of a perfect matching of the vertices of S; -INFINITY: there is none. */
static double heaviest(int n, const double *exponent)
{
    static double best[1 << WIDE];
    best[0] = 0;
    for (uint32_t S = 1; S < UINT32_C(1) << n; ++S) {
        const int i = __builtin_ctz(S);
        best[S] = -INFINITY;
        for (int j = i; j < n; ++j)
            if (S >> j & 1)
                best[S] = fmax(best[S], exponent[i * n + j] + best[S & ~(1u << i | 1u << j)]);
    }
    return best[(UINT32_C(1) << n) - 1];
}

static void factors(void **state)
{
    (void)state;
    int without = 0;
    for (int round = 0; test_goes_on(round, 600, without > 0); ++round) {
        double exponent[WIDE * WIDE], by[WIDE], sum = 0;
        const int n = 2 + (int)pm_rng_below(&rng, WIDE - 1);
        const bool is_bipartite = pm_rng_below(&rng, 2);
        for (int i = 0; i < n; ++i)
            for (int j = i; j < n; ++j) {
                const bool has = pm_rng_below(&rng, 2) && (!is_bipartite || (i + j) % 2);
                exponent[i * n + j] = exponent[j * n + i] =
                    has ? (double)pm_rng_below(&rng, 20000) / 2 - 5000 : -INFINITY;
            }
        const double most = heaviest(n, exponent);
        if (!pm_hafnian_factors(n, exponent, by)) {
            assert_true(most == -INFINITY);
            ++without;
            continue;
        }
        for (int i = 0; i < n; ++i) {
            sum += by[i];
            assert_true(by[i] == floor(by[i]));
            for (int j = 0; j < n; ++j)
                assert_true(exponent[i * n + j] + by[i] + (i == j ? 0 : by[j]) <= 0);
        }
        assert_true(most + sum <= 0);
        if (is_bipartite) /* then fractional matchings are no heavier */
            assert_true(most + sum >= -n);
    }
    assert_true(without > 0);
}

/* ---- closed forms ---- */

static void complete(int n, pm_field field, bool loops, pm_matrix *out)
{
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    const graph g = {.field = field};
    const pm_dyadic one = pm_dyadic_from_si(1), zero = {0};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (i != j || loops)
                add(&g, &t, i, j, &one, &zero);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

/* (n - 1)!!, or with loops the number of involutions: I(n) = I(n-1) + (n-1) I(n-2). */
static void closed_form(int n, bool loops, mpz_t out)
{
    mpz_t before;
    mpz_init_set_ui(before, 0);
    mpz_set_ui(out, 1);
    for (int k = 1; k <= n; ++k) {
        mpz_t next;
        mpz_init(next);
        mpz_mul_ui(next, before, (unsigned long)k - 1);
        if (loops)
            mpz_add(next, next, out);
        mpz_set(before, out);
        mpz_set(out, next);
        mpz_clear(next);
    }
    mpz_clear(before);
}

static void check_complete(int n, pm_field field, bool loops, const char *algorithm)
{
    pm_matrix a = {0};
    pm_cnum exact = {0};
    pm_value v;
    mpz_t z;
    mpz_init(z);
    pm_value_init(&v);
    complete(n, field, loops, &a);
    closed_form(n, loops, z);
    pm_dyadic_set_mpz(&exact.re, z);
    assert_int_equal(count_with(&a, algorithm, false, 2, 0, &v), PM_OK);
    assert_true(agrees(&v, &exact));
    if (field >= PM_REAL) /* 20 digits */
        assert_true(pm_xreal_cmpabs(v.error, pm_xreal_mul(v.re, pm_xreal_make(1, 0, -66))) <= 0);
    pm_value_clear(&v);
    pm_cnum_clear(&exact);
    pm_matrix_free(&a);
    mpz_clear(z);
}

static void complete_graphs(void **state)
{
    (void)state;
    for (int n = 1; n <= test_size(28, 20); ++n)
        for (int loops = 0; loops < 2; ++loops) {
            check_complete(n, PM_PATTERN, loops, "hafnian");
            check_complete(n, PM_INTEGER, loops, "hafnian");
            check_complete(n, PM_REAL, loops, "hafnian");
            if (n <= 16)
                check_complete(n, PM_PATTERN, loops, "hafnian-small");
        }
    check_complete(test_size(34, 22), PM_PATTERN, true, "hafnian");
    check_complete(test_size(36, 24), PM_PATTERN, false, "hafnian");
    check_complete(test_size(32, 22), PM_COMPLEX, false, "hafnian");
    check_complete(test_size(36, 24), PM_REAL, false, "hafnian");
}

/* ---- the frontier ---- */

static void agrees_with_frontier(void **state)
{
    (void)state;
    for (int round = test_rounds(24); round > 0; --round) {
        const graph g = {.field = (pm_field)(round % 4),
                         .n = 17 + (int)pm_rng_below(&rng, 14),
                         .p = 0.2,
                         .loops = round % 3 ? 0 : 0.3,
                         .is_wild = round % 5 == 0};
        pm_matrix a = {0};
        pm_value v, w;
        pm_value_init(&v);
        pm_value_init(&w);
        random_graph(&g, &a);
        count(&a, "hafnian", 1 + (int)pm_rng_below(&rng, 3), &v);
        count(&a, "frontier", 1, &w);
        if (g.field <= PM_INTEGER)
            assert_true(mpq_equal(v.exact, w.exact));
        else
            assert_true(values_agree(&v, &w));
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
    }
}

/* ---- residues ---- */

static void moduli(void **state)
{
    static const uint64_t fixed[] = {
        2, 3, 4, 6, 7, 1000, UINT64_C(0x7fffffff), UINT64_C(1) << 31, UINT64_C(1) << 61};
    enum { FIXED = sizeof fixed / sizeof *fixed };
    (void)state;
    for (int round = 0; round < test_rounds(40); ++round) {
        const graph g = {.field = round % 2 ? PM_PATTERN : PM_INTEGER,
                         .n = 12 + (int)pm_rng_below(&rng, 10),
                         .p = 1,
                         .loops = round % 3 ? 0 : 1,
                         .is_wild = round % 4 == 0};
        const uint64_t m =
            round < FIXED ? fixed[round] : (2 + pm_rng_next(&rng) % (PM_MODULUS_MAX - 2)) >> round;
        pm_matrix a = {0};
        pm_value v, w;
        pm_value_init(&v);
        pm_value_init(&w);
        random_graph(&g, &a);
        count(&a, "hafnian", 1, &v);
        if (m > 1) {
            assert_int_equal(count_with(&a, "hafnian", true, 1, m, &w), PM_OK);
            assert_int_equal(mpz_fdiv_ui(mpq_numref(v.exact), m), mpz_get_ui(mpq_numref(w.exact)));
        }
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
    }
}

enum { GIVEN = 3 };

/* found: the residues of consecutive moduli, as far as they have come. */
static pm_status take_found(void *context, int first, int number, const uint64_t *residues,
                            pm_error *err)
{
    uint64_t *found = context;
    (void)err;
    for (int i = 0; i < number; ++i)
        found[first + i] = residues[i];
    return PM_OK;
}

/* Residues of narrow moduli are given as they come, and are those of the frontier. */
static void residues_are_given(void **state)
{
    static const uint64_t m[GIVEN] = {2147483647, 1000003, 9};
    const graph g = {.field = PM_INTEGER, .n = test_size(22, 16), .p = 1};
    uint64_t residues[GIVEN], found[GIVEN] = {0};
    pm_block b = {.general = true};
    pm_plan plan = {.algorithm = &pm_algorithm_hafnian};
    pm_value out;
    (void)state;
    random_graph(&g, &b.a);
    b.n = g.n;
    b.log2_bound = 200;
    const pm_job job = {.block = &b,
                        .moduli = m,
                        .nmoduli = GIVEN,
                        .memory = INT64_C(1) << 30,
                        .rates = &pm_rates_nominal,
                        .found = take_found,
                        .found_context = found};
    pm_value_init(&out);
    assert_int_equal(pm_algorithm_hafnian.plan(&job, &plan, NULL), PM_OK);
    assert_int_equal(plan.residues, GIVEN);
    assert_int_equal(pm_algorithm_hafnian.run(&job, &plan, residues, &out, NULL), PM_OK);
    assert_memory_equal(found, residues, sizeof found);
    for (int i = 0; i < GIVEN; ++i) {
        assert_int_equal(count_with(&b.a, "frontier", true, 1, m[i], &out), PM_OK);
        assert_int_equal(mpz_get_ui(mpq_numref(out.exact)), residues[i]);
    }
    pm_value_clear(&out);
    pm_matrix_free(&b.a);
}

/* ---- threads and vector units ---- */

static bool is_same(pm_xreal a, pm_xreal b)
{
    return a.hi == b.hi && a.lo == b.lo && a.exp == b.exp;
}

static void threads(void **state)
{
    (void)state;
    for (int field = PM_PATTERN; field <= PM_COMPLEX; ++field) {
        const graph g = {.field = (pm_field)field,
                         .n = field <= PM_INTEGER ? test_size(31, 25) : test_size(26, 22),
                         .p = 1,
                         .loops = 1};
        pm_matrix a = {0};
        pm_value v, w;
        pm_value_init(&v);
        pm_value_init(&w);
        random_graph(&g, &a);
        assert_int_equal(count_with(&a, "hafnian", false, 1, 0, &v), PM_OK);
        for (int t = 2; t <= 3; ++t) {
            assert_int_equal(count_with(&a, "hafnian", false, t, 0, &w), PM_OK);
            if (field <= PM_INTEGER)
                assert_true(mpq_equal(v.exact, w.exact));
            else
                assert_true(is_same(v.re, w.re) && is_same(v.im, w.im)
                            && is_same(v.error, w.error));
        }
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
    }
}

static void run_level(const pm_hafnian_kernel *k, const pm_hafnian_level *l, void *number)
{
    pm_hafnian_room room = {0};
    int lane;
    assert_int_equal(pm_hafnian_room_make(l->pairs, l->sheets, k->bytes, &room, NULL), PM_OK);
    assert_int_equal(pm_hafnian_levels_run(k, l, &room, NULL, number, &lane, NULL), PM_OK);
    pm_hafnian_room_free(&room);
}

static void compare_units(const pm_hafnian_level *l, const pm_hafnian_kernels **k, int count,
                          size_t kind)
{
    _Alignas(64) char first[4 * PM_HAFNIAN_LANES * sizeof(double)], other[sizeof first];
    for (int i = 0; i < count; ++i) {
        const pm_hafnian_kernel *kernel =
            (const pm_hafnian_kernel *)(const void *)((const char *)k[i] + kind);
        char *number = i ? other : first;
        run_level(kernel, l, number);
        if (i)
            assert_memory_equal(first, other, PM_HAFNIAN_LANES * kernel->bytes);
    }
}

static void vector_units(void **state)
{
    const pm_hafnian_kernels *k[3];
    const int count = hafnian_kernels(k);
    static uint64_t words[2][33 * 33];
    static double numbers[4 * 33 * 33], sizes[33 * 33];
    (void)state;
    for (int round = 0; round < test_rounds(24); ++round) {
        const graph g = {.field = (pm_field)(round % 4),
                         .n = round % 7 ? 8 + (int)pm_rng_below(&rng, 15) : test_size(28, 24),
                         .p = 1,
                         .loops = 1,
                         .is_wild = round % 3 == 0};
        pm_matrix a = {0};
        pm_hafnian_entries e;
        pm_hafnian_scale scale;
        uint64_t factor;
        pm_hafnian_level l = {.modulus = pm_rng_below(&rng, INT32_MAX) | 1};
        random_graph(&g, &a);
        assert_int_equal(pm_hafnian_entries_find(&a, &e, NULL), PM_OK);
        if (g.field <= PM_INTEGER) {
            pm_hafnian_residues(&e, &l, words[0], words[1], &factor);
            compare_units(&l, k, count, offsetof(pm_hafnian_kernels, residue));
        } else {
            const bool is_real = g.field == PM_REAL;
            assert_int_equal(
                pm_hafnian_floats(&e, &l, is_real ? 2 : 4, numbers, sizes, &scale, NULL), PM_OK);
            const int same = scale.may_underflow ? 1 : count;
            compare_units(&l, k, same,
                          is_real ? offsetof(pm_hafnian_kernels, real)
                                  : offsetof(pm_hafnian_kernels, complex));
            l.step = l.close = sizes;
            compare_units(&l, k, count, offsetof(pm_hafnian_kernels, size));
        }
        pm_hafnian_entries_free(&e);
        pm_matrix_free(&a);
    }
}

/* The sum over sets, by every vector unit and number of threads, against all levels; size: the hafnian of the absolute
 * values, which the difference is compared with. */
static void compare_sums(const pm_hafnian_level *l, const pm_hafnian_kernel *const *kernel,
                         int count, double size)
{
    const size_t numbers = kernel[0]->bytes / sizeof(double);
    _Alignas(64) double all[4 * PM_HAFNIAN_LANES];
    double first[4], other[4];
    for (int i = 0; i < count; ++i) {
        const pm_run run = {.threads = 1 + i};
        pm_hafnian_room room = {0};
        int lane;
        assert_int_equal(pm_hafnian_room_make(l->pairs, l->sheets, kernel[i]->bytes, &room, NULL),
                         PM_OK);
        assert_int_equal(
            pm_hafnian_outer_run(kernel[i], l, &room, NULL, "test", &run, i ? other : first, NULL),
            PM_OK);
        if (i)
            assert_memory_equal(first, other, numbers * sizeof *first);
        else
            assert_int_equal(pm_hafnian_levels_run(kernel[i], l, &room, NULL, all, &lane, NULL),
                             PM_OK);
        pm_hafnian_room_free(&room);
        for (size_t c = 0; c < numbers && i == 0; c += 2) {
            const double *x = all + c * PM_HAFNIAN_LANES + lane;
            const double low = numbers > 1 ? first[c + 1] - x[PM_HAFNIAN_LANES] : 0;
            assert_true(fabs(first[c] - *x + low) <= size * (numbers > 1 ? 0x1p-80 : 0x1p-30));
        }
    }
}

static void sums_over_sets(void **state)
{
    const pm_hafnian_kernels *k[3];
    const pm_hafnian_kernel *kernel[3], *of_sizes[3];
    const int count = hafnian_kernels(k);
    static double numbers[4 * 33 * 33], sizes[33 * 33];
    (void)state;
    for (int round = 0; round < test_rounds(8); ++round) {
        const graph g = {.field = round % 2 ? PM_COMPLEX : PM_REAL,
                         .n = 23 + (int)pm_rng_below(&rng, round ? 4 : 8),
                         .p = 1,
                         .loops = 1};
        pm_matrix a = {0};
        pm_hafnian_entries e;
        pm_hafnian_scale scale;
        pm_hafnian_level l = {.modulus = 0};
        pm_hafnian_room room = {0};
        double size;
        random_graph(&g, &a);
        assert_int_equal(pm_hafnian_entries_find(&a, &e, NULL), PM_OK);
        assert_int_equal(
            pm_hafnian_floats(&e, &l, g.field == PM_REAL ? 2 : 4, numbers, sizes, &scale, NULL),
            PM_OK);
        assert_true(l.pairs >= PM_HAFNIAN_OUTER_PAIRS);
        for (int i = 0; i < count; ++i) {
            kernel[i] = g.field == PM_REAL ? &k[i]->real : &k[i]->complex;
            of_sizes[i] = &k[i]->size;
        }
        pm_hafnian_level level = l;
        level.step = level.close = sizes;
        assert_int_equal(pm_hafnian_room_make(l.pairs, l.sheets, sizeof size, &room, NULL), PM_OK);
        assert_int_equal(
            pm_hafnian_outer_run(of_sizes[0], &level, &room, NULL, "test", NULL, &size, NULL),
            PM_OK);
        pm_hafnian_room_free(&room);
        compare_sums(&level, of_sizes, count, size);
        compare_sums(&l, kernel, scale.may_underflow ? 1 : count, size);
        pm_hafnian_entries_free(&e);
        pm_matrix_free(&a);
    }
}

/* ---- limits ---- */

static void refusals(void **state)
{
    pm_matrix a = {0};
    pm_value v;
    volatile sig_atomic_t stop = 1;
    pm_run run = {.threads = 1, .max_memory = 1 << 20};
    pm_count_options o = pm_count_defaults();
    (void)state;
    o.algorithm = "hafnian";
    o.general = true;
    pm_value_init(&v);
    complete(62, PM_PATTERN, false, &a);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_UNABLE);
    pm_matrix_free(&a);
    complete(32, PM_PATTERN, false, &a);
    assert_int_equal(pm_count(&a, &o, &run, &v, NULL, NULL), PM_UNABLE);
    run = (pm_run){.threads = 1, .stop = &stop};
    assert_int_equal(pm_count(&a, &o, &run, &v, NULL, NULL), PM_ESTOPPED);
    o.algorithm = "hafnian-small";
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_UNABLE);
    pm_matrix_free(&a);
    pm_value_clear(&v);
}

static void failing_memory(void **state)
{
    const graph g = {.field = PM_INTEGER, .n = 20, .p = 1, .loops = 1},
                h = {.field = PM_REAL, .n = 20, .p = 1};
    (void)state;
    for (int field = 0; field < 2; ++field) {
        pm_matrix a = {0};
        pm_value v;
        pm_status status = PM_ENOMEM;
        pm_value_init(&v);
        random_graph(field ? &h : &g, &a);
        for (int k = 1; status != PM_OK; ++k) {
            pm_alloc_fail_at(k);
            status = count_with(&a, "hafnian", false, 1, 0, &v);
            pm_alloc_fail_at(0);
            assert_true(status == PM_OK || status == PM_ENOMEM);
        }
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(follows_definition),
                                       cmocka_unit_test(errors_are_small),
                                       cmocka_unit_test(wide_weights),
                                       cmocka_unit_test(factors),
                                       cmocka_unit_test(complete_graphs),
                                       cmocka_unit_test(agrees_with_frontier),
                                       cmocka_unit_test(moduli),
                                       cmocka_unit_test(residues_are_given),
                                       cmocka_unit_test(threads),
                                       cmocka_unit_test(vector_units),
                                       cmocka_unit_test(sums_over_sets),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(failing_memory)};
    rng = test_seed();
    return cmocka_run_group_tests_name("hafnian", tests, NULL, NULL);
}
