/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions of random products and sums: exact values, shares, logarithms; guarantees that hold;
 * random matchings of graphs with many blocks.
 * False alarm: below 1e-6 a run, that of `certificates`: 60 estimates, each wrong with a
 * probability of at most 0.2, are allowed 28 failures.  Bounds of signed matrices that must have
 * occurred are 6 standard deviations above what is asked for, and a run goes on until they have. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "estimate/certify.h"
#include "estimate/choose.h"
#include "estimate/estimate.h"
#include "estimate/item_bounds.h"
#include "matchings/matchings.h"
#include "number/dyadic_size.h"
#include "reference/textbook.h"
#include "support/graphs.h"
#include "support/positive.h"

static uint64_t rng;

static pm_estimate_options exactly(void)
{
    pm_estimate_options o = pm_estimate_defaults();
    o.exact_seconds = 1000;
    return o;
}

/* ---- random expressions, and their values by another way ---- */

/* A random tree of nodes; *value: what it is worth, a rational number. */
typedef struct {
    pm_expression x;
    pm_expression_build build;
    pm_walk walk;
    int depth;
} planting;

static void begin(planting *p)
{
    *p = (planting){.build.x = &p->x};
    p->walk = pm_walk_make(&pm_expression_builder, &p->build);
}

static void put(planting *p, pm_node *e)
{
    assert_int_equal(pm_walk_put(&p->walk, e, NULL), PM_OK);
    pm_node_reset(e);
}

/* The item is this node alone. */
static void only_node(pm_expression *x, pm_node *e)
{
    *x = (pm_expression){0};
    pm_expression_build build = {.x = x};
    pm_walk walk = pm_walk_make(&pm_expression_builder, &build);
    assert_int_equal(pm_walk_put(&walk, e, NULL), PM_OK);
    pm_walk_free(&walk);
}

static void random_outside(pm_node *e)
{
    mpq_set_si(e->factor.re, (long)pm_rng_below(&rng, 5), 1 + pm_rng_below(&rng, 3));
    if (pm_rng_below(&rng, 4))
        mpq_set_ui(e->factor.re, 1, 1);
    mpq_canonicalize(e->factor.re);
    mpz_set_ui(e->times, pm_rng_below(&rng, 4) ? 1 : pm_rng_below(&rng, 4));
}

/* to = what stands around makes of a node worth v */
static void fold(mpq_t to, mpq_t v, const mpq_t factor, unsigned long times, bool in_sum)
{
    mpq_t one;
    mpq_init(one);
    mpq_mul(v, v, factor);
    mpq_set_ui(one, in_sum ? times : 1, 1);
    if (in_sum)
        mpq_mul(one, one, v);
    for (unsigned long k = 0; !in_sum && k < times; ++k)
        mpq_mul(one, one, v);
    if (in_sum)
        mpq_add(to, to, one);
    else
        mpq_mul(to, to, one);
    mpq_clear(one);
}

static void random_leaf(pm_node *e, mpq_t value)
{
    pm_cnum permanent = {0};
    int n = 1 + (int)pm_rng_below(&rng, 5);
    e->kind = PM_NODE_MATRIX;
    random_matrix(&rng, PM_INTEGER, n, n, 0.6, &e->matrix);
    for (int64_t k = 0; k < pm_matrix_nnz(&e->matrix); ++k)
        pm_dyadic_set_si(&e->matrix.re[k], 1 + pm_rng_below(&rng, 3));
    textbook_transfer_matrix(&e->matrix, &permanent);
    mpz_set_ui(mpq_denref(value), 1);
    pm_dyadic_get_mpz(mpq_numref(value), &permanent.re);
    pm_cnum_clear(&permanent);
}

