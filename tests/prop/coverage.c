/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often intervals of nominal 95 % hold the truth, over 400 repeats of one sampler.  Samples are
 * the same on every run, so that what is seen here is seen everywhere.
 *
 * An interval is flagged when it says unreliable or wide.  A case passes when it covers 92 % or
 * more, or when 90 % of its repeats are flagged: whoever reads the flags is not misled. */
#include "config.h"

#include <math.h>

#include "support/general_graphs.h"
#include "support/graphs.h"
#include "support/testing.h"

#include "estimate/interval.h"
#include "estimate/sampler_registry.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "sampler/weight.h"

enum { REPEATS = 400, PAIRS = -1 };
/* Graphs with odd cycles. */
enum {
    RANDOM_THIN = -2,
    RANDOM_FULL = -3,
    SPARSE = -4,
    WEIGHTED = -5,
    TRIANGLES = -6,
    CLUSTERS = -7
};

typedef struct {
    int grid; /* side; 0: dense, n = 24, density .3; below 0: a name above */
    const char *method;
    pm_sampler_options options;
    int64_t count;
} coverage_case;

static const coverage_case cases[] = {
    {0, "look+", {0}, 1000},
    {0, "rasmussen+", {0}, 10000},
    {0, "scaling++", {.complete = -1}, 200},
    {0, "hub+", {0}, 1000},
    {8, "rasmussen+", {0}, 10000},
    {8, "look+", {0}, 1000},
    {12, "scaling+", {.scale_interval = 1, .scale_sweeps = 5}, 1000},
    {16, "scaling+", {.scale_interval = 1, .scale_sweeps = 5}, 500},
    {12, "scaling++", {.complete = -1}, 500},
    {16, "scaling++", {.complete = -1}, 300},
    {16, "look+", {0}, 5000},
    {20, "look+", {0}, 2000},
    {12, "rasmussen+", {0}, 10000},
    {16, "scaling+", {.scale_interval = 5, .scale_sweeps = 5}, 2000},
    {16, "beam", {.states = 50}, 10},
    {16, "beam", {.states = 100}, 16},
    {PAIRS, "rasmussen+", {0}, 100},
    {PAIRS, "scaling+", {.scale_interval = 1}, 100},
    {PAIRS, "scaling++", {.complete = 0}, 100},
    {PAIRS, "look+", {0}, 100},
    {PAIRS, "beam", {.states = 6}, 30},
    {RANDOM_THIN, "blossom", {0}, 1000},
    {RANDOM_FULL, "blossom", {0}, 300},
    {SPARSE, "blossom", {0}, 2000},
    {WEIGHTED, "blossom", {0}, 1000},
    {TRIANGLES, "blossom", {0}, 1000},
    {CLUSTERS, "blossom", {0}, 300},
    {RANDOM_THIN, "blossom+", {0}, 500},
    {RANDOM_FULL, "blossom+", {0}, 200},
    {SPARSE, "blossom+", {0}, 500},
    {WEIGHTED, "blossom+", {0}, 300},
    {TRIANGLES, "blossom+", {0}, 500},
    {CLUSTERS, "blossom+", {0}, 200},
    {RANDOM_THIN, "beam", {.states = 50}, 100},
    {RANDOM_FULL, "beam", {.states = 50}, 50},
    {SPARSE, "beam", {.states = 50}, 100},
    {WEIGHTED, "beam", {.states = 50}, 200},
    {TRIANGLES, "beam", {.states = 10}, 100},
    {CLUSTERS, "beam", {.states = 5}, 100},
    {RANDOM_THIN, "godsil-gutman", {0}, 5000},
    {TRIANGLES, "godsil-gutman", {0}, 5000},
    {CLUSTERS, "barvinok", {0}, 5000},
};
enum { CASES = sizeof cases / sizeof *cases };

/* n = 8: 1 between the two rows and columns of a pair, .01 to .04 elsewhere.  Nearly all samples
 * are alike, and what few of them tell is that there are others. */
static void pairs_graph(pm_matrix *a)
{
    enum { N = 8 };
    pm_triples t = {.field = PM_REAL, .nrows = N, .ncols = N};
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            pm_dyadic v = {0};
            pm_dyadic_set_d(&v, i / 2 == j / 2 ? 1 : 0.01 * (1 + (3 * i + 5 * j) % 4));
            assert_int_equal(pm_triples_add(&t, i, j, 0, &v, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "pairs", a, NULL), PM_OK);
    pm_triples_free(&t);
}

/* 1 to 100, most of them small */
static double one_weight(uint64_t *rng)
{
    return pow(100, pm_rng_unit(rng));
}

static void weighted_graph(uint64_t *rng, pm_matrix *a)
{
    pm_matrix pattern;
    random_general_graph(rng, 30, 0.3, &pattern);
    weigh_general_graph(rng, &pattern, PM_REAL, one_weight, a);
    pm_matrix_free(&pattern);
}

/* 6 x 6 vertices of the triangular lattice. */
static void triangles_graph(pm_matrix *a)
{
    enum { SIDE = 6 };
    test_edges g = {.n = SIDE * SIDE};
    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) {
            const int v = i * SIDE + j;
            if (j + 1 < SIDE)
                test_join(&g, v, v + 1);
            if (i + 1 < SIDE)
                test_join(&g, v, v + SIDE);
            if (i + 1 < SIDE && j + 1 < SIDE)
                test_join(&g, v, v + SIDE + 1);
        }
    test_edges_end(&g, a);
}

