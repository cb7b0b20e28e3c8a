/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sequential estimators: their mean is the permanent, of patterns and of weighted matrices;
 * bounded weights stay below their bound; masks and lists choose alike.
 * False alarm: none.  The means, also of larger graphs, are those of the same samples in each run. */
#include "config.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "support/graphs.h"
#include "support/matrices.h"

#include "cuda/degree_masks.h"
#include "degree/degree_lists.h"
#include "degree/hub_bound.h"
#include "degree/hub_root.h"
#include "estimate/sampler_registry.h"
#include "pm/alloc.h"
#include "pm/dm.h"
#include "reference/textbook.h"
#include "sampler/moments.h"
#include "sampler/weight.h"

static const char *const methods[] = {"rasmussen", "rasmussen+", "look+",     "hub+",
                                      "scaling",   "scaling+",   "scaling++", "hub++"};
enum { METHODS = sizeof methods / sizeof *methods };

/* Positive entries, some far apart; with a perfect matching. */
static void draw_matrix(uint64_t *rng, bool weighted, int n, double p, pm_matrix *a)
{
    for (;;) {
        pm_triples t = {.field = weighted ? PM_REAL : PM_PATTERN, .nrows = n, .ncols = n};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                pm_dyadic x = {0};
                if (pm_rng_unit(rng) >= p)
                    continue;
                pm_dyadic_set_d(&x, ldexp(1 + pm_rng_unit(rng), (int)pm_rng_below(rng, 6)));
                assert_int_equal(pm_triples_add(&t, i, j, 0, weighted ? &x : NULL, NULL, NULL),
                                 PM_OK);
            }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "random", a, NULL), PM_OK);
        pm_triples_free(&t);
        pm_dm d = {0};
        assert_int_equal(pm_dm_decompose(a, NULL, &d, NULL), PM_OK);
        bool has_matching = pm_dm_has_perfect_matching(&d);
        pm_dm_free(&d);
        if (has_matching)
            return;
        pm_matrix_free(a);
    }
}

static double permanent(const pm_matrix *a)
{
    pm_cnum x = {0};
    textbook_transfer_matrix(a, &x);
    double value = pm_dyadic_get_d(&x.re);
    pm_cnum_clear(&x);
    return value;
}

static pm_sampler_options options_of(uint64_t *rng)
{
    return (pm_sampler_options){.scale_interval = (int)pm_rng_below(rng, 4),
                                .scale_sweeps = (int)pm_rng_below(rng, 4),
                                .complete = (int)pm_rng_below(rng, 4)};
}

static bool make(const char *name, const pm_matrix *a, uint64_t *rng, pm_sampler *s)
{
    pm_error err = {.msg = ""};
    pm_sampler_options o = options_of(rng);
    pm_status status =
        pm_sampler_make(pm_sampler_method_find(name), a, &o, pm_rng_next(rng), 0, NULL, s, &err);
    if (status != PM_OK) {
        assert_int_equal(status, PM_UNABLE);
        assert_memory_equal(name, "hub+", 4);
        assert_true(a->field != PM_PATTERN && strlen(err.msg) > 0);
    }
    return status == PM_OK;
}

/* ---- unbiased ---- */

enum { SAMPLES = 8192 };

/* By so much the mean may be off for want of choices that none of the samples has made. */
#define UNSEEN (100. / SAMPLES)

/* Samples until z means something: so many times cv^2 and more.  The sum of the z^2 is chi-square,
 * and that of the z normal, where what is unseen is small beside the deviations. */
static void check_mean(const char *name, bool weighted, uint64_t *rng)
{
    int rounds = test_rounds(30), counted = 0, unseen = 0;
    double chi = 0, sum = 0;
    for (int round = 0; round < rounds; ++round) {
        pm_matrix a;
        pm_sampler s;
        draw_matrix(rng, weighted, 1 + (int)pm_rng_below(rng, 9), 0.3 + 0.5 * pm_rng_unit(rng), &a);
        double truth = permanent(&a);
        if (make(name, &a, rng, &s)) {
            pm_moments *m = pm_alloc_array(1, sizeof *m);
            pm_moments_clear(m);
            pm_sample_summary out;
            assert_int_equal(pm_moments_draw(&s, 0, SAMPLES, NULL, m, NULL), PM_OK);
            pm_moments_summary(m, &out);
            double ratio = pm_weight_to_double(out.mean, 0) / truth;
            double error = ratio * sqrt(out.relative_variance), z = (ratio - 1) / error;
            if (out.relative_variance < 1e-3 && fabs(ratio - 1) > 7 * error + 1e-9) {
                assert_true(fabs(ratio - 1) < UNSEEN);
                ++unseen;
            }
            if (out.relative_variance * SAMPLES > 0.05 && out.relative_variance < 1e-3) {
                chi += z * z;
                sum += z;
                ++counted;
            }
            free(m);
            pm_sampler_free(&s);
        }
        pm_matrix_free(&a);
    }
    assert_true(unseen <= 3);
    if (counted > 0) {
        assert_true(gsl_cdf_chisq_Q(chi, counted) > 1e-9);
        assert_true(gsl_cdf_ugaussian_Q(fabs(sum) / sqrt(counted)) > 1e-9);
    }
    printf("# %s%s: %d of %d, chi-square %.1f, sum of z %.1f\n", name, weighted ? ", weighted" : "",
           counted, rounds, chi, sum);
}

