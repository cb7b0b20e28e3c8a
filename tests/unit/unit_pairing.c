/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samplers of graphs on one set of vertices, against the definition of the hafnian.
 *
 * The choices of `blossom` are followed in all ways, so nothing is random there: every perfect matching is reached once.  Random
 * sequences are compared with means by Hoeffding's inequality, whose bounds of the weights come from all ways, or from all signs: each
 * mean is beyond its limit with probability at most 2e-10; with at most 500 means, 1e-7 a run.  barvinok has no bound: medians of 61
 * means of batches, each of which is off with probability 1/16 at most by Chebyshev; 31 of them on one side: below 1e-18. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "estimate/sampler_registry.h"
#include "general/blossom.h"
#include "number/cnum.h"
#include "pairing/pairing_state.h"
#include "pm/alloc.h"
#include "reference/textbook.h"
#include "sampler/moments.h"
#include "sampler/weight.h"
#include "support/general_graphs.h"
#include "support/positive.h"

static uint64_t rng;
static const pm_sampler_options no_options = {0};

/* ---- graphs ---- */

static double hafnian_of(const pm_matrix *a)
{
    pm_cnum x = {0};
    textbook_hafnian(a, &x);
    const double value = pm_dyadic_get_d(&x.re);
    pm_cnum_clear(&x);
    return value;
}

/* 1 to 9, some 1024 times as large */
static double one_weight(uint64_t *random)
{
    return (1 + pm_rng_below(random, 9)) * (pm_rng_below(random, 4) ? 1.0 : 1024.0);
}

/* At most `most` vertices, even, with a perfect matching; half of the graphs have weights.  Returns the hafnian. */
static double small_graph(int most, pm_matrix *a)
{
    for (;;) {
        pm_matrix pattern;
        const int64_t n = 2 + 2 * pm_rng_below(&rng, (uint32_t)most / 2);
        random_general_graph(&rng, n, 0.3 + 0.7 * pm_rng_unit(&rng), &pattern);
        weigh_general_graph(&rng, &pattern, pm_rng_below(&rng, 2) ? PM_REAL : PM_PATTERN,
                            one_weight, a);
        pm_matrix_free(&pattern);
        const double value = hafnian_of(a);
        if (value > 0)
            return value;
        pm_matrix_free(a);
    }
}

static double to_double(pm_weight w)
{
    return pm_weight_to_double(w, 0);
}

/* ---- all ways ---- */

enum { TURNS = 8 };

typedef struct {
    double weight, probability; /* sums of the products of values, and of probabilities */
    double most, least;         /* weight / probability */
    int64_t ways;
} all_ways;

/* The way begins with the choices of path; it returns the number of choices after them, 0 at its end. */
static int32_t follow(const pm_pairing_plan *plan, void *memory, const int32_t *path, int count,
                      all_ways *sum)
{
    const pm_pairing_graph *g = &plan->g;
    pm_pairing_state s;
    double weight = 1, probability = 1;
    pm_pairing_start(plan, memory, &s);
    for (int turn = 0; 2 * turn < g->n; ++turn) {
        const int32_t u = pm_pairing_turn(&s);
        assert_true(s.choices > 0);
        if (turn == count)
            return s.choices;
        assert_true(s.share[path[turn]] > 0);
        probability *= s.share[path[turn]] / s.total;
        weight *= g->value ? g->value[s.entry[path[turn]]] : 1;
        pm_pairing_match(&s, u, path[turn]);
    }
    sum->weight += weight;
    sum->probability += probability;
    sum->most = fmax(sum->most, weight / probability);
    sum->least = fmin(sum->least, weight / probability);
    ++sum->ways;
    return 0;
}

/* sweeps 0: of blossom; else of blossom+. */
static all_ways follow_all(const pm_matrix *a, int interval, int sweeps)
{
    all_ways sum = {.least = INFINITY};
    int32_t path[TURNS] = {0}, choices[TURNS], matching[2 * TURNS];
    int64_t size;
    pm_pairing_plan plan = {.matching = matching, .interval = interval, .sweeps = sweeps};
    int depth = 0;
    assert_int_equal(pm_pairing_graph_make(a, NULL, &plan.g, NULL), PM_OK);
    if (sweeps > 0)
        assert_int_equal(pm_pairing_scale(&plan, NULL), PM_OK);
    assert_int_equal(pm_blossom_matching(a, NULL, matching, &size, NULL), PM_OK);
    assert_int_equal(2 * size, a->nrows);
    const size_t bytes = pm_pairing_state_bytes(&plan);
    void *memory = malloc(bytes);
    assert_non_null(memory);
    memset(memory, 0x5a, bytes);
    for (;;) {
        const int32_t more = follow(&plan, memory, path, depth, &sum);
        if (more > 0) {
            choices[depth] = more;
            path[depth++] = 0;
            continue;
        }
        while (depth > 0 && path[depth - 1] == choices[depth - 1] - 1)
            --depth;
        if (depth == 0)
            break;
        ++path[depth - 1];
    }
    const double unit = ldexp(1, (int)plan.g.exponent);
    sum.weight *= unit;
    sum.most *= unit;
    sum.least *= unit;
    free(memory);
    pm_pairing_graph_free(&plan.g);
    free(plan.factor);
    return sum;
}

