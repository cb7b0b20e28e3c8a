/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General graphs whose vertices have copies: against the definition, closed forms, and between vector units.  All comparisons are exact or
 * within proven errors, so no test fails by chance. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "copies/copies_problem.h"
#include "copies/copies_sweep.h"
#include "copies/walks.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "repeated/repeated_exact.h"
#include "support/answers.h"
#include "support/matrices.h"

static uint64_t rng;

enum { VERTICES = 6 };

/* ---- graphs ---- */

typedef struct {
    pm_field field;
    int n;
    bool is_wild;  /* entries as of random_matrix, some of 60 bits or beyond 2^600 */
    double p, own; /* probabilities of an edge to another vertex, and between copies of one */
    double alone;  /* of a loop */
} graph;

typedef struct {
    pm_matrix a, loops;
    bool has_loops;
    int64_t times[VERTICES], total;
} copies;

static void random_number(const graph *g, pm_cnum *x)
{
    for (int part = 0; part < (g->field == PM_COMPLEX ? 2 : 1); ++part) {
        pm_dyadic *to = part ? &x->im : &x->re;
        if (g->field == PM_PATTERN)
            pm_dyadic_set_si(to, 1);
        else if (g->is_wild && g->field >= PM_REAL)
            random_real(&rng, to);
        else if (g->is_wild)
            pm_dyadic_set_si(to, random_entry(&rng));
        else if (g->field >= PM_REAL)
            pm_dyadic_set_d(to, 2 * pm_rng_unit(&rng) - 1);
        else
            pm_dyadic_set_si(to, (int64_t)pm_rng_below(&rng, 19) - 9);
    }
}

static void add(pm_triples *t, int i, int j, const pm_cnum *x)
{
    pm_cnum y = {0};
    pm_cnum_set(&y, x);
    assert_int_equal(pm_triples_add(t, i, j, 0, t->field == PM_PATTERN ? NULL : &y.re,
                                    t->field == PM_COMPLEX ? &y.im : NULL, NULL),
                     PM_OK);
}

