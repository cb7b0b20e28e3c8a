/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often intervals of nominal 95 % hold the truth, over 400 repeats of one sampler.  Samples are
 * the same on every run, so that what is seen here is seen everywhere.
 *
 * An interval is flagged when it says unreliable or wide.  A case passes when it covers 92 % or
 * more, or when 90 % of its repeats are flagged: whoever reads the flags is not misled. */
#include "config.h"

#include <math.h>

#include "support/graphs.h"
#include "support/testing.h"

#include "estimate/interval.h"
#include "estimate/sampler_registry.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "sampler/weight.h"

enum { REPEATS = 400, PAIRS = -1 };

typedef struct {
    int grid; /* side; 0: dense, n = 24, density .3; -1: pairs, see below */
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

static const char *make_graph(int grid, pm_matrix *a)
{
    if (grid == PAIRS)
        pairs_graph(a);
    else if (grid)
        grid_graph(grid, grid, a);
    else
        dense_graph(24, 0.3, 1, a);
    return grid == PAIRS ? "pairs" : grid ? "grid " : "dense 24 .3";
}

static double counted_log(const pm_matrix *a)
{
    pm_count_options o = pm_count_defaults();
    pm_value v;
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

static void check_case(const coverage_case *c)
{
    pm_matrix a;
    pm_sampler s;
    tally t = {0};
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    const char *name = make_graph(c->grid, &a);
    double truth = c->grid > 0 ? grid_log(c->grid, c->grid) : counted_log(&a);
    assert_int_equal(
        pm_sampler_make(pm_sampler_method_find(c->method), &a, &c->options, 1, 0, NULL, &s, NULL),
        PM_OK);
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
