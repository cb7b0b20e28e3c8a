/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees of products: every number of eliminated columns against the definition, ranges, counted
 * operations, vector units. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "number/prime.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "product_tree/tree.h"
#include "reference/textbook.h"
#include "support/answers.h"
#include "support/matrices.h"
#include "sweep/ryser_driver.h"

static uint64_t rng;

static pm_pattern pattern_of(const pm_square *s)
{
    return (pm_pattern){s->n, s->colptr, s->rowind, s->rowptr, s->colind};
}

static pm_status plan_with(const pm_square *s, int32_t eliminated, int32_t slow, pm_tree_plan *plan)
{
    pm_pattern a = pattern_of(s);
    pm_tree_options o = pm_tree_defaults();
    o.eliminated = eliminated;
    o.slow = slow;
    o.seed = pm_rng_next(&rng);
    o.effort = pm_rng_below(&rng, 2) ? 1e-3 : 0;
    o.most = 300;
    return pm_tree_plan_make(&a, &o, plan, NULL);
}

static void choose_primes(uint64_t top, int32_t count, uint64_t *prime)
{
    for (int32_t i = 0; i < count; ++i)
        prime[i] = top = pm_prime_below(top);
}

/* ---- every number of eliminated columns, every field, every vector unit ---- */

static void check_residues(const pm_square *s, const pm_tree_plan *plan, const uint64_t *prime,
                           int32_t nprimes, const pm_cnum *exact)
{
    for (int isa = 0; isa <= (int)pm_isa_best(); ++isa) {
        pm_sweep sweep = {0};
        pm_sum sum;
        pm_tree_choice choice = {plan, prime, nprimes, PM_KAHAN, (pm_isa)isa};
        assert_int_equal(pm_tree_prepare(s, &choice, &sweep, NULL), PM_OK);
        assert_int_equal(pm_sweep_range(&sweep, 0, sweep.count, NULL, &sum, NULL), PM_OK);
        for (int32_t k = 0; k < nprimes; ++k)
            assert_int_equal(pm_tree_residue(&sweep, &sum, k), pm_dyadic_mod(&exact->re, prime[k]));
        pm_sweep_free(&sweep);
    }
}

static bool covers(const pm_value *v, const pm_cnum *exact)
{
    pm_xreal minus = pm_xreal_make(-1, 0, 0);
    pm_xreal re = pm_xreal_add(v->re, pm_xreal_mul(minus, pm_xreal_from_dyadic(&exact->re)));
    pm_xreal im = pm_xreal_add(v->im, pm_xreal_mul(minus, pm_xreal_from_dyadic(&exact->im)));
    return pm_xreal_cmpabs(re, v->error) <= 0 && pm_xreal_cmpabs(im, v->error) <= 0;
}

static void check_inexact(const pm_block *b, const pm_tree_plan *plan, const pm_cnum *exact)
{
    static const pm_sweep_method method = {.name = "tree", .bits = 53, .prepare = pm_tree_prepare};
    static const pm_precision precisions[] = {PM_DOUBLE, PM_KAHAN, PM_DQ};
    pm_job job = {.block = b};
    for (int i = 0; i < 3; ++i) {
        pm_value first, v;
        pm_value_init(&first);
        pm_value_init(&v);
        for (int isa = 0; isa <= (int)pm_isa_best(); ++isa) {
            pm_tree_choice choice = {plan, NULL, 0, precisions[i], (pm_isa)isa};
            assert_int_equal(pm_ryser_driver_permanent(&job, &method, &choice, false, &v, NULL),
                             PM_OK);
            assert_true(covers(&v, exact));
            if (isa == 0)
                pm_value_set(&first, &v);
            assert_memory_equal(&v.re, &first.re, sizeof v.re);
            assert_memory_equal(&v.im, &first.im, sizeof v.im);
            assert_memory_equal(&v.error, &first.error, sizeof v.error);
        }
        pm_value_clear(&first);
        pm_value_clear(&v);
    }
}