/* The matrix of random numbers in random places: symmetric, or a column if `column`. */
static void random_weights(const graph *g, bool column, pm_matrix *out)
{
    pm_triples t = {.field = g->field, .nrows = g->n, .ncols = column ? 1 : g->n};
    for (int i = 0; i < g->n; ++i)
        for (int j = i; j < (column ? i + 1 : g->n); ++j) {
            pm_cnum x = {0};
            if (pm_rng_unit(&rng) < (column ? g->alone : i == j ? g->own : g->p))
                random_number(g, &x);
            if (!pm_cnum_is_zero(&x))
                add(&t, i, column ? 0 : j, &x);
            if (!pm_cnum_is_zero(&x) && i != j)
                add(&t, j, i, &x);
            pm_cnum_clear(&x);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

static void random_copies(const graph *g, int64_t most, copies *x)
{
    *x = (copies){.has_loops = g->alone > 0};
    random_weights(g, false, &x->a);
    if (x->has_loops)
        random_weights(g, true, &x->loops);
    for (int v = 0; v < g->n; ++v) {
        const int64_t left = most - x->total;
        x->times[v] = pm_rng_below(&rng, (uint32_t)(left < 6 ? left : 6) + 1);
        x->total += x->times[v];
    }
}

static void copies_free(copies *x)
{
    pm_matrix_free(&x->a);
    pm_matrix_free(&x->loops);
}

/* ---- the definition ---- */

static void entry(const pm_matrix *a, int64_t i, int64_t j, pm_cnum *out)
{
    pm_cnum_set_si(out, 0);
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        if (a->colind[k] == j) {
            pm_dyadic_set_si(&out->re, 1);
            if (a->re)
                pm_dyadic_set(&out->re, &a->re[k]);
            if (a->im)
                pm_dyadic_set(&out->im, &a->im[k]);
        }
}

/* *sum += factor * weight * h */
static void add_product(pm_cnum *sum, int64_t factor, const pm_cnum *weight, const pm_cnum *h)
{
    pm_cnum x = {0};
    pm_cnum_set_si(&x, factor);
    pm_cnum_mul(&x, &x, weight);
    pm_cnum_mul(&x, &x, h);
    pm_cnum_add(sum, sum, &x);
    pm_cnum_clear(&x);
}

/* h: of the graph with left[v] copies of each vertex, by the partner of one copy of the first vertex that is left: any of the other copies, or
 * none.  The index of `left` is in mixed radix. */
static void definition(const copies *x, pm_cnum *out)
{
    const int n = (int)x->a.nrows;
    int64_t states = 1, stride[VERTICES];
    for (int v = 0; v < n; ++v) {
        stride[v] = states;
        states *= x->times[v] + 1;
    }
    pm_cnum *h = calloc((size_t)states, sizeof *h);
    assert_non_null(h);
    pm_cnum_set_si(&h[0], 1);
    for (int64_t s = 1; s < states; ++s) {
        int first = 0;
        pm_cnum weight = {0};
        while (s / stride[first] % (x->times[first] + 1) == 0)
            ++first;
        const int64_t rest = s - stride[first];
        if (x->has_loops) {
            entry(&x->loops, first, 0, &weight);
            add_product(&h[s], 1, &weight, &h[rest]);
        }
        for (int u = first; u < n; ++u) {
            const int64_t left = rest / stride[u] % (x->times[u] + 1);
            if (left == 0)
                continue;
            entry(&x->a, first, u, &weight);
            add_product(&h[s], left, &weight, &h[rest - stride[u]]);
        }
        pm_cnum_clear(&weight);
    }
    pm_cnum_set(out, &h[states - 1]);
    for (int64_t s = 0; s < states; ++s)
        pm_cnum_clear(&h[s]);
    free(h);
}

/* ---- counts ---- */

static pm_count_options options(const copies *x, const char *algorithm)
{
    pm_count_options opt = pm_count_defaults();
    opt.general = true;
    opt.algorithm = algorithm;
    opt.row_times = x->times;
    opt.loops = x->has_loops ? &x->loops : NULL;
    return opt;
}

static void count(const copies *x, const pm_count_options *opt, int threads, pm_value *v)
{
    pm_error err = {.msg = ""};
    const pm_run run = {.threads = threads};
    const pm_status status = pm_count(&x->a, opt, &run, v, NULL, &err);
    if (status)
        print_message("# %s\n", err.msg);
    assert_int_equal(status, PM_OK);
}

static void compare_with_definition(const graph *g, int64_t most)
{
    static const char *const names[] = {NULL, "repeated", "repeated", "hafnian"};
    copies x;
    pm_cnum exact = {0};
    pm_value v;
    pm_value_init(&v);
    random_copies(g, most, &x);
    definition(&x, &exact);
    for (int k = 0; k < 4; ++k) {
        pm_count_options opt = options(&x, x.total ? names[k] : NULL);
        opt.precision = (pm_precision)(k == 2 ? PM_QUAD : pm_rng_below(&rng, PM_SINGLE + 1));
        opt.independent = pm_rng_below(&rng, 4) == 0;
        count(&x, &opt, 1 + (int)pm_rng_below(&rng, 3), &v);
        assert_true(agrees(&v, &exact));
    }
    pm_value_clear(&v);
    pm_cnum_clear(&exact);
    copies_free(&x);
}

static void follows_definition(void **state)
{
    static const double some[] = {0, 0.5, 1};
    (void)state;
    for (int round = test_rounds(600); round > 0; --round)
        for (int field = PM_PATTERN; field <= PM_COMPLEX; ++field) {
            const graph g = {.field = (pm_field)field,
                             .n = 1 + (int)pm_rng_below(&rng, VERTICES),
                             .p = pm_rng_below(&rng, 3) ? 1 : 0.6,
                             .own = some[pm_rng_below(&rng, 3)],
                             .alone = some[pm_rng_below(&rng, 3)],
                             .is_wild = pm_rng_below(&rng, 4) == 0};
            compare_with_definition(&g, round % 10 ? 10 : 22);
        }
}

/* An error bound that is far too large would agree with everything: 18 copies, sums of numbers below 2. */
static void errors_are_small(void **state)
{
    (void)state;
    for (int loops = 0; loops < 2; ++loops)
        for (int field = PM_REAL; field <= PM_COMPLEX; ++field) {
            const graph g = {.field = (pm_field)field, .n = 6, .p = 1, .own = 1, .alone = loops};
            copies x;
            pm_cnum exact = {0};
            pm_value v;
            pm_value_init(&v);
            random_copies(&g, 18, &x);
            for (int i = 0; i < 6; ++i)
                x.times[i] = test_size(3, 2);
            definition(&x, &exact);
            for (int quad = 0; quad < 2; ++quad) {
                pm_count_options opt = options(&x, "repeated");
                opt.precision = quad ? PM_QUAD : PM_DOUBLE;
                count(&x, &opt, 1, &v);
                assert_true(agrees(&v, &exact));
                /* 17!! or 10^8 products below 2^9: 2^36 in all; 24 bits for cancellation and roundings */
                assert_true(
                    pm_xreal_cmpabs(v.error, pm_xreal_make(1, 0, (quad ? -106 : -53) + 36 + 24))
                    < 0);
            }
            pm_value_clear(&v);
            pm_cnum_clear(&exact);
            copies_free(&x);
        }
}

/* ---- closed forms ---- */

/* (n - 1)!!, or with loops the number of involutions: I(n) = I(n-1) + (n-1) I(n-2). */
static void closed_form(int64_t n, bool loops, mpz_t out)
{
    mpz_t before, next;
    mpz_init_set_ui(before, 0);
    mpz_init(next);
    mpz_set_ui(out, 1);
    for (int64_t k = 1; k <= n; ++k) {
        mpz_mul_ui(next, before, (unsigned long)k - 1);
        if (loops)
            mpz_add(next, next, out);
        mpz_set(before, out);
        mpz_set(out, next);
    }
    mpz_clear(before);
    mpz_clear(next);
}

/* Vertices that are all joined, with 1 for every edge and loop. */
static void check_complete(int n, int64_t times, bool loops, pm_field field, uint64_t modulus)
{
    const graph ones = {.field = PM_PATTERN, .n = n, .p = 1, .own = 1, .alone = loops};
    copies x;
    pm_value v;
    mpz_t z;
    pm_cnum exact = {0};
    mpz_init(z);
    pm_value_init(&v);
    random_copies(&ones, 0, &x);
    for (int i = 0; i < n; ++i)
        x.times[i] = times;
    assert_int_equal(pm_matrix_widen(&x.a, field, NULL), PM_OK);
    if (loops)
        assert_int_equal(pm_matrix_widen(&x.loops, field, NULL), PM_OK);
    closed_form(n * times, loops, z);
    if (modulus)
        mpz_mod_ui(z, z, modulus);
    pm_dyadic_set_mpz(&exact.re, z);
    pm_count_options opt = options(&x, "repeated");
    opt.modulus = modulus;
    count(&x, &opt, 2, &v);
    assert_true(agrees(&v, &exact));
    if (field >= PM_REAL && n * times <= 24) /* some 20 digits */
        assert_true(pm_xreal_cmpabs(v.error, pm_xreal_mul(v.re, pm_xreal_make(1, 0, -64))) <= 0);
    pm_value_clear(&v);
    pm_cnum_clear(&exact);
    copies_free(&x);
    mpz_clear(z);
}

static void complete_graphs(void **state)
{
    (void)state;
    for (int loops = 0; loops < 2; ++loops) {
        for (int field = PM_PATTERN; field <= PM_COMPLEX; ++field) {
            for (int times = 1 + test_first(&rng, 4); times <= 12; times += test_step(4))
                for (int n = 1; n <= 4; ++n)
                    check_complete(n, times, loops, (pm_field)field, 0);
            check_complete(1, 200, loops, (pm_field)field, 0);
        }
        check_complete(1, test_size(1000, 300), loops, PM_PATTERN, 0);
        check_complete(2, test_size(151, 31), loops, PM_INTEGER, 0);
        check_complete(3, test_size(33, 13), loops, PM_INTEGER, 1000);
        check_complete(5, 4, loops, PM_INTEGER, UINT64_C(1) << 40);
    }
}

/* Equal vertices of a graph that is written out are found. */
static void finds_copies(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        const graph g = {.field = (pm_field)(round % 4), .n = 5, .p = 1, .own = 0.5, .alone = 0.5};
        copies x;
        pm_matrix whole = {0};
        pm_value v, w;
        pm_value_init(&v);
        pm_value_init(&w);
        random_copies(&g, 16, &x);
        assert_int_equal(pm_matrix_repeat_vertices(&x.a, x.times, &x.loops, &whole, NULL), PM_OK);
        pm_block b = {.a = whole, .n = whole.nrows, .general = true};
        pm_vertex_classes c;
        assert_int_equal(pm_vertex_classes_find(&b, &c, NULL), PM_OK);
        assert_true(c.count <= 5);
        pm_count_options opt = pm_count_defaults();
        opt.general = true;
        opt.algorithm = x.total ? "repeated" : NULL;
        opt.reduce = (pm_reduce_options){0};
        assert_int_equal(pm_count(&whole, &opt, NULL, &v, NULL, NULL), PM_OK);
        opt = options(&x, "hafnian");
        count(&x, &opt, 1, &w);
        assert_true(g.field <= PM_INTEGER ? mpq_equal(v.exact, w.exact) : values_agree(&v, &w));
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&whole);
        copies_free(&x);
    }
}