static void random_node(planting *p, bool in_sum, mpq_t to)
{
    mpq_t v, factor;
    pm_node e;
    mpq_inits(v, factor, NULL);
    pm_node_init(&e);
    random_outside(&e);
    mpq_set(factor, e.factor.re);
    unsigned long times = mpz_get_ui(e.times);
    if (p->depth < 3 && pm_rng_below(&rng, 2)) {
        bool is_sum = pm_rng_below(&rng, 2);
        e.kind = is_sum ? PM_NODE_SUM : PM_NODE_PRODUCT;
        put(p, &e);
        ++p->depth;
        mpq_set_ui(v, is_sum ? 0 : 1, 1);
        for (uint32_t k = pm_rng_below(&rng, 4); k > 0; --k)
            random_node(p, is_sum, v);
        --p->depth;
        e.kind = PM_NODE_CLOSE;
    } else if (pm_rng_below(&rng, 6) == 0) {
        e.kind = PM_NODE_NUMBER;
        mpq_set_ui(v, 1, 1);
    } else {
        random_leaf(&e, v);
    }
    put(p, &e);
    pm_node_clear(&e);
    fold(to, v, factor, times, in_sum);
    mpq_clears(v, factor, NULL);
}

static void random_expression(planting *p, mpq_t value)
{
    begin(p);
    mpq_set_ui(value, 1, 1);
    random_node(p, false, value);
    pm_walk_free(&p->walk);
}

static void values(void **state)
{
    (void)state;
    const pm_run run = {.threads = 1};
    const pm_estimate_options o = exactly();
    mpq_t value;
    mpq_init(value);
    for (int round = 0; round < test_rounds(300); ++round) {
        planting p;
        pm_estimate e;
        random_expression(&p, value);
        pm_estimate_init(&e);
        assert_int_equal(pm_estimate_item(&p.x, &o, &run, &e, NULL), PM_OK);
        assert_true(e.is_exact);
        assert_true(mpq_equal(e.value.exact, value));
        pm_estimate_clear(&e);
        pm_expression_free(&p.x);
    }
    mpq_clear(value);
}

/* Blocks of real values near the exact ones: a share is a derivative, and logarithms are those of
 * the value. */
static void shares(void **state)
{
    (void)state;
    const double step = 0x1p-20;
    mpq_t ignored;
    mpq_init(ignored);
    for (int round = 0; round < test_rounds(300); ++round) {
        planting p;
        pm_value before, after;
        random_expression(&p, ignored);
        pm_value_init(&before);
        pm_value_init(&after);
        double *logs = calloc((size_t)p.x.nblocks + 1, sizeof *logs), log10_value;
        for (int64_t i = 0; i < p.x.nblocks; ++i) {
            pm_xreal v = pm_xreal_make(0.5 + pm_rng_unit(&rng), 0, 0);
            assert_int_equal(pm_approx_block_hold(p.x.block[i], NULL), PM_OK);
            pm_value_set_real(p.x.block[i]->value, PM_REAL, v, (pm_xreal){0}, (pm_xreal){0});
            logs[i] = pm_xreal_log10(v);
        }
        assert_int_equal(pm_expression_evaluate(&p.x, NULL, &before, NULL), PM_OK);
        pm_xreal at = pm_value_is_exact(&before) ? pm_xreal_from_mpq(before.exact) : before.re;
        assert_int_equal(pm_expression_log10(&p.x, logs, PM_LOG10_NEAR, &log10_value, NULL), PM_OK);
        if (at.hi == 0)
            assert_true(log10_value == -INFINITY);
        else
            assert_true(fabs(log10_value - pm_xreal_log10(at)) < 1e-11);
        for (int64_t i = 0; i < p.x.nblocks; ++i) {
            pm_approx_block *b = p.x.block[i];
            double share = b->share;
            pm_xreal v = b->value->re;
            b->value->re = pm_xreal_mul(v, pm_xreal_make(1 + step, 0, 0));
            assert_int_equal(pm_expression_evaluate(&p.x, NULL, &after, NULL), PM_OK);
            b->value->re = v;
            pm_xreal to = pm_value_is_exact(&after) ? pm_xreal_from_mpq(after.exact) : after.re;
            double change = at.hi == 0 ? 0 : (ldexp(to.hi / at.hi, (int)(to.exp - at.exp)) - 1);
            assert_true(fabs(change / step - share) < 1e-4 * (1 + share * share));
            if (b->is_idle)
                assert_true(share == 0);
        }
        free(logs);
        pm_value_clear(&before);
        pm_value_clear(&after);
        pm_expression_free(&p.x);
    }
    mpq_clear(ignored);
}

/* Logarithms of a million blocks, multiples of 2^-50 below 2 whose sum is known: all alike, whose roundings add up, or every
 * second one with the other sign and in another order, so that they cancel.  Both ends hold, and are near. */