static void check_matrix(pm_field field, int32_t n, double density)
{
    pm_matrix a;
    pm_block b;
    pm_cnum exact = {0};
    pm_square s = {0};
    bool is_exact = field <= PM_INTEGER, large = is_exact && pm_rng_below(&rng, 2);
    uint64_t prime[PM_TREE_PRIMES];
    int32_t nprimes = large ? 1 : 1 + (int32_t)pm_rng_below(&rng, PM_TREE_PRIMES);
    random_matrix(&rng, field, n, n, density, &a);
    as_block(&a, &b);
    textbook_transfer_matrix(&a, &exact);
    if (pm_square_make(&b, false, PM_TREE_BITS, 0, &s, NULL) == PM_UNABLE) {
        assert_int_equal(field, PM_INTEGER);
        large = true;
        nprimes = 1;
    }
    pm_square_free(&s);
    choose_primes(large ? UINT64_C(1) << 45 : PM_TREE_PRIME_MAX, nprimes, prime);
    assert_int_equal(
        pm_square_make(&b, false, is_exact ? PM_TREE_BITS : 53, large ? prime[0] : 0, &s, NULL),
        PM_OK);
    for (int32_t m = 0;; ++m) {
        pm_tree_plan plan;
        pm_status rc = plan_with(&s, m, (int32_t)pm_rng_below(&rng, 6), &plan);
        if (rc == PM_UNABLE)
            break;
        assert_int_equal(rc, PM_OK);
        assert_int_equal(plan.eliminated, m);
        if (is_exact)
            check_residues(&s, &plan, prime, nprimes, &exact);
        else
            check_inexact(&b, &plan, &exact);
    }
    pm_square_free(&s);
    pm_cnum_clear(&exact);
    pm_block_free(&b);
    pm_matrix_free(&a);
}

static void all_eliminations_against_definition(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(240); ++round)
        check_matrix((pm_field)(round % 4), 1 + round / 4 % 12, 0.15 + 0.8 * pm_rng_unit(&rng));
}

/* ---- ranges ---- */