/* ---- vector units ---- */

static bool are_same(pm_xreal a, pm_xreal b)
{
    return a.hi == b.hi && a.lo == b.lo && a.exp == b.exp;
}

/* The classes as they are given, one copy more of each, which refer to *b; cap: VERTICES numbers. */
static void find_classes(copies *x, int32_t *cap, pm_block *b, pm_vertex_classes *out)
{
    for (int i = 0; i < (int)x->a.nrows; ++i)
        cap[i] = (int32_t)++x->times[i];
    x->total += x->a.nrows;
    *b = (pm_block){.a = x->a,
                    .loops = x->loops,
                    .row_cap = cap,
                    .col_cap = cap,
                    .n = x->total,
                    .general = true,
                    .written_out = true};
    assert_int_equal(pm_vertex_classes_find(b, out, NULL), PM_OK);
}

static void vector_units_agree(void **state)
{
    (void)state;
    const pm_ledger_scope none = {.ledger = NULL};
    const pm_isa best = pm_isa_best();
    for (int round = 0; round < test_rounds(60); ++round) {
        const graph g = {.field = round % 2 ? PM_COMPLEX : PM_REAL,
                         .n = 5,
                         .p = 1,
                         .own = 0.5,
                         .alone = round / 2 % 2};
        copies x;
        random_copies(&g, 16, &x);
        int32_t cap[VERTICES];
        pm_block b;
        pm_vertex_classes c;
        find_classes(&x, cap, &b, &c);
        if (!c.has_loops && c.total % 2) {
            copies_free(&x);
            continue;
        }
        const int kind = (int)pm_rng_below(&rng, 2) * 2 + (g.field == PM_COMPLEX);
        pm_value first, v;
        pm_value_init(&first);
        pm_value_init(&v);
        assert_int_equal(pm_copies_float(&c, kind, PM_ISA_PORTABLE, &none, NULL, &first, NULL),
                         PM_OK);
        for (int isa = PM_ISA_PORTABLE; isa <= (int)best; ++isa) {
            assert_int_equal(pm_copies_float(&c, kind, (pm_isa)isa, &none, NULL, &v, NULL), PM_OK);
            assert_true(are_same(v.re, first.re) && are_same(v.im, first.im)
                        && are_same(v.error, first.error));
        }
        pm_value_clear(&first);
        pm_value_clear(&v);
        copies_free(&x);
    }
}

