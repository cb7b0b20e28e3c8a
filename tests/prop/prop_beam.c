/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The beam against exact permanents: equal where there is room for all states, right on average
 * where there is not.
 * False alarm: 1e-9 a run, of blocks refused beyond what is allowed.  The means are those of the same samples in each run. */
#include "config.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "beam/beam_plan.h"
#include "beam/beam_thin.h"
#include "beam/state_lists.h"
#include "pm/alloc.h"
#include "pm/dm.h"
#include "support/positive.h"

/* ---- exact ---- */

/* Between the smallest and the largest entry. */
static double octaves(const pm_matrix *a)
{
    double least = INFINITY, largest = -INFINITY;
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k) {
        double size = xreal_log10(pm_xreal_from_dyadic(&a->re[k])) / log10(2);
        least = fmin(least, size);
        largest = fmax(largest, size);
    }
    return largest - least;
}

/* How many blocks of the Dulmage-Mendelsohn decomposition are refused: such as have entries that
 * are far apart. */
static int refused_blocks(const pm_matrix *a)
{
    pm_dm d;
    pm_dm_cut c;
    int refused = 0;
    assert_int_equal(pm_dm_decompose(a, NULL, &d, NULL), PM_OK);
    assert_int_equal(pm_dm_cut_open(a, &d, &c, NULL), PM_OK);
    for (int64_t k = 0; k < d.nblocks; ++k) {
        pm_matrix block;
        pm_sampler s;
        assert_int_equal(pm_dm_cut_block(&c, k, &block, NULL), PM_OK);
        if (make_beam(&block, 100, 1, &s) == PM_OK) {
            s.method->free_model(&s);
        } else {
            assert_true(octaves(&block) > 500);
            ++refused;
        }
        pm_matrix_free(&block);
    }
    pm_dm_cut_close(&c);
    pm_dm_free(&d);
    return refused;
}

static void test_exact(void **state)
{
    uint64_t rng = test_seed();
    int refused = 0, rounds = test_rounds(300);
    (void)state;
    for (int round = 0; round < rounds; ++round) {
        pm_matrix a;
        pm_xreal exact;
        pm_sampler s;
        positive_matrix(&rng, (pm_field)(round % 3), 1 + (int)pm_rng_below(&rng, 10),
                        0.2 + 0.7 * pm_rng_unit(&rng), false, &a, &exact);
        pm_status rc = make_beam(&a, round % 2 ? 0 : 1000, round, &s);
        if (rc == PM_UNABLE) {
            assert_int_equal(round % 3, PM_REAL);
            /* entries in no perfect matching may be of any size beside the others */
            refused += refused_blocks(&a);
        } else {
            assert_int_equal(rc, PM_OK);
            assert_true(s.is_exact);
            void *scratch = scratch_of(&s);
            assert_true(fabs(weight_ratio(s.method->draw(&s, scratch, 7), exact) - 1) < 1e-11);
            free(scratch);
            s.method->free_model(&s);
        }
        pm_matrix_free(&a);
    }
    print_message("# %d blocks refused\n", refused);
    /* reals from 1 to 2^600 in one matrix: 18 in 1000; what is allowed is passed once in 10^9 */
    double some = 0.02 * rounds;
    assert_true(refused <= some + 6 * sqrt(some) + 6);
}

/* ---- unbiased ---- */

enum { RUNS = 1000 };

/* By so much the mean may be off for want of states that none of the runs has kept. */
#define UNSEEN (30. / RUNS)

/* mean - exact over RUNS runs, relative, and the relative variance of one. */
static void draw_runs(const pm_sampler *s, pm_xreal exact, double *deviation, double *cv2)
{
    double sum = 0, square = 0;
    void *scratch = scratch_of(s);
    for (uint64_t i = 0; i < RUNS; ++i) {
        double x = weight_ratio(s->method->draw(s, scratch, i), exact);
        sum += x;
        square += x * x;
    }
    free(scratch);
    double mean = sum / RUNS, variance = (square / RUNS - mean * mean) * RUNS / (RUNS - 1);
    *deviation = mean - 1;
    *cv2 = fmax(variance, 0) / (mean * mean);
}