static void random_square(pm_field field, int32_t n, double density, pm_square *s)
{
    pm_matrix a;
    pm_block b;
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    for (int32_t i = 0; i < n; ++i)
        for (int32_t j = 0; j < n; ++j) {
            pm_dyadic re = {0}, im = {0};
            pm_dyadic_set_d(&re, pm_rng_unit(&rng) - 0.4);
            pm_dyadic_set_d(&im, pm_rng_unit(&rng) - 0.4);
            if (field == PM_INTEGER)
                pm_dyadic_set_si(&re, (int64_t)(pm_rng_next(&rng) >> 19) - (INT64_C(1) << 44));
            if (i == j || pm_rng_unit(&rng) < density)
                assert_int_equal(pm_triples_add(&t, i, j, 0, field == PM_PATTERN ? NULL : &re,
                                                field == PM_COMPLEX ? &im : NULL, NULL),
                                 PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    pm_triples_free(&t);
    as_block(&a, &b);
    assert_int_equal(pm_square_make(&b, false, field <= PM_INTEGER ? PM_TREE_BITS : 53, 0, s, NULL),
                     PM_OK);
    pm_block_free(&b);
    pm_matrix_free(&a);
}

static void ranges_add_up(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(40); ++round) {
        pm_square s = {0};
        pm_sweep sweep = {0};
        pm_tree_plan plan;
        pm_sum whole, part, sum = {.failed = false};
        pm_run run = {.threads = 2}, one = {.threads = 1};
        pm_field field = (pm_field)(round % 4);
        random_square(field, 19, 0.3, &s);
        assert_int_equal(plan_with(&s, (int32_t)pm_rng_below(&rng, 2), 1, &plan), PM_OK);
        uint64_t prime[2];
        int32_t nprimes = field > PM_INTEGER ? 0 : field == PM_INTEGER ? 1 : 2;
        choose_primes(UINT64_C(1) << (nprimes == 1 ? 45 : 50), nprimes, prime);
        pm_tree_choice choice = {&plan, prime, nprimes, PM_KAHAN, pm_isa_best()};
        assert_int_equal(pm_tree_prepare(&s, &choice, &sweep, NULL), PM_OK);
        assert_true(sweep.count > sweep.grain);
        assert_int_equal(pm_sweep_range(&sweep, 0, sweep.count, &run, &whole, NULL), PM_OK);
        uint64_t grains = sweep.count / sweep.grain;
        for (uint64_t first = 0, end; first < grains; first = end) {
            end = first + 1 + pm_rng_below(&rng, (uint32_t)grains);
            end = end > grains ? grains : end;
            assert_int_equal(
                pm_sweep_range(&sweep, first * sweep.grain, end * sweep.grain, &one, &part, NULL),
                PM_OK);
            pm_sum_add(&sum, &part, sweep.limbs);
        }
        for (int32_t k = 0; k < nprimes; ++k)
            assert_int_equal(pm_tree_residue(&sweep, &sum, k), pm_tree_residue(&sweep, &whole, k));
        if (!nprimes) {
            assert_true(dd_distance(sum.re, whole.re) <= sweep.rounding * whole.absolute);
            assert_true(dd_distance(sum.im, whole.im) <= sweep.rounding * whole.absolute);
            assert_true(sum.absolute < 2 * whole.absolute && whole.absolute < 2 * sum.absolute);
            assert_true(sum.spread < 2 * whole.spread && whole.spread < 2 * sum.spread);
        }
        assert_int_equal(pm_sweep_range(&sweep, 0, sweep.count, &one, &part, NULL), PM_OK);
        assert_memory_equal(&part, &whole, sizeof part);
        pm_sweep_free(&sweep);
        pm_square_free(&s);
    }
}

/* One term by its definition, modulo p. */
static uint64_t term_modulo(const pm_square *s, const pm_tree_plan *plan, uint64_t index,
                            uint64_t p)
{
    uint64_t place = index >> plan->slow, stream = index & ((UINT64_C(1) << plan->slow) - 1);
    uint64_t minus = (place ^ place >> 1) | stream << plan->flips, owned = 0;
    int64_t x[64] = {0};
    int32_t stay = plan->n - plan->eliminated;
    for (int32_t j = 0; j < stay; ++j)
        for (int32_t k = s->colptr[plan->cols[j]]; k < s->colptr[plan->cols[j] + 1]; ++k)
            x[s->rowind[k]] += minus >> j & 1 ? -s->re[k] : s->re[k];
    uint64_t term = __builtin_parityll(minus) ? p - 1 : 1;
#define RESIDUE(v) ((uint64_t)(((v) % (int64_t)p + (int64_t)p) % (int64_t)p))
    for (int32_t e = stay; e < plan->n; ++e) {
        uint64_t plus = 1, less = 1;
        for (int32_t k = s->colptr[plan->cols[e]]; k < s->colptr[plan->cols[e] + 1]; ++k) {
            int32_t i = s->rowind[k];
            assert_false(owned >> i & 1);
            owned |= UINT64_C(1) << i;
            plus = pm_mod_mul(plus, RESIDUE(x[i] + s->re[k]), p);
            less = pm_mod_mul(less, RESIDUE(x[i] - s->re[k]), p);
        }
        term = pm_mod_mul(term, (plus + p - less) % p, p);
    }
    for (int32_t i = 0; i < plan->n; ++i)
        if (!(owned >> i & 1))
            term = pm_mod_mul(term, RESIDUE(x[i]), p);
    return term;
}

static void parts_of_large_blocks(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(24); ++round) {
        pm_square s = {0};
        pm_sweep sweep = {0};
        pm_tree_plan plan;
        pm_sum sum;
        pm_field field = (pm_field)(round % 2);
        int32_t n = 33 + (int32_t)pm_rng_below(&rng, 32);
        int32_t nprimes = field ? 1 : 3;
        uint64_t prime[3];
        choose_primes(field ? UINT64_C(1) << 45 : PM_TREE_PRIME_MAX, nprimes, prime);
        random_square(field, n, 0.1 + 0.4 * pm_rng_unit(&rng), &s);
        assert_int_equal(plan_with(&s, PM_TREE_ANY, round % 8 ? 0 : 3, &plan), PM_OK);
        pm_tree_choice choice = {&plan, prime, nprimes, PM_KAHAN, pm_isa_best()};
        assert_int_equal(pm_tree_prepare(&s, &choice, &sweep, NULL), PM_OK);
        uint64_t first = pm_rng_next(&rng) % (sweep.count / sweep.grain) * sweep.grain;
        uint64_t end = first + sweep.grain;
        assert_int_equal(pm_sweep_range(&sweep, first, end, NULL, &sum, NULL), PM_OK);
        for (int32_t k = 0; k < nprimes; ++k) {
            uint64_t p = prime[k], expected = 0;
            for (uint64_t t = first; t < end; ++t)
                expected = (expected + term_modulo(&s, &plan, t, p)) % p;
            uint64_t scaled =
                pm_mod_mul(expected, pm_mod_inverse(pm_mod_pow(2, (uint64_t)n - 1, p), p), p);
            assert_int_equal(pm_tree_residue(&sweep, &sum, k), scaled);
        }
        pm_sweep_free(&sweep);
        pm_square_free(&s);
    }
}