static void many_blocks(void **state)
{
    (void)state;
    enum { BLOCKS = 1000003, BITS = 50 };
    pm_approx_block same = {.is_exact = false};
    pm_expression_node node = {.parent = -1};
    double *logs = calloc(BLOCKS, sizeof *logs);
    pm_approx_block **blocks = calloc(BLOCKS, sizeof *blocks);
    assert_true(logs && blocks);
    const pm_expression x = {.count = 1, .node = &node, .nblocks = BLOCKS, .block = blocks};
    pm_fraction_init_one(&node.factor);
    node.blocks = BLOCKS;
    for (int64_t i = 0; i < BLOCKS; ++i)
        blocks[i] = &same;
    for (int round = 0; round < test_rounds(8); ++round) {
        int64_t units = (int64_t)(pm_rng_next(&rng) >> (63 - BITS));
        __int128 sum = 0;
        for (int64_t i = 0; i < BLOCKS; ++i) {
            if (round % 2)
                units = i % 2 ? -units + (int64_t)pm_rng_below(&rng, 3) - 1
                              : (int64_t)(pm_rng_next(&rng) >> (63 - BITS));
            logs[i] = ldexp((double)units, -BITS);
            sum += units;
        }
        double low, high;
        assert_int_equal(pm_expression_log10(&x, logs, PM_LOG10_LOW, &low, NULL), PM_OK);
        assert_int_equal(pm_expression_log10(&x, logs, PM_LOG10_HIGH, &high, NULL), PM_OK);
        assert_true((__int128)floor(ldexp(low, BITS)) <= sum);
        assert_true((__int128)ceil(ldexp(high, BITS)) >= sum);
        assert_true(high - low < 1e-7);
    }
    free(logs);
    free(blocks);
    pm_fraction_clear(&node.factor);
}

/* ---- bounds ---- */

static void one_item(pm_matrix *a, pm_expression *x)
{
    pm_node e;
    pm_node_init(&e);
    e.kind = PM_NODE_MATRIX;
    e.matrix = *a;
    *a = (pm_matrix){0};
    only_node(x, &e);
    pm_node_clear(&e);
}

static bool is_signed(const pm_matrix *a)
{
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        if (pm_dyadic_sign(&a->re[k]) < 0 || a->im)
            return true;
    return false;
}

/* Upper bounds of the size of any value.  False where the sizes of the entries differ too much. */
static bool check_size(const pm_expression *x, const pm_cnum *truth)
{
    pm_bounds b;
    pm_dyadic size = {0};
    pm_dyadic_set_size(&size, &truth->re, &truth->im);
    const pm_xreal t = pm_xreal_from_dyadic(&size);
    const double log10 = t.hi > 0 ? xreal_log10(t) : -INFINITY, slack = 1e-13 * (1 + fabs(log10));
    const pm_status status = pm_item_size_bounds_make(x, PM_BACKEND_CPU, NULL, &b, NULL);
    assert_true(status == PM_OK || status == PM_UNABLE);
    const double upper[] = {b.bregman, b.bregman_scaled, b.huber, b.bethe, b.upper};
    for (int k = 0; k < 5 && !status; ++k)
        assert_true(t.hi == 0 || log10 <= upper[k] + slack);
    assert_true(status
                || (b.lower == -INFINITY && b.schrijver == -INFINITY && b.gurvits == -INFINITY));
    pm_dyadic_clear(&size);
    return !status;
}

/* Of matrices with any entries: bounds that hold, or none.  Blocks are counted in every other
 * round. */
