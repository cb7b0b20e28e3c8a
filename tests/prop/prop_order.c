/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every order of random matrices of every field: counted as it stands by every algorithm against
 * the definition, and its figures against what they predict. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "order/state_count.h"
#include "order/vertex_order.h"
#include "planner/order_figures.h"
#include "planner/order_methods.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "product_tree/tree.h"
#include "reference/textbook.h"
#include "support/answers.h"
#include "support/matrices.h"

static uint64_t rng;

static const char *const algorithms[] = {NULL,       "frontier-rank", "frontier-hash", "ryser",
                                         "sparyser", "skipper",       "product-tree"};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

/* ---- a matrix in an order ---- */

typedef struct {
    pm_ordering o;
    pm_matrix moved; /* where rows and columns take other places */
    const pm_matrix *a;
    int32_t *vertices; /* of a, for the frontier */
} ordered;

static void put_in_order(const pm_order_method *m, const pm_matrix *a, double seconds, ordered *x)
{
    pm_run run = {.threads = 1};
    pm_order_search how = {.seconds = seconds, .seed = pm_rng_next(&rng), .run = &run};
    *x = (ordered){.a = a};
    assert_int_equal(pm_order_find(m, a, &how, &x->o, NULL), PM_OK);
    if (x->o.rows) {
        assert_int_equal(pm_ordering_apply(a, &x->o, &x->moved, NULL), PM_OK);
        x->a = &x->moved;
    }
    x->vertices = calloc((size_t)(a->nrows + a->ncols) + 1, sizeof *x->vertices);
    if (x->o.vertices)
        memcpy(x->vertices, x->o.vertices, (size_t)(a->nrows + a->ncols) * sizeof *x->vertices);
    else
        assert_int_equal(pm_vertex_order_natural(x->a, x->vertices, NULL), PM_OK);
}

static void drop(ordered *x)
{
    pm_ordering_free(&x->o);
    pm_matrix_free(&x->moved);
    free(x->vertices);
}

static void draw(pm_field field, int n, pm_matrix *a)
{
    random_matrix(&rng, field, n, n, 0.15 + 0.6 * pm_rng_unit(&rng), a);
}

/* ---- values ---- */

static void count_as_it_stands(const ordered *x, const char *algorithm, pm_value *v,
                               pm_count_report *report)
{
    pm_error err = {.msg = ""};
    pm_run run = {.threads = 1 + (int)pm_rng_below(&rng, 2)};
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.order = x->vertices;
    o.order_len = x->a->nrows + x->a->ncols;
    pm_status rc = pm_count(x->a, &o, &run, v, report, &err);
    if (rc)
        print_error("%s: %s\n", algorithm ? algorithm : "auto", err.msg);
    assert_int_equal(rc, PM_OK);
    assert_int_equal(pm_count_verify(x->a, &o, &run, v, NULL), PM_OK);
}