/* Sums of magnitudes by their definition, in units of the square. */
static void magnitudes(const pm_square *s, const pm_tree_plan *plan, double *absolute,
                       double *spread)
{
    int32_t stay = plan->n - plan->eliminated;
    *absolute = *spread = 0;
    for (uint64_t minus = 0; minus < UINT64_C(1) << pm_tree_outer(plan); ++minus) {
        double x[64][2] = {{0}}, size[2] = {1, 1};
        uint64_t owned = 0;
        for (int32_t j = 0; j < stay; ++j)
            for (int32_t k = s->colptr[plan->cols[j]]; k < s->colptr[plan->cols[j] + 1]; ++k)
                for (int part = 0; part < 1 + (s->im != NULL); ++part) {
                    double v = (double)(part ? s->im : s->re)[k];
                    x[s->rowind[k]][part] += minus >> j & 1 ? -v : v;
                }
        for (int32_t e = stay; e < plan->n; ++e)
            for (int raise = 0; raise < 2; ++raise) {
                double side[2] = {1, 1};
                for (int32_t k = s->colptr[plan->cols[e]]; k < s->colptr[plan->cols[e] + 1]; ++k)
                    for (int minus_side = 0; minus_side < 2; ++minus_side) {
                        int32_t i = s->rowind[k];
                        double sign = minus_side ? -1 : 1;
                        double im = s->im ? sign * (double)s->im[k] : 0;
                        owned |= UINT64_C(1) << i;
                        side[minus_side] *= hypot(x[i][0] + sign * (double)s->re[k], x[i][1] + im)
                                            + raise * PM_SPREAD_SCALE * s->inexact[i];
                    }
                size[raise] *= side[0] + side[1];
            }
        for (int32_t i = 0; i < plan->n; ++i)
            for (int raise = 0; raise < 2 && !(owned >> i & 1); ++raise)
                size[raise] *= hypot(x[i][0], x[i][1]) + raise * PM_SPREAD_SCALE * s->inexact[i];
        *absolute += size[0];
        *spread += (size[1] - size[0]) / PM_SPREAD_SCALE;
    }
}

/* Samples are more than twice too large once in 250 blocks and have no bound: theirs are the same
 * on each run. */
static void magnitudes_in_full_and_sampled(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(12); ++round) {
        pm_square s = {0};
        pm_tree_plan plan;
        pm_sweep sweep = {0};
        pm_sum sum;
        double absolute, spread;
        bool sampled = round % 4 > 1;
        const uint64_t drawn = rng;
        if (sampled)
            rng = (uint64_t)(round % 12);
        random_square(round % 2 ? PM_COMPLEX : PM_REAL, sampled ? 17 : 11, 0.5, &s);
        assert_int_equal(plan_with(&s, 1, (int32_t)pm_rng_below(&rng, 6), &plan), PM_OK);
        pm_tree_choice choice = {&plan, NULL, 0, PM_KAHAN, pm_isa_best()};
        assert_int_equal(pm_tree_prepare(&s, &choice, &sweep, NULL), PM_OK);
        assert_int_equal(sweep.sampled, sampled);
        assert_int_equal(pm_sweep_range(&sweep, 0, sweep.count, NULL, &sum, NULL), PM_OK);
        magnitudes(&s, &plan, &absolute, &spread);
        double unit = ldexp(1, -(int)(sweep.shift + s.n - 1)), slack = sampled ? 3 : 1 + 1e-9;
        double slack_of_spread = sampled ? 3 : 1 + 1e-6;
        assert_true(sum.absolute <= slack * unit * absolute);
        assert_true(sum.absolute * slack >= unit * absolute);
        assert_true(sum.spread <= slack_of_spread * unit * spread);
        assert_true(sum.spread * slack_of_spread >= unit * spread);
        rng = sampled ? drawn : rng;
        pm_sweep_free(&sweep);
        pm_square_free(&s);
    }
}