static void test_unbiased(void **state)
{
    uint64_t rng = test_same_seed();
    (void)state;
    for (int i = 0; i < METHODS; ++i) {
        check_mean(methods[i], false, &rng);
        check_mean(methods[i], true, &rng);
    }
}

/* ---- every path of choices ---- */

/* The decision tree of one sample by definition: the mean over it, and the largest weight. */
typedef struct {
    const pm_neighbours *l;
    const uint32_t *table;
    const uint32_t *parts;
    bool in_sequence, forces;
    double most;
} tree;

static int degree(const int32_t *start, const int32_t *at, int line, unsigned left)
{
    int d = 0;
    for (int32_t k = start[line]; k < start[line + 1]; ++k)
        d += left >> at[k] & 1;
    return d;
}

static double mean_below(tree *t, unsigned rows, unsigned columns, double weight)
{
    const pm_neighbours *l = t->l;
    if (!rows) {
        t->most = fmax(t->most, weight);
        return 1;
    }
    int row = -1, least = 99;
    for (int i = l->n - 1; i >= 0; --i) {
        int d = t->in_sequence ? i : degree(l->rowptr, l->colind, i, columns);
        if ((rows >> i & 1) && d <= least) {
            least = d;
            row = i;
        }
    }
    double total = 0, mean = 0;
    int musts = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (int32_t k = l->rowptr[row]; k < l->rowptr[row + 1]; ++k) {
            int j = l->colind[k];
            if (!(columns >> j & 1))
                continue;
            int c = degree(l->colptr, l->rowind, j, rows);
            double share = (double)t->table[c] * (t->parts ? t->parts[k] : 1);
            bool must = t->forces && c == 1;
            if (pass == 0) {
                total += share;
                musts += must;
                continue;
            }
            if (musts > 1 || (musts == 1 && !must))
                continue;
            double p = musts || degree(l->rowptr, l->colind, row, columns) == 1 ? 1 : share / total;
            double by = (l->rowval ? l->rowval[k] : 1) / p;
            mean += p * by * mean_below(t, rows & ~(1u << row), columns & ~(1u << j), weight * by);
        }
    return mean;
}

/* Weights by masks and by lists are the same, and are such as the tree has. */
static void check_draws(const tree *t, const pm_sampler *s, uint64_t *rng)
{
    void *scratch = malloc(s->scratch + 64);
    for (int k = 0; k < 200; ++k) {
        pm_degree_lists g = {t->l, t->table, t->parts, t->in_sequence, t->forces};
        uint64_t sample = pm_rng_next(rng) >> 1;
        pm_sample_sequence sequence = pm_sample_sequence_of(s->seed, s->block, sample);
        pm_wide_product by_lists = pm_degree_lists_draw(&g, scratch, &sequence);
        pm_weight w = s->method->draw(s, scratch, sample);
        pm_weight v = pm_weight_make(by_lists.m, by_lists.e + t->l->exponent);
        assert_true(w.m == v.m && w.e == v.e);
        assert_true(pm_weight_to_double(w, t->l->exponent) <= t->most * (1 + 1e-12));
        if (s->method->is_bounded)
            assert_true(pm_weight_compare(w, s->bound) <= 0);
    }
    free(scratch);
}

static void look_table(uint32_t *table)
{
    for (int c = 0; c < 16; ++c)
        table[c] = c < 2 ? 0 : (uint32_t)round(0x1p24 / (c - 0.5));
}

static void check_tree(const char *name, bool weighted, uint64_t *rng)
{
    pm_matrix a;
    pm_sampler s;
    pm_neighbours l = {0};
    uint32_t table[16];
    double gamma[16];
    draw_matrix(rng, weighted, 1 + (int)pm_rng_below(rng, 5), 0.3 + 0.7 * pm_rng_unit(rng), &a);
    assert_int_equal(pm_neighbours_make(&a, &l, NULL), PM_OK);
    if (make(name, &a, rng, &s)) {
        tree t = {.l = &l,
                  .table = table,
                  .in_sequence = !strcmp(name, "rasmussen"),
                  .forces = !strcmp(name, "look+") || !strcmp(name, "hub+")};
        for (int c = 0; c < 16; ++c)
            table[c] = 1;
        if (!strcmp(name, "look+"))
            look_table(table);
        if (!strcmp(name, "hub+")) {
            int most =
                l.max_row_degree > l.max_column_degree ? l.max_row_degree : l.max_column_degree;
            pm_hub_gamma(gamma, most);
            double slack = pm_hub_table(gamma, most, table);
            pm_weight of_columns = pm_hub_bound(&l, gamma, slack);
            pm_neighbours_transpose(&l);
            pm_weight of_rows = pm_hub_bound(&l, gamma, slack);
            if (pm_weight_compare(of_columns, of_rows) <= 0)
                pm_neighbours_transpose(&l);
        }
        uint32_t *parts = l.rowval ? pm_degree_integer_entries(&l) : NULL;
        t.parts = parts;
        double mean = mean_below(&t, (1u << l.n) - 1, (1u << l.n) - 1, 1);
        assert_true(fabs(ldexp(mean, (int)l.exponent) / permanent(&a) - 1) < 1e-12);
        check_draws(&t, &s, rng);
        if (s.method->is_bounded)
            assert_true(t.most <= pm_weight_to_double(s.bound, 0));
        free(parts);
        pm_sampler_free(&s);
    }
    pm_neighbours_free(&l);
    pm_matrix_free(&a);
}