/* Four complete graphs of five vertices in a ring, joined by three edges each: odd sets, so that few of these edges decide. */
static void clusters_graph(pm_matrix *a)
{
    test_edges g = {.n = 20};
    for (int c = 0; c < 20; c += 5) {
        test_join_all(&g, c, 5);
        for (int k = 0; k < 3; ++k)
            test_join(&g, c + k, (c + 5 + k) % 20);
    }
    test_edges_end(&g, a);
}

/* The name of a graph with odd cycles; NULL: it has none, and nothing is made. */
static const char *make_general(int kind, pm_matrix *a)
{
    uint64_t rng = 5;
    switch (kind) {
    case RANDOM_THIN: random_general_graph(&rng, 40, 0.2, a); return "random 40 .2";
    case RANDOM_FULL: random_general_graph(&rng, 40, 0.5, a); return "random 40 .5";
    case SPARSE: random_general_graph(&rng, 50, 0.12, a); return "random 50 .12";
    case WEIGHTED: weighted_graph(&rng, a); return "random 30 .3, weights 1 to 100";
    case TRIANGLES: triangles_graph(a); return "triangular 6 6";
    case CLUSTERS: clusters_graph(a); return "clusters";
    default: return NULL;
    }
}

static const char *make_graph(int grid, pm_matrix *a)
{
    const char *general = make_general(grid, a);
    if (general)
        return general;
    if (grid == PAIRS)
        pairs_graph(a);
    else if (grid)
        grid_graph(grid, grid, a);
    else
        dense_graph(24, 0.3, 1, a);
    return grid == PAIRS ? "pairs" : grid ? "grid " : "dense 24 .3";
}

static double counted_log(const pm_matrix *a, bool general)
{
    pm_count_options o = pm_count_defaults();
    pm_value v;
    o.general = general;
    pm_value_init(&v);
    assert_int_equal(pm_count(a, &o, NULL, &v, NULL, NULL), PM_OK);
    double count = pm_value_is_exact(&v) ? mpq_get_d(v.exact) : ldexp(v.re.hi, (int)v.re.exp);
    pm_value_clear(&v);
    return log(count);
}

typedef struct {
    int covered, unflagged, covered_unflagged, unreliable, wide, above;
    double width;
} tally;

static void repeat(const pm_sampler *s, int64_t from, int64_t count, double truth, pm_moments *m,
                   tally *t)
{
    pm_sample_summary sum;
    pm_moments_clear(m);
    assert_int_equal(pm_moments_draw(s, (uint64_t)from, count, NULL, m, NULL), PM_OK);
    pm_moments_summary(m, &sum);
    pm_interval i = pm_interval_of(pm_spread_of(&sum, s->branches), 0.95);
    double factor = exp(truth - pm_weight_log2(sum.mean) * log(2));
    bool covers = factor >= i.low && factor <= i.high, flagged = !i.is_reliable || i.is_wide;
    t->covered += covers;
    t->above += factor > i.high;
    t->unreliable += !i.is_reliable;
    t->wide += i.is_wide;
    t->unflagged += !flagged;
    t->covered_unflagged += covers && !flagged;
    t->width += fmin((i.high - i.low) / 2, 10) / REPEATS;
}

static double percent(int part, int whole)
{
    return whole > 0 ? 100.0 * part / whole : NAN;
}

static bool is_general(const coverage_case *c)
{
    return c->grid < PAIRS;
}

static void check_case(const coverage_case *c)
{
    pm_matrix a;
    pm_sampler s;
    tally t = {0};
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    const char *name = make_graph(c->grid, &a);
    double truth = c->grid > 0 ? grid_log(c->grid, c->grid) : counted_log(&a, is_general(c));
    const pm_sampler_method *method =
        pm_sampler_method_for(pm_sampler_method_find(c->method), is_general(c));
    assert_int_equal(pm_sampler_make(method, &a, &c->options, 1, 0, NULL, &s, NULL), PM_OK);
    for (int k = 0; k < REPEATS; ++k)
        repeat(&s, k * c->count, c->count, truth, m, &t);
    printf("# %s%.0d, %s, %d samples: covers %.1f %%, truth above %.1f %%, half-width %.3f, "
           "unreliable %.1f %%, wide %.1f %%, covers unflagged %.1f %% of %d\n",
           name, c->grid > 0 ? c->grid : 0, c->method, (int)c->count, percent(t.covered, REPEATS),
           percent(t.above, REPEATS), t.width, percent(t.unreliable, REPEATS),
           percent(t.wide, REPEATS), percent(t.covered_unflagged, t.unflagged), t.unflagged);
    fflush(stdout);
    assert_true(t.covered >= 0.92 * REPEATS || t.unflagged <= 0.1 * REPEATS);
    free(m);
    pm_sampler_free(&s);
    pm_matrix_free(&a);
}

static void test_case(void **state)
{
    check_case(*state);
}

int main(void)
{
    struct CMUnitTest tests[CASES];
    char name[CASES][64];
    for (int i = 0; i < CASES; ++i) {
        snprintf(name[i], sizeof name[i], "coverage: %d %s", cases[i].grid, cases[i].method);
        tests[i] = (struct CMUnitTest){
            .name = name[i], .test_func = test_case, .initial_state = (void *)&cases[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