/* ---- operations ---- */

static void predicted_operations_are_counted(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_square s = {0};
        pm_tree_plan plan;
        int32_t n = 8 + (int32_t)pm_rng_below(&rng, 14);
        random_square(PM_PATTERN, n, 0.1 + 0.5 * pm_rng_unit(&rng), &s);
        assert_int_equal(plan_with(&s, PM_TREE_ANY, 3, &plan), PM_OK);
        double counted = 0, places = ldexp(1, plan.flips);
        for (uint64_t t = 1; t < UINT64_C(1) << plan.flips; ++t) {
            const pm_tree_flip *f = &plan.flip[__builtin_ctzll(t)];
            for (int32_t c = 0; c < plan.ninputs; ++c)
                counted += pm_tree_changes(f, c);
            for (int32_t i = 0; i < plan.nnodes; ++i)
                if (pm_tree_changes(f, plan.ninputs + i))
                    counted += plan.node[i].end - plan.node[i].first - 1;
        }
        double predicted = pm_tree_operations(&plan);
        assert_true(fabs(predicted - ldexp(counted, plan.slow)) <= 1e-9 * predicted);
        assert_true(fabs(places * (plan.additions + plan.products) - counted) <= 1e-9 * counted);
        pm_square_free(&s);
    }
}

/* Every cell is used once, after it was made; an input changes with the entries of its row. */
static void plans_are_trees(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_square s = {0};
        pm_tree_plan plan;
        int32_t n = 1 + (int32_t)pm_rng_below(&rng, 64), used[PM_TREE_CELLS] = {0};
        random_square(PM_PATTERN, n, pm_rng_unit(&rng) * pm_rng_unit(&rng), &s);
        assert_int_equal(plan_with(&s, PM_TREE_ANY, 5, &plan), PM_OK);
        assert_int_equal(plan.flips + plan.slow + 1 + plan.eliminated, n);
        int32_t cells = plan.ninputs + plan.nnodes;
        for (int32_t i = 0; i < plan.nnodes; ++i)
            for (int32_t k = plan.node[i].first; k < plan.node[i].end; ++k) {
                assert_true(plan.operand[k] < plan.ninputs + i);
                ++used[plan.operand[k]];
                for (int32_t j = 0; j < plan.flips; ++j)
                    assert_true(!pm_tree_changes(&plan.flip[j], plan.operand[k])
                                || pm_tree_changes(&plan.flip[j], plan.ninputs + i));
            }
        for (int32_t c = 0; c < cells; ++c)
            assert_int_equal(used[c], c < cells - 1);
        for (int32_t j = 0; j < plan.flips; ++j)
            for (int32_t c = 0; c < plan.ninputs; ++c) {
                bool has = false;
                for (int32_t k = s.colptr[plan.cols[j]]; k < s.colptr[plan.cols[j] + 1]; ++k)
                    has |= s.rowind[k] == plan.input[c].row;
                assert_int_equal(pm_tree_changes(&plan.flip[j], c), has);
            }
        pm_square_free(&s);
    }
}

/* 000, Alg. 3: every column has the fewest rows that no earlier one has; rows by first touch. */
static void permanent_ordering_is_greedy(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_square s = {0};
        pm_column_order o;
        uint64_t rows[64] = {0}, seen = 0, taken = 0;
        int32_t n = 1 + (int32_t)pm_rng_below(&rng, 64), nrows = 0;
        random_square(PM_PATTERN, n, 0.5 * pm_rng_unit(&rng), &s);
        pm_pattern a = pattern_of(&s);
        assert_int_equal(pm_column_order_permanent(&a, o.cols, o.rows, NULL), PM_OK);
        for (int32_t j = 0; j < n; ++j)
            for (int32_t k = s.colptr[j]; k < s.colptr[j + 1]; ++k)
                rows[j] |= UINT64_C(1) << s.rowind[k];
        for (int32_t k = 0; k < n; ++k) {
            uint64_t fresh = rows[o.cols[k]] & ~seen;
            assert_false(taken >> o.cols[k] & 1);
            taken |= UINT64_C(1) << o.cols[k];
            for (int32_t j = 0; j < n; ++j)
                assert_true(taken >> j & 1
                            || __builtin_popcountll(rows[j] & ~seen)
                                   >= __builtin_popcountll(fresh));
            for (; fresh; fresh &= fresh - 1)
                assert_int_equal(o.rows[nrows++], __builtin_ctzll(fresh));
            seen |= rows[o.cols[k]];
        }
        assert_int_equal(nrows, n);
        pm_square_free(&s);
    }
}