static void test_unbiased(void **state)
{
    uint64_t rng = test_same_seed();
    double squares = 0;
    int tested = 0, thinned = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 150, tested > thinned / 10); ++round) {
        pm_matrix a;
        pm_xreal exact;
        pm_sampler s;
        double cv2, deviation;
        positive_matrix(&rng, (pm_field)(round % 2), 5 + (int)pm_rng_below(&rng, 5),
                        0.4 + 0.5 * pm_rng_unit(&rng), false, &a, &exact);
        assert_int_equal(make_beam(&a, 1 + (int64_t)pm_rng_below(&rng, 8), rng, &s), PM_OK);
        draw_runs(&s, exact, &deviation, &cv2);
        double z = deviation / sqrt(cv2 / RUNS + 1e-30);
        if (cv2 < 1) {
            bool is_off = fabs(z) >= 7 && fabs(deviation) > UNSEEN;
            if (is_off)
                print_message("# n = %d, cv^2 = %g, z = %g\n", (int)a.nrows, cv2, z);
            assert_false(is_off);
        }
        if (cv2 > 0.05 && cv2 < 1) { /* what was not kept is small beside it */
            squares += z * z;
            ++tested;
        }
        thinned += !s.is_exact;
        s.method->free_model(&s);
        pm_matrix_free(&a);
    }
    /* the deviations are those of a normal variable, neither more nor less */
    print_message("# %d graphs, sum of squared deviations %.1f\n", tested, squares);
    assert_true(tested > thinned / 10);
    assert_true(gsl_cdf_chisq_P(squares, tested) > 1e-9);
    assert_true(gsl_cdf_chisq_Q(squares, tested) > 1e-9);
}

/* ---- wide keys, many vertices ---- */

static void make_states(pm_states *s, int64_t room, int32_t words, bool low)
{
    *s = (pm_states){.keys = calloc((size_t)(room * words), sizeof *s->keys),
                     .hi = calloc((size_t)room, sizeof *s->hi),
                     .lo = low ? calloc((size_t)room, sizeof *s->lo) : NULL};
}

static void free_states(pm_states *s)
{
    free(s->keys);
    free(s->hi);
    free(s->lo);
}

/* Moves the bits of the keys to any places of so many words. */
static void scatter_bits(uint64_t *rng, pm_beam_plan *p, int32_t words)
{
    int32_t *place = calloc((size_t)words * 64, sizeof *place);
    random_permutation(rng, place, words * 64);
    for (int64_t t = 0; t < p->nedges; ++t) {
        p->edges[t].v_bit = place[p->edges[t].v_bit];
        p->edges[t].u_bit = place[p->edges[t].u_bit];
    }
    free(place);
}

/* The whole beam, all states kept, times 2^-p->exp. */
static pm_weight run_all(const pm_beam_plan *p, int32_t words, bool low)
{
    int64_t room = 4 * (int64_t)p->most + 4;
    pm_states now, next, take, skip;
    make_states(&now, room, words, low);
    make_states(&next, room, words, low);
    make_states(&take, room, words, low);
    make_states(&skip, room, words, low);
    now.hi[0] = 1;
    now.n = 1;
    for (int64_t t = 0; t < p->nedges; ++t) {
        pm_states_edge(&now, &p->edges[t], words, &take, &skip, &next);
        pm_states swap = now;
        now = next;
        next = swap;
        assert_true((double)now.n <= p->most);
    }
    assert_int_equal(now.n, 1);
    int e;
    pm_weight w = {frexp(now.hi[0], &e), 0};
    w.e = e + p->exp;
    free_states(&now);
    free_states(&next);
    free_states(&take);
    free_states(&skip);
    return w;
}

