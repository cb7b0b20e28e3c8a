/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting graphs on one set of vertices: every algorithm against the definition and against every other, and identities that
 * hafnians obey.  Nothing here can fail by chance. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "general/general_bound.h"
#include "number/cnum.h"
#include "pm/algorithms.h"
#include "pm/count.h"
#include "reference/textbook.h"
#include "support/answers.h"
#include "support/matrices.h"

static uint64_t rng;

/* NULL, the automatic choice, then every algorithm for general graphs that runs on the CPU. */
enum { ALGORITHMS_MAX = 16 };
static const char *algorithms[ALGORITHMS_MAX];
static int nalgorithms, answered[ALGORITHMS_MAX];

static void find_algorithms(void)
{
    algorithms[nalgorithms++] = NULL;
    for (int i = 0; pm_algorithm_name(i); ++i)
        if (pm_algorithm_is_general(i) && pm_algorithm_backend(i) == PM_BACKEND_CPU) {
            assert_true(nalgorithms < ALGORITHMS_MAX);
            algorithms[nalgorithms++] = pm_algorithm_name(i);
        }
}

/* ---- graphs ---- */

static void add(pm_triples *t, int64_t i, int64_t j, const pm_dyadic *re, const pm_dyadic *im)
{
    pm_dyadic x = {0}, y = {0};
    pm_dyadic_set(&x, re);
    pm_dyadic_set(&y, im);
    assert_int_equal(pm_triples_add(t, i, j, 0, t->field == PM_PATTERN ? NULL : &x,
                                    t->field == PM_COMPLEX ? &y : NULL, NULL),
                     PM_OK);
    pm_dyadic_clear(&x);
    pm_dyadic_clear(&y);
}

static void random_graph(int round, int most, pm_matrix *out)
{
    static const double densities[] = {0.12, 0.25, 0.5, 1};
    const double loops = pm_rng_below(&rng, 2) ? 0 : pm_rng_unit(&rng);
    random_symmetric(&rng, (pm_field)(round % 4), (int)pm_rng_below(&rng, (uint32_t)most + 1),
                     densities[pm_rng_below(&rng, 4)], loops, out);
}

/* ---- counts ---- */

static pm_count_options random_options(const char *algorithm)
{
    pm_count_options o = pm_count_defaults();
    o.general = true;
    o.algorithm = algorithm;
    o.seed = pm_rng_next(&rng);
    o.reduce = (pm_reduce_options){.blocks = pm_rng_next(&rng) & 1,
                                   .degree1 = pm_rng_next(&rng) & 1,
                                   .degree2 = pm_rng_next(&rng) & 1,
                                   .twins = pm_rng_next(&rng) & 1};
    if (pm_rng_below(&rng, 2))
        o.reduce = pm_reduce_all();
    return o;
}

/* Predicted seconds of a count by a named algorithm: a sum over the surfaces of a graph that is far from planar takes minutes. */
#define SECONDS_MOST 0.05

/* False where the named algorithm is unable to count the graph, or would take long. */
static bool count_by(const pm_matrix *a, const pm_count_options *o, pm_value *v)
{
    pm_error err = {.msg = ""};
    const pm_run run = {.threads = 1 + (int)pm_rng_below(&rng, 3),
                        .max_cost = o->algorithm ? SECONDS_MOST : 0};
    pm_status status = pm_count(a, o, &run, v, NULL, &err);
    if (status == PM_UNABLE && o->algorithm)
        return false;
    if (status)
        print_error("%s: %s\n", o->algorithm ? o->algorithm : "auto", err.msg);
    assert_int_equal(status, PM_OK);
    return true;
}

/* ---- tests ---- */

static void against_definition(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(600); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_value_init(&v);
        random_graph(round, round % 8 ? 9 : 14, &a);
        textbook_hafnian(&a, &exact);
        for (int i = 0; i < nalgorithms; ++i) {
            const pm_count_options o = random_options(algorithms[i]);
            if (!count_by(&a, &o, &v))
                continue;
            ++answered[i];
            if (!agrees(&v, &exact))
                print_error("round %d, %s, n = %d\n", round, algorithms[i] ? algorithms[i] : "auto",
                            (int)a.nrows);
            assert_true(agrees(&v, &exact));
        }
        pm_value_clear(&v);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
    for (int i = 0; i < nalgorithms; ++i) {
        print_message("# %s: %d answers\n", algorithms[i] ? algorithms[i] : "auto", answered[i]);
        assert_true(answered[i] > 0);
    }
}

/* Larger graphs, where levels are large enough for every kind of step. */
static void algorithms_agree(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        pm_matrix a;
        pm_value v[ALGORITHMS_MAX];
        const int n = 16 + (int)pm_rng_below(&rng, 10);
        const double loops = pm_rng_below(&rng, 2) ? 0 : pm_rng_unit(&rng);
        random_symmetric(&rng, (pm_field)(round % 4), n, 0.1 + 0.4 * pm_rng_unit(&rng), loops, &a);
        for (int i = 0; i < nalgorithms; ++i) {
            const pm_count_options o = random_options(algorithms[i]);
            pm_value_init(&v[i]);
            /* graphs without copies have 2^(n - 1) terms */
            if (n > 17 && algorithms[i] && strcmp(algorithms[i], "repeated") == 0)
                continue;
            if (!count_by(&a, &o, &v[i]))
                continue;
            if (!values_agree(&v[0], &v[i]))
                print_error("round %d, %s, n = %d\n", round, algorithms[i], n);
            assert_true(values_agree(&v[0], &v[i]));
        }
        for (int i = 0; i < nalgorithms; ++i)
            pm_value_clear(&v[i]);
        pm_matrix_free(&a);
    }
}