static void brackets(void **state)
{
    (void)state;
    int given = 0, refused = 0, sizes = 0;
    const int least_given = test_rounds(16), least_refused = test_rounds(160);
    for (int round = 0; test_goes_on(round, 800, given > least_given && refused > least_refused);
         ++round) {
        pm_matrix a;
        pm_cnum truth = {0};
        pm_expression x;
        pm_bounds b;
        int n = 1 + (int)pm_rng_below(&rng, 6);
        random_matrix(&rng, (pm_field)(round / 2 % 4), n, n, 0.7, &a);
        textbook_transfer_matrix(&a, &truth);
        bool has_signs = is_signed(&a);
        one_item(&a, &x);
        pm_estimate_options o = exactly();
        if (round % 2)
            assert_int_equal(pm_choose_exact(&x, &o, &(pm_run){.threads = 1}, NULL), PM_OK);
        pm_status s = pm_item_bounds_make(&x, PM_BACKEND_CPU, NULL, &b, NULL);
        if (s == PM_OK) {
            pm_xreal t = pm_xreal_from_dyadic(&truth.re);
            assert_true(t.hi >= 0 && pm_dyadic_sign(&truth.im) == 0);
            double log10 = t.hi > 0 ? xreal_log10(t) : -INFINITY, slack = 1e-13 * (1 + fabs(log10));
            assert_true(t.hi == 0 ? b.lower == -INFINITY : b.lower <= log10 + slack);
            assert_true(t.hi == 0 || log10 <= b.upper + slack);
        } else {
            assert_int_equal(s, PM_UNABLE);
        }
        assert_true(s == PM_UNABLE || pm_item_is_bounded(&x));
        sizes += check_size(&x, &truth);
        assert_true(s == PM_OK || has_signs || round / 2 % 4 == PM_REAL);
        given += s == PM_OK && has_signs;
        refused += s != PM_OK;
        pm_cnum_clear(&truth);
        pm_expression_free(&x);
    }
    print_message("# %d of signed matrices, %d refused, %d bounds of sizes\n", given, refused,
                  sizes);
    assert_true(given > least_given && refused > least_refused && sizes > least_refused);
}

/* An imaginary part far below the error of the real part: complex, though 0 is printed for it. */
static void tiny_imaginary_part(void **state)
{
    (void)state;
    pm_matrix a;
    pm_expression x;
    pm_bounds b;
    pm_triples t = {.field = PM_COMPLEX, .nrows = 2, .ncols = 2};
    for (int k = 0; k < 4; ++k) {
        pm_dyadic re = {0}, im = {0};
        pm_dyadic_set_d(&re, k == 0 || k == 3 ? 0x1p600 : 1);
        pm_dyadic_set_d(&im, k == 3);
        assert_int_equal(pm_triples_add(&t, k / 2, k % 2, 0, &re, &im, NULL), PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "a", &a, NULL), PM_OK);
    one_item(&a, &x);
    pm_estimate_options o = exactly();
    assert_int_equal(pm_choose_exact(&x, &o, &(pm_run){.threads = 1}, NULL), PM_OK);
    assert_int_equal(x.nsampled, 0);
    assert_int_equal(pm_item_bounds_make(&x, PM_BACKEND_CPU, NULL, &b, NULL), PM_UNABLE);
    pm_expression_free(&x);
}

/* ---- what is counted ---- */

static bool is_counted(double exact, double planar, int threads)
{
    const pm_run run = {.threads = threads};
    pm_estimate_options o = pm_estimate_defaults();
    pm_expression x;
    pm_matrix a;
    grid_graph(40, 40, &a);
    one_item(&a, &x);
    o.seconds = 0;
    o.exact_seconds = exact;
    o.planar_seconds = planar;
    assert_int_equal(pm_choose_exact(&x, &o, &run, NULL), PM_OK);
    bool is_counted = x.nsampled == 0;
    pm_expression_free(&x);
    return is_counted;
}

static double predicted_seconds(void)
{
    pm_matrix a;
    pm_value v;
    pm_count_report plan = {0};
    pm_count_options o = pm_count_defaults();
    o.plan_only = true;
    grid_graph(40, 40, &a);
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, &(pm_run){.threads = 1}, &v, &plan, NULL), PM_OK);
    double seconds = plan.seconds;
    pm_count_report_free(&plan);
    pm_value_clear(&v);
    pm_matrix_free(&a);
    return seconds;
}

/* By what one core is predicted to take, whatever the threads; planar blocks by a limit of their
 * own. */
static void counted(void **state)
{
    (void)state;
    double seconds = predicted_seconds();
    for (int threads = 1; threads <= 64; threads *= 8) {
        assert_false(is_counted(0.9 * seconds, 0, threads));
        assert_true(is_counted(1.1 * seconds, 0, threads));
        assert_false(is_counted(0.1 * seconds, 0.9 * seconds, threads));
        assert_true(is_counted(0.1 * seconds, 1.1 * seconds, threads));
    }
    assert_false(is_counted(0, 1.1 * seconds, 1));
}