static void values_stay(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(80); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_value v;
        pm_value_init(&v);
        draw((pm_field)(round % 4), (int)pm_rng_below(&rng, 10), &a);
        textbook_transfer_matrix(&a, &exact);
        for (int method = 0; pm_order_method_at(method); ++method) {
            const pm_order_method *m = pm_order_method_at(method);
            ordered x;
            put_in_order(m, &a, pm_rng_below(&rng, 2) ? 1e-3 : 0, &x);
            for (int i = 0; i < ALGORITHMS; ++i) {
                count_as_it_stands(&x, algorithms[i], &v, NULL);
                if (!agrees(&v, &exact))
                    print_error("round %d, %s, %s, n = %d\n", round, m->name,
                                algorithms[i] ? algorithms[i] : "auto", (int)a.nrows);
                assert_true(agrees(&v, &exact));
            }
            drop(&x);
        }
        pm_cnum_clear(&exact);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* Blocks that fill tiles and streams: with one another. */
static void algorithms_agree(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(12); ++round) {
        pm_matrix a;
        pm_value direct, v;
        pm_run run = {.threads = 1};
        pm_count_options o = pm_count_defaults();
        int n = 12 + (int)pm_rng_below(&rng, 4);
        pm_value_init(&direct);
        pm_value_init(&v);
        random_matrix(&rng, (pm_field)(round % 4), n, n, 0.2 + 0.3 * pm_rng_unit(&rng), &a);
        assert_int_equal(pm_count(&a, &o, &run, &direct, NULL, NULL), PM_OK);
        for (int method = 0; pm_order_method_at(method); ++method) {
            const pm_order_method *m = pm_order_method_at(method);
            ordered x;
            put_in_order(m, &a, 0, &x);
            for (int i = 0; i < ALGORITHMS; ++i) {
                count_as_it_stands(&x, algorithms[i], &v, NULL);
                if (!values_agree(&direct, &v))
                    print_error("round %d, %s, %s, n = %d\n", round, m->name,
                                algorithms[i] ? algorithms[i] : "auto", n);
                assert_true(values_agree(&direct, &v));
            }
            drop(&x);
        }
        pm_value_clear(&direct);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* Labels tell where every row and column came from. */
static void nothing_is_lost(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_matrix a;
        draw((pm_field)(round % 4), 1 + (int)pm_rng_below(&rng, 30), &a);
        for (int method = 0; pm_order_method_at(method); ++method) {
            const pm_order_method *m = pm_order_method_at(method);
            ordered x;
            pm_matrix back;
            int32_t p[30], q[30];
            put_in_order(m, &a, 1e-4, &x);
            for (int32_t k = 0; k < (int32_t)a.nrows; ++k) {
                char number[24];
                p[atoi(pm_label(&x.a->row_labels, k, number)) - 1] = k;
                q[atoi(pm_label(&x.a->col_labels, k, number)) - 1] = k;
            }
            assert_int_equal(pm_matrix_select(x.a, p, a.nrows, q, a.nrows, &back, NULL), PM_OK);
            assert_true(pm_matrix_equal(&a, &back));
            pm_matrix_free(&back);
            drop(&x);
        }
        pm_matrix_free(&a);
    }
}

/* ---- figures ---- */

/* Signs of the columns for which some row sum is 0, a share. */
static double zeros_by_definition(const pm_matrix *a)
{
    int64_t n = a->nrows, zeros = 0;
    for (int64_t signs = 0; signs < INT64_C(1) << n; ++signs) {
        bool any = false;
        for (int64_t i = 0; i < n && !any; ++i) {
            pm_cnum sum = {0}, entry = {0};
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
                pm_cnum factor = {0};
                textbook_entry(a, k, &entry);
                pm_cnum_set_si(&factor, signs >> a->colind[k] & 1 ? -1 : 1);
                pm_cnum_mul(&entry, &entry, &factor);
                pm_cnum_add(&sum, &sum, &entry);
                pm_cnum_clear(&factor);
            }
            any = pm_dyadic_is_zero(&sum.re) && pm_dyadic_is_zero(&sum.im);
            pm_cnum_clear(&sum);
            pm_cnum_clear(&entry);
        }
        zeros += any;
    }
    return ldexp((double)zeros, -(int)n);
}

static void figures_of_terms(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(40); ++round) {
        pm_matrix a;
        pm_field field = round % 2 ? PM_INTEGER : PM_PATTERN;
        int n = 1 + (int)pm_rng_below(&rng, 9);
        draw(field, n, &a);
        double zeros = zeros_by_definition(&a);
        for (int method = 0; pm_order_method_at(method); ++method) {
            const pm_order_method *m = pm_order_method_at(method);
            ordered x;
            pm_order_figures f;
            put_in_order(m, &a, 0, &x);
            assert_int_equal(pm_order_measure(x.a, x.vertices, 3, &f, NULL), PM_OK);
            assert_true(f.zeros == zeros && f.samples == ldexp(1, n - 1));
            assert_true(f.dense == 2 * n && f.sparse == n + f.updates && f.updates <= n);
            assert_true(f.visits >= 0 && f.visits <= 2);
            assert_true(f.tree >= 0 && f.eliminating >= 0 && f.eliminated < n);
            assert_true(f.registers == 2 * f.k && f.k <= n && f.c <= n);
            drop(&x);
        }
        pm_matrix_free(&a);
    }
}