static void test_wide_keys(void **state)
{
    static const int32_t widths[] = {1, 2, 4, 5, 8};
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(100); round > 0; --round) {
        pm_matrix a;
        pm_xreal exact;
        pm_beam_plan p;
        int32_t words = widths[round % 5];
        positive_matrix(&rng, (pm_field)(round % 2), 1 + (int)pm_rng_below(&rng, 10), 0.6, false,
                        &a, &exact);
        assert_int_equal(pm_beam_plan_make(&a, false, rng, NULL, &p, NULL), PM_OK);
        assert_true(p.bits <= 64 && p.words == 1);
        scatter_bits(&rng, &p, words);
        assert_true(fabs(weight_ratio(run_all(&p, words, round % 3 == 0), exact) - 1) < 1e-13);
        pm_beam_plan_free(&p);
        pm_matrix_free(&a);
    }
}

/* ---- thinning ---- */

/* n states with keys 0, 1, ..., weights and scores over so many octaves; some scores are 0. */
static void some_states(uint64_t *rng, int64_t n, double octaves, pm_states *s, double *score)
{
    s->n = n;
    for (int64_t i = 0; i < n; ++i) {
        s->keys[i] = (uint64_t)i;
        s->hi[i] = 1 + pm_rng_unit(rng);
        score[i] = pm_rng_below(rng, 9) ? s->hi[i] * exp2(-octaves * pm_rng_unit(rng)) : 0;
    }
}

/* How many stay, and that the mean over many starts is the weight. */
static void test_thin(void **state)
{
    enum { MOST = 3000, STARTS = 256 };
    uint64_t rng = test_seed();
    pm_states s, all;
    pm_thin_histogram h;
    double score[MOST];
    (void)state;
    make_states(&s, MOST, 1, false);
    make_states(&all, MOST, 1, false);
    double *sum = calloc(MOST, sizeof *sum), *share = calloc(MOST, sizeof *share);
    for (int round = test_rounds(40); round > 0; --round) {
        int64_t keep = 1 + (int64_t)pm_rng_below(&rng, round % 2 ? 10 : 1000);
        int64_t n = 1 + (int64_t)pm_rng_below(&rng, MOST);
        some_states(&rng, n, round % 3 ? 10 : 200, &all, score);
        memset(sum, 0, MOST * sizeof *sum);
        for (int k = 0; k < STARTS; ++k) {
            memcpy(s.keys, all.keys, (size_t)n * sizeof *s.keys);
            memcpy(s.hi, all.hi, (size_t)n * sizeof *s.hi);
            s.n = n;
            pm_beam_thin(&s, 1, keep, score, pm_beam_thin_offset((k + 0.5) / STARTS), &h);
            assert_true(n <= keep ? s.n == n : (double)s.n <= 18.0 / 17 * (double)keep + 1);
            for (int64_t i = 0; i < s.n; ++i) {
                sum[s.keys[i]] += s.hi[i] / STARTS;
                share[s.keys[i]] = all.hi[s.keys[i]] / s.hi[i];
                assert_true(i == 0 || s.keys[i] > s.keys[i - 1]);
            }
        }
        for (int64_t i = 0; i < n; ++i)
            if (sum[i] > 0)
                assert_true(fabs(sum[i] / all.hi[i] - 1) <= 1.01 / (STARTS * share[i]));
    }
    free(sum);
    free(share);
    free_states(&s);
    free_states(&all);
}

/* Dead ends go, though nothing is left then: the lists have no room for more. */
static void test_all_dead(void **state)
{
    const double score[5] = {0};
    pm_states s;
    pm_thin_histogram h;
    (void)state;
    make_states(&s, 5, 1, false);
    s.n = 5;
    pm_beam_thin(&s, 1, 5, score, 0, &h);
    assert_int_equal(s.n, 5);
    pm_beam_thin(&s, 1, 4, score, 0, &h);
    assert_int_equal(s.n, 0);
    free_states(&s);
}