/* ---- blossom ---- */

/* |mean of n numbers in [least, most] - their expectation| is larger with probability 2e-10 at most (Hoeffding 1963). */
static double hoeffding(double least, double most, int64_t n)
{
    return (most - least) * sqrt(log(1e10) / (2 * (double)n));
}

static pm_sample_summary draw(const char *name, const pm_matrix *a, const pm_sampler_options *o,
                              int64_t count)
{
    const pm_sampler_method *method = pm_sampler_method_find(name);
    pm_sampler s;
    pm_sample_summary sum;
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    assert_non_null(m);
    pm_moments_clear(m);
    assert_int_equal(pm_sampler_make(method, a, o, pm_rng_next(&rng), 0, NULL, &s, NULL), PM_OK);
    assert_int_equal(pm_moments_draw(&s, 0, count, NULL, m, NULL), PM_OK);
    pm_moments_summary(m, &sum);
    free(m);
    pm_sampler_free(&s);
    return sum;
}

static void every_matching_once(void **state)
{
    (void)state;
    for (int round = test_rounds(1500); round > 0; --round) {
        pm_matrix a;
        const double truth = small_graph(10, &a);
        const all_ways all = follow_all(&a, 1 + round % 3, round % 4);
        assert_true(fabs(all.weight / truth - 1) < 1e-12);
        assert_true(fabs(all.probability - 1) < 1e-12);
        if (!a.re)
            assert_true(all.ways == (int64_t)truth);
        pm_matrix_free(&a);
    }
}

static void blossom_draws_the_mean(void **state)
{
    enum { SAMPLES = 20000 };
    (void)state;
    for (int round = test_rounds(60); round > 0; --round) {
        pm_matrix a;
        const int sweeps = round % 3;
        const double truth = small_graph(12, &a);
        const all_ways all = follow_all(&a, 2, sweeps);
        const pm_sampler_options o = {.scale_interval = 2, .scale_sweeps = sweeps};
        const pm_sample_summary sum = draw(sweeps ? "blossom+" : "blossom", &a, &o, SAMPLES);
        const double off = fabs(to_double(sum.mean) - truth);
        assert_true(off <= hoeffding(all.least, all.most, SAMPLES) + 1e-12 * truth);
        assert_true(sum.mean.m > 0);
        pm_matrix_free(&a);
    }
}

/* Sparse graphs, where most choices would leave a component with an odd number of vertices. */
static void no_dead_ends(void **state)
{
    int done = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 200, done > 20); ++round) {
        pm_matrix a;
        int32_t partner[300];
        int64_t size;
        const int64_t n = 2 + 2 * pm_rng_below(&rng, 149);
        sparse_general_graph(&rng, n, 2 + 4 * pm_rng_unit(&rng), &a);
        assert_int_equal(pm_blossom_matching(&a, NULL, partner, &size, NULL), PM_OK);
        if (2 * size == n) {
            pm_sampler s;
            const char *name = round % 2 ? "blossom" : "blossom+";
            assert_int_equal(pm_sampler_make(pm_sampler_method_find(name), &a, &no_options, 1, 0,
                                             NULL, &s, NULL),
                             PM_OK);
            void *scratch = scratch_of(&s);
            for (uint64_t k = 0; k < 20; ++k)
                assert_true(s.method->draw(&s, scratch, k).m > 0);
            free(scratch);
            pm_sampler_free(&s);
            ++done;
        }
        pm_matrix_free(&a);
    }
}