static void test_trees(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(400); round > 0; --round)
        for (int i = 0; i < 4; ++i)
            check_tree(methods[i], round % 2, &rng);
}

/* ---- the root of hub++ ---- */

/* Bounds fall to the permanent as the root grows, and the probability of a choice is its share of
 * the bound. */
static void test_roots(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(100); round > 0; --round) {
        pm_matrix a;
        pm_neighbours l = {0};
        double gamma[16], before = INFINITY;
        draw_matrix(&rng, false, 1 + (int)pm_rng_below(&rng, 9), 0.3 + 0.7 * pm_rng_unit(&rng), &a);
        double truth = permanent(&a);
        assert_int_equal(pm_neighbours_make(&a, &l, NULL), PM_OK);
        pm_hub_gamma(gamma, l.max_column_degree > l.max_row_degree ? l.max_column_degree
                                                                   : l.max_row_degree);
        for (int32_t d = 0; d <= l.n; ++d) {
            pm_hub_root r;
            assert_int_equal(pm_hub_root_make(&l, gamma, d, &r, NULL), PM_OK);
            double bound = pm_weight_to_double(r.bound, 0);
            assert_true(bound <= before * (1 + 1e-9) && bound >= truth * (1 - 1e-9));
            before = bound;
            for (uint64_t sample = 0; sample < 20; ++sample) {
                int32_t column[PM_HUB_ROOT_MOST];
                pm_sample_sequence s = pm_sample_sequence_of(5, 0, sample);
                pm_wide_product w = pm_hub_root_draw(&r, &s, column);
                unsigned taken = 0;
                for (int32_t k = 0; k < d; ++k) {
                    assert_false(taken >> column[k] & 1);
                    taken |= 1u << column[k];
                }
                double product = ldexp(w.m, (int)w.e);
                for (int32_t j = 0; j < l.n; ++j) {
                    int c = 0;
                    for (int32_t at = l.colptr[j]; at < l.colptr[j + 1]; ++at) {
                        bool is_root = false;
                        for (int32_t k = 0; k < d; ++k)
                            is_root = is_root || r.row[k] == l.rowind[at];
                        c += !is_root;
                    }
                    product *= taken >> j & 1 ? 1 : gamma[c];
                }
                assert_true(fabs(product / bound - 1) < 1e-12);
            }
            pm_hub_root_free(&r);
        }
        assert_true(fabs(before / truth - 1) < 1e-12);
        pm_neighbours_free(&l);
        pm_matrix_free(&a);
    }
}

/* ---- larger ---- */

/* Counts known in closed form; 12 x 12 has more rows than masks have bits. */
static void test_grids(void **state)
{
    uint64_t rng = test_same_seed();
    (void)state;
    for (int size = 6; size <= 12; size += 3)
        for (int i = 2; i < METHODS; ++i) { /* uniform choice hardly ever gets through */
            pm_matrix a;
            pm_sampler s;
            pm_sample_summary out;
            pm_sampler_options o = {.complete = -1};
            if (!strcmp(methods[i], "scaling") && size > 8)
                continue;
            grid_graph(size, size + size % 2, &a);
            assert_int_equal(pm_sampler_make(pm_sampler_method_find(methods[i]), &a, &o,
                                             pm_rng_next(&rng), 0, NULL, &s, NULL),
                             PM_OK);
            pm_moments *m = pm_alloc_array(1, sizeof *m);
            pm_moments_clear(m);
            assert_int_equal(pm_moments_draw(&s, 0, SAMPLES, NULL, m, NULL), PM_OK);
            pm_moments_summary(m, &out);
            double ratio = exp(pm_weight_log2(out.mean) * log(2) - grid_log(size, size + size % 2));
            assert_true(fabs(ratio - 1) < 6.5 * sqrt(out.relative_variance));
            if (s.method->is_bounded)
                for (int64_t k = 0; k < m->ntail; ++k)
                    assert_true(pm_weight_compare(m->tail[k], s.bound) <= 0);
            free(m);
            pm_sampler_free(&s);
            pm_matrix_free(&a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_unbiased),
        cmocka_unit_test(test_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