/* ---- guarantees ---- */

/* P(more than `most` of `rounds` fail) at the promised rate is below 1e-6. */
static void certificates(void **state)
{
    (void)state;
    const double epsilon = 0.3, delta = 0.2;
    pm_estimate_options o = pm_estimate_defaults();
    const pm_run run = {.threads = 1, .max_cost = 60};
    int failed = 0, rounds = test_rounds(60);
    o.exact_seconds = 0;
    for (int round = 0; round < rounds; ++round) {
        pm_expression x;
        pm_node e;
        pm_xreal exact;
        pm_estimate found;
        pm_node_init(&e);
        positive_matrix(&rng, PM_PATTERN, 7, 0.7, false, &e.matrix, &exact);
        e.kind = PM_NODE_MATRIX;
        mpz_set_ui(e.times, 1 + pm_rng_below(&rng, 2));
        bool squared = mpz_cmp_ui(e.times, 1) > 0;
        only_node(&x, &e);
        o.seed = pm_rng_next(&rng);
        pm_estimate_init(&found);
        assert_int_equal(pm_certify_item(&x, epsilon, delta, &o, &run, &found, NULL), PM_OK);
        pm_xreal truth = squared ? pm_xreal_mul(exact, exact) : exact, value = found.value.re;
        if (found.is_exact)
            value = pm_xreal_from_mpq(found.value.exact);
        double ratio = ldexp(value.hi / truth.hi, (int)(value.exp - truth.exp));
        failed += fabs(ratio - 1) > epsilon;
        pm_estimate_clear(&found);
        pm_expression_free(&x);
        pm_node_clear(&e);
    }
    double most = rounds * delta + 5 * sqrt(rounds * delta * (1 - delta)) + 1;
    assert_true(failed <= most);
}

/* ---- matchings ---- */

/* Graphs of several blocks: every edge of every matching is there, and it is a matching. */
static void matchings(void **state)
{
    (void)state;
    const pm_run run = {.threads = 1};
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_matrix a;
        pm_xreal exact;
        pm_matchings *m = NULL;
        int32_t col_of[14];
        int n = 1 + (int)pm_rng_below(&rng, 12);
        positive_matrix(&rng, PM_PATTERN, n, 0.3, false, &a, &exact);
        assert_int_equal(pm_matchings_make(&a, false, 7, &run, &m, NULL), PM_OK);
        for (uint64_t sample = 0; sample < 5; ++sample) {
            unsigned taken = 0;
            assert_int_equal(pm_matchings_draw(m, sample, &run, col_of, NULL), PM_OK);
            for (int i = 0; i < n; ++i) {
                bool is_edge = false;
                for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                    is_edge = is_edge || a.colind[k] == col_of[i];
                assert_true(is_edge);
                taken |= 1u << col_of[i];
            }
            assert_int_equal(taken, (1u << n) - 1);
        }
        pm_matchings_free(m);
        pm_matrix_free(&a);
    }
}

/* Full enough for rejection, and with memory for nothing else: it ends at the deadline. */
static void stopped_matchings(void **state)
{
    (void)state;
    pm_matrix a;
    pm_matchings *m = NULL;
    int32_t col_of[40];
    const pm_run run = {.threads = 1, .max_memory = 1 << 20};
    pm_run late = run;
    late.deadline = 1e-9;
    dense_graph(40, 0.9, 5, &a);
    assert_int_equal(pm_matchings_make(&a, false, 7, &late, &m, NULL), PM_ESTOPPED);
    assert_int_equal(pm_matchings_make(&a, false, 7, &run, &m, NULL), PM_OK);
    assert_int_equal(pm_matchings_draw(m, 0, &run, col_of, NULL), PM_OK);
    assert_int_equal(pm_matchings_draw(m, 0, &late, col_of, NULL), PM_ESTOPPED);
    pm_matchings_free(m);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(shares),
        cmocka_unit_test(many_blocks),
        cmocka_unit_test(brackets),
        cmocka_unit_test(tiny_imaginary_part),
        cmocka_unit_test(counted),
        cmocka_unit_test(certificates),
        cmocka_unit_test(matchings),
        cmocka_unit_test(stopped_matchings),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