/* Walks alone, real and complex: within their error of the definition, and the same on all vector units. */
static void walks_follow_definition(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        const graph g = {.field = round % 2 ? PM_COMPLEX : PM_REAL,
                         .n = 1 + (int)pm_rng_below(&rng, VERTICES),
                         .p = pm_rng_below(&rng, 3) ? 1 : 0.6,
                         .own = round / 2 % 2,
                         .alone = round / 4 % 2 ? 0.7 : 0,
                         .is_wild = round / 8 % 4 == 0};
        copies x;
        pm_cnum exact = {0};
        int32_t cap[VERTICES];
        pm_block b;
        pm_vertex_classes c;
        pm_value first, v;
        random_copies(&g, 16, &x);
        find_classes(&x, cap, &b, &c);
        if (!c.has_loops && c.total % 2) {
            copies_free(&x);
            continue;
        }
        definition(&x, &exact);
        pm_value_init(&first);
        pm_value_init(&v);
        const int kind = (int)pm_rng_below(&rng, 2) * 2 + (g.field == PM_COMPLEX);
        for (int isa = PM_ISA_PORTABLE; isa <= (int)pm_isa_best(); ++isa) {
            pm_value *to = isa == PM_ISA_PORTABLE ? &first : &v;
            assert_int_equal(pm_walks_float(&c, kind, (pm_isa)isa, NULL, to, NULL), PM_OK);
            assert_true(agrees(to, &exact));
            /* Products that underflow have other low parts without fused operations. */
            assert_true(g.is_wild
                        || (are_same(to->re, first.re) && are_same(to->im, first.im)
                            && are_same(to->error, first.error)));
        }
        pm_value_clear(&first);
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        copies_free(&x);
    }
}