/* Of a complete graph each choice has the same share, so every weight is the hafnian (2 n - 1)!!. */
static void complete_graphs_are_exact(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 40; n += 2) {
        test_edges g = {.n = n};
        pm_matrix a;
        double logs = 0;
        test_join_all(&g, 0, n);
        test_edges_end(&g, &a);
        for (int64_t k = n - 1; k > 1; k -= 2)
            logs += log2((double)k);
        const pm_sample_summary sum = draw("blossom", &a, &no_options, 100);
        assert_true(fabs(pm_weight_log2(sum.mean) - logs) < 1e-12 * (1 + logs));
        assert_true(sum.relative_variance < 1e-24);
        const all_ways all = n <= 8 ? follow_all(&a, 1, 3) : (all_ways){.least = 1, .most = 1};
        assert_true(all.most < 1.3 * all.least); /* blossom+: nearly */
        pm_matrix_free(&a);
    }
}

/* ---- random Pfaffians ---- */

enum { EDGES = 12, MATCHINGS = 105 };

/* The perfect matchings of a graph of few edges, as sets of edges, with the sign of their term in the Pfaffian. */
typedef struct {
    int32_t end[EDGES][2];
    double value[EDGES];
    int edges, count;
    uint32_t matching[MATCHINGS];
    double sign[MATCHINGS];
} expansion;

/* Pairs the smallest vertex that is left with a larger one; the sign changes with each vertex between them that is left. */
static void expand(const pm_matrix *a, uint32_t left, uint32_t taken, double sign, expansion *x)
{
    if (!left) {
        assert_true(x->count < MATCHINGS);
        x->matching[x->count] = taken;
        x->sign[x->count++] = sign;
        return;
    }
    const int32_t v = __builtin_ctz(left);
    const uint32_t rest = left & (left - 1);
    for (int e = 0; e < x->edges; ++e) {
        const uint32_t other = UINT32_C(1) << x->end[e][1];
        if (x->end[e][0] != v || !(rest & other))
            continue;
        const double change = __builtin_popcount(rest & (other - 1)) % 2 ? -1 : 1;
        expand(a, rest & ~other, taken | UINT32_C(1) << e, sign * change, x);
    }
}