/* A given order, a second count, and a modulus. */
static void other_ways(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(150); ++round) {
        pm_matrix a;
        int32_t order[20];
        pm_value v, w;
        random_graph(round, 20, &a);
        pm_value_init(&v);
        pm_value_init(&w);
        pm_count_options o = random_options(NULL);
        assert_true(count_by(&a, &o, &v));
        assert_int_equal(pm_count_verify(&a, &o, NULL, &v, NULL), PM_OK);
        random_permutation(&rng, order, (int32_t)a.nrows);
        o.order = order;
        o.order_len = a.nrows;
        assert_true(count_by(&a, &o, &w));
        assert_true(values_agree(&v, &w));
        if (a.field <= PM_INTEGER) {
            o.modulus = 2 + pm_rng_next(&rng) % ((UINT64_C(1) << 62) - 2);
            assert_true(count_by(&a, &o, &w));
            const uint64_t residue = mpz_fdiv_ui(mpq_numref(v.exact), o.modulus);
            assert_int_equal(mpz_get_ui(mpq_numref(w.exact)), residue);
        }
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
    }
}

/* A given order names the vertices without neighbours, too. */
static void order_of_loops(void **state)
{
    (void)state;
    pm_matrix a;
    int32_t order[20];
    pm_value v, w;
    random_symmetric(&rng, PM_INTEGER, 20, 0.03, 1, &a);
    random_permutation(&rng, order, 20);
    pm_count_options o = pm_count_defaults();
    o.general = true;
    pm_value_init(&v);
    pm_value_init(&w);
    assert_true(count_by(&a, &o, &v));
    o.order = order;
    o.order_len = 20;
    assert_true(count_by(&a, &o, &w));
    assert_true(values_agree(&v, &w));
    pm_value_clear(&v);
    pm_value_clear(&w);
    pm_matrix_free(&a);
}

/* The hafnian of a bipartite graph is the permanent of the block between its sides. */
static void bipartite_graphs(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(150); ++round) {
        pm_matrix b, a;
        pm_value v, w;
        const int n = 1 + (int)pm_rng_below(&rng, 9);
        random_matrix(&rng, (pm_field)(round % 4), n, n, 0.2 + 0.8 * pm_rng_unit(&rng), &b);
        pm_triples t = {.field = b.field, .nrows = 2 * n, .ncols = 2 * n};
        for (int i = 0; i < n; ++i)
            for (int64_t k = b.rowptr[i]; k < b.rowptr[i + 1]; ++k) {
                const pm_dyadic none = {0};
                const pm_dyadic *re = b.re ? &b.re[k] : &none, *im = b.im ? &b.im[k] : &none;
                add(&t, i, n + b.colind[k], re, im);
                add(&t, n + b.colind[k], i, re, im);
            }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "both", &a, NULL), PM_OK);
        pm_triples_free(&t);
        pm_value_init(&v);
        pm_value_init(&w);
        const pm_count_options o = pm_count_defaults(), general = random_options(NULL);
        assert_int_equal(pm_count(&b, &o, NULL, &v, NULL, NULL), PM_OK);
        assert_true(count_by(&a, &general, &w));
        assert_true(values_agree(&v, &w));
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
        pm_matrix_free(&b);
    }
}

/* (2m - 1)!! */
static void complete_graphs(void **state)
{
    (void)state;
    mpz_t exact;
    mpz_init_set_ui(exact, 1);
    for (int m = 1; m <= 11; ++m) {
        pm_matrix a;
        pm_value v;
        random_symmetric(&rng, PM_PATTERN, 2 * m, 1, 0, &a);
        mpz_mul_ui(exact, exact, (unsigned long)(2 * m - 1));
        pm_value_init(&v);
        const pm_count_options o = random_options(NULL);
        assert_true(count_by(&a, &o, &v));
        assert_int_equal(mpz_cmp(mpq_numref(v.exact), exact), 0);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
    mpz_clear(exact);
}

/* No hafnian of absolute values is above its bound. */
static void bounds(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(400); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        random_graph(round, 11, &a);
        for (int64_t k = 0; k < pm_matrix_nnz(&a) && a.re; ++k)
            if (pm_dyadic_sign(&a.re[k]) < 0)
                pm_dyadic_neg(&a.re[k]);
        if (a.field < PM_COMPLEX) {
            textbook_hafnian(&a, &exact);
            const double bound = pm_general_log2_bound(&a);
            assert_true(pm_cnum_is_zero(&exact) || pm_cnum_log2(&exact) <= bound + 1e-9);
        }
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_definition),
        cmocka_unit_test(algorithms_agree),
        cmocka_unit_test(other_ways),
        cmocka_unit_test(order_of_loops),
        cmocka_unit_test(bipartite_graphs),
        cmocka_unit_test(complete_graphs),
        cmocka_unit_test(bounds),
    };
    rng = test_seed();
    find_algorithms();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