/* Weights that are not negative lose nothing but roundings: some 26 digits of 60 vertices, 11 in double. */
static void walks_are_precise(void **state)
{
    (void)state;
    for (int loops = 0; loops < 2; ++loops)
        for (int quad = 0; quad < 2; ++quad) {
            const graph ones = {.field = PM_PATTERN, .n = 4, .p = 1, .own = 1, .alone = loops};
            copies x;
            int32_t cap[VERTICES];
            pm_block b;
            pm_vertex_classes c;
            pm_value v;
            pm_value_init(&v);
            random_copies(&ones, 0, &x);
            for (int i = 0; i < 4; ++i)
                x.times[i] = 14;
            assert_int_equal(pm_matrix_widen(&x.a, PM_REAL, NULL), PM_OK);
            if (loops)
                assert_int_equal(pm_matrix_widen(&x.loops, PM_REAL, NULL), PM_OK);
            x.total = 56;
            find_classes(&x, cap, &b, &c);
            const int kind = quad ? PM_DENSE_QUAD : PM_DENSE_REAL;
            assert_int_equal(pm_walks_float(&c, kind, pm_isa_best(), NULL, &v, NULL), PM_OK);
            assert_true(
                pm_xreal_cmpabs(v.error, pm_xreal_mul(v.re, pm_xreal_make(1, 0, quad ? -84 : -36)))
                < 0);
            pm_value_clear(&v);
            copies_free(&x);
        }
}