/* States are those of the frontier program that runs. */
static void figures_of_the_frontier(void **state)
{
    (void)state;
    int compared = 0;
    for (int round = 0; test_goes_on(round, 60, compared > test_rounds(50)); ++round) {
        pm_matrix a;
        pm_value v;
        pm_value_init(&v);
        draw(PM_PATTERN, 4 + (int)pm_rng_below(&rng, 10), &a);
        for (int method = 0; pm_order_method_at(method); ++method) {
            const pm_order_method *m = pm_order_method_at(method);
            ordered x;
            pm_order_figures f;
            pm_count_report report = {0};
            put_in_order(m, &a, 0, &x);
            assert_int_equal(pm_order_measure(x.a, x.vertices, 3, &f, NULL), PM_OK);
            count_as_it_stands(&x, "frontier-rank", &v, &report);
            if (!pm_value_is_zero(&v)) {
                assert_int_equal(report.nblocks, 1);
                assert_true(f.states == report.blocks[0].states);
                assert_true(f.states <= pm_binomial((int64_t)f.frontier, (int64_t)f.frontier / 2));
                ++compared;
            }
            pm_count_report_free(&report);
            drop(&x);
        }
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
    assert_true(compared > test_rounds(50));
}

static double tree_price(const pm_pattern *p, const pm_tree_options *o)
{
    pm_tree_plan plan;
    assert_int_equal(pm_tree_plan_make(p, o, &plan, NULL), PM_OK);
    return ldexp(plan.additions + plan.products + plan.kept + 2, pm_tree_outer(&plan));
}

/* What elimination finds is there for the asking in the order that it writes. */
static void elimination_is_written(void **state)
{
    (void)state;
    const pm_order_method *m = pm_order_method_find("elimination");
    for (int round = 0; round < test_rounds(40); ++round) {
        pm_matrix a;
        ordered x;
        pm_pattern_copy before, after;
        pm_tree_options o = pm_tree_defaults();
        pm_run run = {.threads = 1};
        pm_order_search how = {.seed = 9, .run = &run};
        pm_ordering found = {0};
        draw(PM_PATTERN, 2 + (int)pm_rng_below(&rng, 30), &a);
        assert_int_equal(pm_order_find(m, &a, &how, &found, NULL), PM_OK);
        x = (ordered){.o = found};
        assert_int_equal(pm_ordering_apply(&a, &found, &x.moved, NULL), PM_OK);
        assert_int_equal(pm_pattern_make(&a, &before, NULL), PM_OK);
        assert_int_equal(pm_pattern_make(&x.moved, &after, NULL), PM_OK);
        o.slow = PM_TREE_SLOW;
        o.seed = 9;
        double searched = tree_price(&before.of, &o);
        o.keep_order = true;
        double kept = tree_price(&after.of, &o);
        /* ties between factors of a bucket are settled by row numbers, which differ */
        assert_true(kept <= searched * 1.02);
        pm_pattern_free(&before);
        pm_pattern_free(&after);
        drop(&x);
        pm_matrix_free(&a);
    }
}

/* ---- memory ---- */

static pm_status all_of_it(const pm_matrix *a, pm_error *err)
{
    pm_status s = PM_OK;
    pm_run run = {.threads = 1};
    pm_order_search how = {.seconds = 1e-4, .run = &run};
    for (int method = 0; pm_order_method_at(method) && s == PM_OK; ++method) {
        const pm_order_method *m = pm_order_method_at(method);
        pm_ordering o = {0};
        pm_matrix b = {0};
        pm_order_figures f;
        s = pm_order_find(m, a, &how, &o, err);
        if (s == PM_OK && o.rows)
            s = pm_ordering_apply(a, &o, &b, err);
        if (s == PM_OK)
            s = pm_order_measure(o.rows ? &b : a, o.vertices, 1, &f, err);
        pm_ordering_free(&o);
        pm_matrix_free(&b);
    }
    return s;
}

static void no_memory(void **state)
{
    (void)state;
    pm_matrix a;
    pm_status s = PM_ENOMEM;
    int failures = 0;
    random_matrix(&rng, PM_REAL, 6, 6, 0.6, &a);
    for (int64_t k = 1; s != PM_OK; ++k) {
        pm_error err = {.msg = ""};
        pm_alloc_fail_at(k);
        s = all_of_it(&a, &err);
        pm_alloc_fail_at(0);
        assert_true(s == PM_OK || (s == PM_ENOMEM && strlen(err.msg) > 0));
        failures += s != PM_OK;
    }
    assert_true(failures > 50);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stay),
        cmocka_unit_test(algorithms_agree),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(figures_of_terms),
        cmocka_unit_test(figures_of_the_frontier),
        cmocka_unit_test(elimination_is_written),
        cmocka_unit_test(no_memory),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