/* Scores near the smallest doubles: no more states stay than else, and none of score 0. */
static void test_tiny_scores(void **state)
{
    enum { N = 6 };
    pm_states s;
    pm_thin_histogram h;
    (void)state;
    make_states(&s, N, 1, false);
    for (int e = -1070; e <= -880; e += 5)
        for (int64_t keep = 1; keep < N; ++keep) {
            const double score[N] = {0, ldexp(1.3, e), 0, ldexp(1, e), ldexp(1.9, e - 3), 0};
            s.n = N;
            for (int i = 0; i < N; ++i) {
                s.keys[i] = (uint64_t)i;
                s.hi[i] = 1;
            }
            pm_beam_thin(&s, 1, keep, score, pm_beam_thin_offset(0.7), &h);
            assert_true((double)s.n <= 18.0 / 17 * (double)keep + 1);
            for (int64_t i = 0; i < s.n; ++i)
                assert_true(score[s.keys[i]] > 0 && isfinite(s.hi[i]));
        }
    free_states(&s);
}

/* Side x side cells, side even. */
static void grid(int side, pm_matrix *a)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = side * side / 2, .ncols = side * side / 2};
    static const int dx[] = {0, 0, 1, -1}, dy[] = {1, -1, 0, 0};
    for (int x = 0; x < side; ++x)
        for (int y = x % 2; y < side; y += 2)
            for (int k = 0; k < 4; ++k) {
                int u = x + dx[k], v = y + dy[k];
                if (u >= 0 && v >= 0 && u < side && v < side)
                    assert_int_equal(pm_triples_add(&t, (x * side + y) / 2, (u * side + v) / 2, 0,
                                                    NULL, NULL, NULL),
                                     PM_OK);
            }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "grid", a, NULL), PM_OK);
    pm_triples_free(&t);
}

/* ln of its perfect matchings (Kasteleyn 1961) */
static double log_grid(int side)
{
    double sum = 0;
    for (int j = 1; j <= side / 2; ++j)
        for (int k = 1; k <= side / 2; ++k)
            sum += log(4 * pow(cos(M_PI * j / (side + 1)), 2)
                       + 4 * pow(cos(M_PI * k / (side + 1)), 2));
    return sum;
}

/* Far beyond the range of a double, with few states: the order of magnitude must be right. */
static void test_large_grid(void **state)
{
    pm_matrix a;
    pm_sampler s;
    (void)state;
    grid(100, &a);
    assert_int_equal(make_beam(&a, 300, 1, &s), PM_OK);
    assert_false(s.is_exact);
    void *scratch = scratch_of(&s);
    pm_weight w = s.method->draw(&s, scratch, 0);
    double ratio = (log(w.m) + (double)w.e * M_LN2) / log_grid(100);
    print_message("# ln of the weight over that of the count: %.4f\n", ratio);
    assert_true(w.m >= 0.5 && w.m < 1 && ratio > 0.97 && ratio < 1.005);
    free(scratch);
    s.method->free_model(&s);
    pm_matrix_free(&a);
}

/* A standard error of some percent. */
static void test_grid(void **state)
{
    enum { SAMPLES = 40 };
    pm_matrix a;
    pm_sampler s;
    double sum = 0, square = 0;
    (void)state;
    grid(24, &a);
    assert_int_equal(make_beam(&a, 500, 1, &s), PM_OK);
    void *scratch = scratch_of(&s);
    for (uint64_t i = 0; i < SAMPLES; ++i) {
        pm_weight w = s.method->draw(&s, scratch, i);
        double x = exp(log(w.m) + (double)w.e * M_LN2 - log_grid(24));
        sum += x;
        square += x * x;
    }
    double mean = sum / SAMPLES, error = sqrt((square / SAMPLES - mean * mean) / (SAMPLES - 1));
    print_message("# 24 x 24: %.4f of the truth, standard error %.4f\n", mean, error);
    assert_true(fabs(mean - 1) < 5 * error && error < 0.1);
    free(scratch);
    s.method->free_model(&s);
    pm_matrix_free(&a);
}

/* ---- one number, one weight ---- */