/* Long enough for several threads. */
static void walks_on_threads(void **state)
{
    enum { LOOPS, NONE, ROUNDS };
    (void)state;
    for (int round = LOOPS; round < ROUNDS; ++round) {
        const graph g = {.field = PM_COMPLEX, .n = 6, .p = 1, .own = 1, .alone = round == LOOPS};
        copies x;
        int32_t cap[VERTICES];
        pm_block b;
        pm_vertex_classes c;
        pm_value one, more;
        pm_copies_cost cost;
        pm_value_init(&one);
        pm_value_init(&more);
        random_copies(&g, 0, &x);
        for (int i = 0; i < 6; ++i)
            x.times[i] = 13;
        x.total = 78;
        find_classes(&x, cap, &b, &c);
        assert_int_equal(pm_walks_cost_of(&c, PM_DENSE_COMPLEX_QUAD, &cost, NULL), PM_OK);
        assert_true(cost.work / 2 >= PM_WALKS_SHORT_WORK);
        for (int threads = 1; threads <= 3; threads += 2) {
            const pm_run run = {.threads = threads};
            assert_int_equal(pm_walks_float(&c, PM_DENSE_COMPLEX_QUAD, pm_isa_best(), &run,
                                            threads == 1 ? &one : &more, NULL),
                             PM_OK);
        }
        assert_true(are_same(one.re, more.re) && are_same(one.im, more.im)
                    && are_same(one.error, more.error));
        pm_value_clear(&one);
        pm_value_clear(&more);
        copies_free(&x);
    }
}

static void residues_agree(void **state)
{
    (void)state;
    const pm_ledger_scope none = {.ledger = NULL};
    for (int round = 0; round < test_rounds(60); ++round) {
        const graph g = {
            .field = PM_INTEGER, .n = 5, .p = 1, .own = 1, .alone = 1, .is_wild = true};
        copies x;
        random_copies(&g, 16, &x);
        int32_t cap[VERTICES];
        pm_block b;
        pm_vertex_classes c;
        find_classes(&x, cap, &b, &c);
        pm_cnum exact = {0};
        mpz_t z;
        mpz_init(z);
        definition(&x, &exact);
        pm_dyadic_get_mpz(z, &exact.re);
        const uint64_t p =
            pm_prime_below(round % 2 ? PM_REPEATED_PRIME_MAX : 200 + pm_rng_below(&rng, 100));
        for (int isa = PM_ISA_PORTABLE; isa <= (int)pm_isa_best(); ++isa) {
            uint64_t residue;
            assert_int_equal(pm_copies_residue(&c, p, (pm_isa)isa, &none, NULL, &residue, NULL),
                             PM_OK);
            assert_true(residue == mpz_fdiv_ui(z, p));
            assert_int_equal(pm_walks_residue(&c, p, (pm_isa)isa, NULL, &residue, NULL), PM_OK);
            assert_true(residue == mpz_fdiv_ui(z, p));
        }
        mpz_clear(z);
        pm_cnum_clear(&exact);
        copies_free(&x);
    }
}

static void failing_memory(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        const graph g = {
            .field = k % 2 ? PM_COMPLEX : PM_INTEGER, .n = 4, .p = 1, .alone = k / 2 % 2};
        copies x;
        pm_value v;
        pm_status status = PM_ENOMEM;
        pm_value_init(&v);
        random_copies(&g, 0, &x);
        for (int i = 0; i < g.n; ++i)
            x.times[i] = 2;
        const pm_count_options opt = options(&x, k / 4 ? "repeated" : NULL);
        for (int at = 1; status != PM_OK; ++at) {
            pm_alloc_fail_at(at);
            status = pm_count(&x.a, &opt, NULL, &v, NULL, NULL);
            pm_alloc_fail_at(0);
            assert_true(status == PM_OK || status == PM_ENOMEM);
        }
        pm_value_clear(&v);
        copies_free(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_definition), cmocka_unit_test(errors_are_small),
        cmocka_unit_test(complete_graphs),    cmocka_unit_test(finds_copies),
        cmocka_unit_test(vector_units_agree), cmocka_unit_test(walks_follow_definition),
        cmocka_unit_test(walks_are_precise),  cmocka_unit_test(walks_on_threads),
        cmocka_unit_test(residues_agree),     cmocka_unit_test(failing_memory),
    };
    rng = test_seed();
    return cmocka_run_group_tests_name("copies", tests, NULL, NULL);
}