/* ---- the algorithm ---- */

static void assert_counts_agree(const pm_matrix *a, const char *other)
{
    pm_value v, w;
    pm_count_options o = pm_count_defaults(), p = o;
    o.algorithm = "product-tree";
    p.algorithm = other;
    pm_value_init(&v);
    pm_value_init(&w);
    assert_int_equal(pm_count(a, &o, NULL, &v, NULL, NULL), PM_OK);
    assert_int_equal(pm_count(a, &p, NULL, &w, NULL, NULL), PM_OK);
    assert_true(mpq_equal(v.exact, w.exact));
    o.independent = true;
    assert_int_equal(pm_count(a, &o, NULL, &v, NULL, NULL), PM_OK);
    assert_true(mpq_equal(v.exact, w.exact));
    pm_value_clear(&v);
    pm_value_clear(&w);
}

static void agrees_with_the_frontier(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(20); ++round) {
        pm_matrix a;
        int n = 14 + (int)pm_rng_below(&rng, 7);
        random_matrix(&rng, (pm_field)(round % 2), n, n, 0.2 + 0.4 * pm_rng_unit(&rng), &a);
        assert_counts_agree(&a, "frontier");
        pm_matrix_free(&a);
    }
}

static void refuses_what_it_cannot(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v;
    pm_error err = {.msg = ""};
    pm_count_options o = pm_count_defaults();
    pm_triples t = {.field = PM_REAL, .nrows = 6, .ncols = 6};
    pm_value_init(&v);
    for (int i = 0; i < 36; ++i) {
        pm_dyadic x = {0};
        pm_dyadic_set_d(&x, 1 + pm_rng_unit(&rng));
        assert_int_equal(pm_triples_add(&t, i / 6, i % 6, 0, &x, NULL, NULL), PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    pm_triples_free(&t);
    o.algorithm = "product-tree";
    o.precision = PM_QUAD;
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "precision quad"));
    pm_matrix_free(&a);
    pm_value_clear(&v);
}

static void memory_ends(void **state)
{
    (void)state;
    pm_square s = {0};
    pm_tree_plan plan;
    random_square(PM_REAL, 12, 0.4, &s);
    assert_int_equal(plan_with(&s, 1, 5, &plan), PM_OK);
    pm_tree_choice choice = {&plan, NULL, 0, PM_KAHAN, pm_isa_best()};
    for (int64_t k = 1;; ++k) {
        pm_sweep sweep = {0};
        pm_alloc_fail_at(k);
        pm_status rc = pm_tree_prepare(&s, &choice, &sweep, NULL);
        int64_t asked = pm_alloc_fail_at(0);
        pm_sweep_free(&sweep);
        if (asked < k) {
            assert_int_equal(rc, PM_OK);
            assert_true(k > 4);
            break;
        }
        assert_int_equal(rc, PM_ENOMEM);
    }
    pm_square_free(&s);
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_eliminations_against_definition),
                                       cmocka_unit_test(ranges_add_up),
                                       cmocka_unit_test(parts_of_large_blocks),
                                       cmocka_unit_test(magnitudes_in_full_and_sampled),
                                       cmocka_unit_test(predicted_operations_are_counted),
                                       cmocka_unit_test(plans_are_trees),
                                       cmocka_unit_test(permanent_ordering_is_greedy),
                                       cmocka_unit_test(agrees_with_the_frontier),
                                       cmocka_unit_test(refuses_what_it_cannot),
                                       cmocka_unit_test(memory_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