static void test_same_everywhere(void **state)
{
    enum { SAMPLES = 64 };
    uint64_t rng = test_seed();
    pm_matrix a;
    pm_xreal exact;
    pm_sampler s;
    pm_weight serial[SAMPLES], parallel[SAMPLES];
    int distinct = 0;
    (void)state;
    positive_matrix(&rng, PM_PATTERN, 12, 0.7, false, &a, &exact);
    assert_int_equal(make_beam(&a, 20, 5, &s), PM_OK);
    void *scratch = scratch_of(&s);
    for (int i = 0; i < SAMPLES; ++i)
        serial[i] = s.method->draw(&s, scratch, (uint64_t)i);
    free(scratch);
#pragma omp parallel num_threads(4)
    {
        void *mine = scratch_of(&s);
#pragma omp for schedule(dynamic, 1)
        for (int i = SAMPLES - 1; i >= 0; --i)
            parallel[i] = s.method->draw(&s, mine, (uint64_t)i);
        free(mine);
    }
    for (int i = 0; i < SAMPLES; ++i) {
        assert_true(serial[i].m == parallel[i].m && serial[i].e == parallel[i].e);
        distinct += i > 0 && serial[i].m != serial[0].m;
    }
    assert_true(distinct > SAMPLES / 2);
    s.method->free_model(&s);
    pm_matrix_free(&a);
}

/* ---- extremes, memory ---- */

static void test_no_matching(void **state)
{
    uint64_t rng = test_seed();
    int zeros = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 100, zeros > 0); ++round) {
        pm_matrix a;
        pm_xreal exact;
        pm_sampler s;
        positive_matrix(&rng, PM_PATTERN, 6, 0.3, true, &a, &exact);
        if (exact.hi == 0) {
            ++zeros;
            assert_int_equal(make_beam(&a, 3, 5, &s), PM_OK);
            void *scratch = scratch_of(&s);
            assert_true(s.method->draw(&s, scratch, 0).m == 0);
            free(scratch);
            s.method->free_model(&s);
        }
        pm_matrix_free(&a);
    }
    assert_true(zeros > 0);
}

/* So many states are enough for every level of a plan. */
static int64_t exact_states(const pm_matrix *a)
{
    pm_beam_plan p;
    assert_int_equal(pm_beam_plan_make(a, false, 0, NULL, &p, NULL), PM_OK);
    double states = fmax(p.most_ended, ceil(p.most / 2));
    pm_beam_plan_free(&p);
    return (int64_t)states;
}

static void test_memory(void **state)
{
    uint64_t rng = test_seed();
    pm_matrix a;
    pm_xreal exact;
    pm_sampler s;
    const pm_run little = {.threads = 1, .max_memory = 100000};
    pm_sampler_options o = {.states = 10000};
    (void)state;
    positive_matrix(&rng, PM_INTEGER, 13, 0.9, false, &a, &exact);
    s = (pm_sampler){.method = &pm_sampler_beam, .a = &a};
    pm_error err = {.msg = ""};
    assert_int_equal(s.method->make(&s, &o, &little, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "allowed are"));
    o.states = 0;
    assert_int_equal(s.method->make(&s, &o, &little, &err), PM_OK);
    assert_true(s.scratch <= 100000);
    s.method->free_model(&s);
    o.states = exact_states(&a);
    assert_int_equal(s.method->make(&s, &o, NULL, &err), PM_OK);
    assert_true(s.is_exact);
    s.method->free_model(&s);
    int failures = 0;
    pm_status rc = PM_ENOMEM;
    for (int64_t k = 1; rc != PM_OK; ++k) {
        err.msg[0] = 0;
        pm_alloc_fail_at(k);
        rc = s.method->make(&s, &o, NULL, &err);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || (rc == PM_ENOMEM && strlen(err.msg) > 0));
        failures += rc != PM_OK;
    }
    assert_true(failures > 20);
    s.method->free_model(&s);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_unbiased),
        cmocka_unit_test(test_thin),
        cmocka_unit_test(test_all_dead),
        cmocka_unit_test(test_tiny_scores),
        cmocka_unit_test(test_wide_keys),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_large_grid),
        cmocka_unit_test(test_same_everywhere),
        cmocka_unit_test(test_no_matching),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