static bool expansion_of(const pm_matrix *a, expansion *x)
{
    *x = (expansion){0};
    if (pm_matrix_nnz(a) > 2 * EDGES)
        return false;
    for (int32_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (a->colind[k] > i) {
                x->end[x->edges][0] = i;
                x->end[x->edges][1] = a->colind[k];
                x->value[x->edges++] = a->re ? pm_dyadic_get_d(&a->re[k]) : 1;
            }
    expand(a, (UINT32_C(1) << a->nrows) - 1, 0, 1, x);
    return true;
}

static double product(const expansion *x, uint32_t edges, bool is_root)
{
    double p = 1;
    for (int e = 0; e < x->edges; ++e)
        if (edges >> e & 1)
            p *= is_root ? sqrt(x->value[e]) : x->value[e];
    return p;
}

/* The square of the Pfaffian when the edges in `minus` have the sign -1. */
static double square_with(const expansion *x, uint32_t minus)
{
    double sum = 0;
    for (int k = 0; k < x->count; ++k)
        sum += x->sign[k] * (__builtin_popcount(x->matching[k] & minus) % 2 ? -1 : 1)
               * product(x, x->matching[k], true);
    return sum * sum;
}

/* The components of the union of two matchings of n vertices; *shared: those that are single edges. */
static int components(const expansion *x, uint32_t m, uint32_t other, int n, int *shared)
{
    int32_t next[2][16];
    bool seen[16] = {false};
    int count = 0;
    for (int e = 0; e < x->edges; ++e)
        for (int side = 0; side < 2; ++side) {
            if (m >> e & 1)
                next[0][x->end[e][side]] = x->end[e][!side];
            if (other >> e & 1)
                next[1][x->end[e][side]] = x->end[e][!side];
        }
    *shared = __builtin_popcount(m & other);
    for (int v = 0; v < n; ++v) {
        count += !seen[v];
        for (int32_t at = v; !seen[at]; at = next[1][next[0][at]])
            seen[at] = seen[next[0][at]] = true;
    }
    return count;
}

/* doc/estimates.md: the mean of W^2 is the sum over pairs of matchings of their weights times 3^c, c the cycles of their union, for
 * normal variables with the shared edges among them. */
static double second_moment(const expansion *x, int n, bool is_normal)
{
    double sum = 0;
    for (int k = 0; k < x->count; ++k)
        for (int l = 0; l < x->count; ++l) {
            int shared;
            const int all = components(x, x->matching[k], x->matching[l], n, &shared);
            sum += product(x, x->matching[k], false) * product(x, x->matching[l], false)
                   * pow(3, is_normal ? all : all - shared);
        }
    return sum;
}

static void godsil_gutman_has_its_moments(void **state)
{
    enum { SAMPLES = 20000 };
    (void)state;
    for (int round = 0, done = 0; test_goes_on(round, 200, done >= 20) && done < 60; ++round) {
        pm_matrix a;
        expansion x;
        const double truth = small_graph(8, &a);
        if (expansion_of(&a, &x)) {
            double mean = 0, square = 0, most = 0;
            const uint32_t signs = UINT32_C(1) << x.edges;
            for (uint32_t minus = 0; minus < signs; ++minus) {
                const double w = square_with(&x, minus);
                mean += w / signs;
                square += w * w / signs;
                most = fmax(most, w);
            }
            assert_true(fabs(mean / truth - 1) < 1e-9);
            assert_true(fabs(square / second_moment(&x, (int)a.nrows, false) - 1) < 1e-9);
            const pm_sample_summary sum = draw("godsil-gutman", &a, &no_options, SAMPLES);
            assert_true(fabs(to_double(sum.mean) - truth)
                        <= hoeffding(0, most, SAMPLES) + 1e-9 * truth);
            ++done;
        }
        pm_matrix_free(&a);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void barvinok_has_its_mean(void **state)
{
    enum { BATCHES = 61 };
    const int samples = test_size(4000, 400);
    (void)state;
    for (int round = 0, done = 0; test_goes_on(round, 40, done >= 4) && done < 8; ++round) {
        pm_matrix a;
        expansion x;
        const double truth = small_graph(6, &a);
        if (expansion_of(&a, &x)) {
            double mean[BATCHES], size[BATCHES];
            const double second = second_moment(&x, (int)a.nrows, true);
            for (int k = 0; k < BATCHES; ++k) {
                const pm_sample_summary sum = draw("barvinok", &a, &no_options, samples);
                mean[k] = to_double(sum.mean);
                size[k] = sum.relative_variance;
            }
            qsort(mean, BATCHES, sizeof *mean, compare);
            assert_true(fabs(mean[BATCHES / 2] - truth)
                        <= 4 * sqrt((second - truth * truth) / samples));
            assert_true(size[0] > 0);
            ++done;
        }
        pm_matrix_free(&a);
    }
}

/* ---- failures ---- */

static const char *const names[] = {"blossom", "blossom+", "godsil-gutman", "barvinok"};
enum { NAMES = sizeof names / sizeof *names };

static void refusals(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; ++i) {
        const pm_sampler_method *method = pm_sampler_method_find(names[i]);
        const pm_sampler_options o = {0};
        pm_error err = {.msg = ""};
        pm_sampler s;
        pm_matrix a;
        test_edges looped = {.n = 2}, large = {.n = 40000};
        test_join(&looped, 0, 1);
        test_join(&looped, 1, 1);
        test_edges_end(&looped, &a);
        assert_true(method->is_general);
        assert_int_equal(pm_sampler_make(method, &a, &o, 1, 0, NULL, &s, &err), PM_UNABLE);
        assert_non_null(strstr(err.msg, "loops"));
        pm_matrix_free(&a);
        for (int64_t v = 0; v < large.n; v += 2)
            test_join(&large, v, v + 1);
        test_edges_end(&large, &a);
        assert_int_equal(pm_sampler_make(method, &a, &o, 1, 0, NULL, &s, &err), PM_UNABLE);
        assert_non_null(strstr(err.msg, "40000 vertices"));
        pm_matrix_free(&a);
    }
}

static void no_memory(void **state)
{
    pm_matrix a;
    (void)state;
    /* until it has weights, and more than one edge, which takes two allocations */
    for (small_graph(8, &a); !a.re || a.nrows < 4; small_graph(8, &a))
        pm_matrix_free(&a);
    for (int i = 0; i < NAMES; ++i) {
        pm_status status = PM_ENOMEM;
        int failures = 0;
        for (int64_t k = 1; status != PM_OK; ++k) {
            const pm_sampler_options o = {0};
            pm_sampler s;
            pm_alloc_fail_at(k);
            status =
                pm_sampler_make(pm_sampler_method_find(names[i]), &a, &o, 1, 0, NULL, &s, NULL);
            pm_alloc_fail_at(0);
            assert_true(status == PM_OK || status == PM_ENOMEM);
            failures += status != PM_OK;
            pm_sampler_free(&s);
        }
        assert_true(failures > 2);
    }
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_matching_once),
        cmocka_unit_test(blossom_draws_the_mean),
        cmocka_unit_test(no_dead_ends),
        cmocka_unit_test(complete_graphs_are_exact),
        cmocka_unit_test(godsil_gutman_has_its_moments),
        cmocka_unit_test(barvinok_has_its_mean),
        cmocka_unit_test(refusals),
        cmocka_unit_test(no_memory),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
