/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points where a scaling ended before lines summed to 1 (bounds/bethe_point.h): how far they are from the maximum of Bethe's
 * functional, and whether the interval of the estimate holds the count.  All seeds are fixed: no false alarm. */
#include "config.h"

#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bethe_estimate/bethe_estimate.h"
#include "bounds/bethe.h"
#include "bounds/bethe_point.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "sampler/scaled_entries.h"
#include "support/graphs.h"
#include "support/total_support.h"

static uint64_t rng;

/* ---- graphs ---- */

/* A box of cells, those that share a side are neighbours; `wraps`: also the first and the last one of a line; `bricks`: a honeycomb,
 * without every second tie in the first direction. */
typedef struct {
    int size[3];
    bool wraps, bricks;
} box;

enum { CELLS = 400 };

static void add_neighbour(const box *b, const int *number, const int *at, int direction, int by,
                          pm_triples *t)
{
    int to[3] = {at[0], at[1], at[2]};
    const int size = b->size[direction];
    to[direction] += by;
    if (b->wraps && size > 1)
        to[direction] = (to[direction] + size) % size;
    if (to[direction] < 0 || to[direction] >= size || (b->bricks && direction == 0 && by < 0))
        return;
    const int cell = (at[0] * b->size[1] + at[1]) * b->size[2] + at[2];
    const int other = (to[0] * b->size[1] + to[1]) * b->size[2] + to[2];
    graphs_add(t, number[cell], number[other]);
}

static void box_graph(const box *b, pm_matrix *out)
{
    int number[CELLS], count[2] = {0}, at[3];
    const int cells = b->size[0] * b->size[1] * b->size[2];
    pm_triples t = {.nrows = cells / 2, .ncols = cells / 2};
    assert_true(cells <= CELLS);
    for (int pass = 0; pass < 2; ++pass)
        for (int cell = 0; cell < cells; ++cell) {
            at[2] = cell % b->size[2];
            at[1] = cell / b->size[2] % b->size[1];
            at[0] = cell / b->size[2] / b->size[1];
            const int side = (at[0] + at[1] + at[2]) % 2;
            if (!pass)
                number[cell] = count[side]++;
            for (int d = 0; pass && !side && d < 3; ++d)
                for (int by = -1; by < 2; by += 2)
                    add_neighbour(b, number, at, d, by, &t);
        }
    graphs_end(&t, out);
}

static const box boxes[] = {
    {{10, 16, 1}, false, false}, {{16, 24, 1}, false, false}, {{8, 10, 1}, true, false},
    {{6, 14, 1}, true, false},   {{8, 12, 1}, true, true},    {{5, 5, 4}, false, false},
};
enum { BOXES = sizeof boxes / sizeof *boxes, FAMILIES = BOXES + 3 };

static void draw_pattern(int family, pm_matrix *out)
{
    if (family < BOXES)
        box_graph(&boxes[family], out);
    else if (family == BOXES)
        permutations_union(&rng, 28, 3, out);
    else if (family == BOXES + 1)
        permutations_union(&rng, 20, 5, out);
    else
        dense_graph(16, 0.8, pm_rng_below(&rng, 1000), out);
}

/* Entries from 1 to `most`. */
static void draw_graph(int family, int64_t most, pm_matrix *out)
{
    pm_matrix a;
    draw_pattern(family, &a);
    pm_triples t = {.field = PM_INTEGER, .nrows = a.nrows, .ncols = a.ncols};
    for (int64_t i = 0; i < a.nrows; ++i)
        for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k) {
            pm_dyadic x = pm_dyadic_from_si(1 + (int64_t)pm_rng_below(&rng, (uint32_t)most));
            graphs_must(pm_triples_add(&t, i, a.colind[k], 0, &x, NULL, NULL), NULL);
        }
    graphs_end(&t, out);
    pm_matrix_free(&a);
}

static double log_permanent(const pm_matrix *a)
{
    pm_value v;
    pm_value_init(&v);
    const pm_count_options o = pm_count_defaults();
    assert_int_equal(pm_count(a, &o, NULL, &v, NULL, NULL), PM_OK);
    const double value = pm_value_log10_abs(&v) * M_LN10;
    pm_value_clear(&v);
    return value;
}

/* ---- points ---- */

/* After so many sweeps of belief propagation and about so many products of the scaling. */
static void make_point(const pm_matrix *a, int sweeps, int products, int threads,
                       pm_bethe_point *point)
{
    pm_scaled_entries entries;
    pm_sinkhorn s;
    const pm_run run = {.threads = threads};
    const pm_bethe_limits limits = {1e-15, sweeps, 1e-14};
    assert_int_equal(pm_scaled_entries_make(a, NULL, &entries, NULL), PM_OK);
    assert_int_equal(pm_sinkhorn_make(a, PM_ON_HOST, &run, &s, NULL), PM_OK);
    assert_int_equal(pm_bethe_probabilities(a, entries.value, &limits, &s.on, &run, s.col, NULL),
                     PM_OK);
    for (int64_t j = 0; j < a->ncols; ++j)
        s.col[j] = 1 / s.col[j];
    pm_sinkhorn_start_from(&s, s.x);
    assert_int_equal(pm_sinkhorn_improve(&s, 0x1p-30, products, NULL), PM_OK);
    assert_int_equal(pm_bethe_point_make_end(a, entries.value, &s, threads, point, NULL), PM_OK);
    point->bethe += (double)entries.exp * M_LN2;
    pm_sinkhorn_free(&s);
    pm_scaled_entries_free(&entries);
}

/* Of 63 graphs cut short, with 9 families, 7 times each: at least 60 maxima of the functional within twice the imbalance, and 60 counts within
 * the interval of the estimate, which is finite. */
static void cut_short(void **state)
{
    static const int64_t weights[] = {1, 1, 3, 10, 100, 1000, 100000};
    static const int sweeps[] = {4, 8, 16, 50}, products[] = {1, 40, 70};
    enum { WEIGHTS = sizeof weights / sizeof *weights };
    int graphs = 0, near = 0, within = 0;
    (void)state;
    if (test_waits(&rng))
        skip();
    rng = 19;
    for (int family = 0; family < FAMILIES; ++family)
        for (int w = 0; w < WEIGHTS; ++w, ++graphs) {
            pm_matrix a;
            pm_bethe_point point, maximum;
            pm_bethe_estimate e;
            draw_graph(family, weights[w], &a);
            const double count = log_permanent(&a);
            make_point(&a, 2000, 4000, 1, &maximum);
            make_point(&a, sweeps[graphs % 4], products[graphs % 3], 1, &point);
            assert_int_equal(pm_bethe_estimate_make(&a, &point, PM_BACKEND_CPU, 1, NULL, &e, NULL),
                             PM_OK);
            const double off = fabs(point.bethe - maximum.bethe);
            near += off <= 2 * (point.imbalance + maximum.imbalance) + 1e-9;
            within +=
                isfinite(e.high - e.low) && e.low <= count * M_LOG10E && count * M_LOG10E <= e.high;
            pm_bethe_point_free(&point);
            pm_bethe_point_free(&maximum);
            pm_matrix_free(&a);
        }
    print_message("# %d graphs: %d maxima and %d counts within\n", graphs, near, within);
    assert_true(20 * near >= 19 * graphs && 20 * within >= 19 * graphs);
}

typedef enum { GOOD, FAR, LINEAR } end_of_scaling;

/* The matrix of ones, with rows that sum to 1 + e and 1 - e in turn; factor: of the first column. */
static void make_tilted(const pm_matrix *ones, double e, double factor, end_of_scaling end,
                        pm_bethe_point *point)
{
    pm_sinkhorn s;
    const int64_t n = ones->nrows;
    assert_int_equal(pm_sinkhorn_make(ones, PM_ON_HOST, NULL, &s, NULL), PM_OK);
    for (int64_t i = 0; i < n; ++i) {
        s.col[i] = i ? 1 : factor;
        for (int64_t j = 0; j < n; ++j)
            s.x[i * n + j] = (1 + (i % 2 ? e : -e)) / (double)n;
    }
    s.is_far = end == FAR;
    s.is_linear = end == LINEAR;
    assert_int_equal(pm_bethe_point_make_end(ones, NULL, &s, 1, point, NULL), PM_OK);
    pm_sinkhorn_free(&s);
}

/* The maximum is at 1 / n: n log n + n (n - 1) log(1 - 1 / n). */
static void hand_made(void **state)
{
    enum { N = 12 };
    static const double tilts[] = {0, 0.001, 0.03, 0.3};
    const double maximum = N * log(N) + N * (N - 1) * log1p(-1.0 / N);
    const double truth = lgamma(N + 1) * M_LOG10E;
    double before = 0;
    pm_matrix a;
    pm_bethe_point point;
    pm_bethe_estimate e;
    (void)state;
    dense_graph(N, 2, 1, &a);
    for (int i = 0; i < (int)(sizeof tilts / sizeof *tilts); ++i) {
        make_tilted(&a, tilts[i], 1, GOOD, &point);
        assert_true(point.imbalance > before
                    && point.imbalance < 2 * N * tilts[i] * tilts[i] + 1e-9);
        assert_true(fabs(point.bethe - maximum) <= 2 * point.imbalance + 1e-9);
        assert_int_equal(pm_bethe_estimate_make(&a, &point, PM_BACKEND_CPU, 1, NULL, &e, NULL),
                         PM_OK);
        assert_true(e.low <= truth && truth <= e.high && e.high - e.low < 1 + 4 * point.imbalance);
        before = point.imbalance;
        pm_bethe_point_free(&point);
    }
    for (end_of_scaling end = GOOD; end <= LINEAR; ++end) { /* GOOD: after an overflow */
        make_tilted(&a, 0, end == GOOD ? 0 : 1, end, &point);
        assert_true(isinf(point.imbalance) && isfinite(point.bethe));
        assert_int_equal(pm_bethe_estimate_make(&a, &point, PM_BACKEND_CPU, 1, NULL, &e, NULL),
                         PM_OK);
        assert_true(isinf(e.low) && isinf(e.high) && isfinite(e.log10));
        pm_bethe_point_free(&point);
    }
    pm_matrix_free(&a);
}

static void same_digits(void **state)
{
    pm_matrix a;
    pm_bethe_point one, other;
    (void)state;
    rng = 20;
    permutations_union(&rng, 30000, 4, &a);
    make_point(&a, 3, 1, 1, &one);
    for (int threads = 2; threads <= 3; ++threads) {
        make_point(&a, 3, 1, threads, &other);
        assert_true(other.bethe == one.bethe && other.imbalance == one.imbalance);
        pm_bethe_point_free(&other);
    }
    pm_bethe_point_free(&one);
    pm_matrix_free(&a);
}

/* ---- belief propagation of large graphs ---- */

/* Probabilities after so many sweeps, entry by entry.  value: the entries; b: [nnz]. */
static void slow_probabilities(const pm_matrix *a, double (*value)[2], int sweeps, double *b)
{
    const int64_t nnz = pm_matrix_nnz(a);
    double *to_row = malloc((size_t)nnz * sizeof *to_row),
           *column = malloc((size_t)a->ncols * sizeof *column);
    for (int64_t k = 0; k < nnz; ++k)
        to_row[k] = value[k][0];
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        memset(column, 0, (size_t)a->ncols * sizeof *column);
        for (int64_t i = 0; i < a->nrows; ++i) {
            double sum = 0;
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
                sum += to_row[k];
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
                b[k] = to_row[k] / sum;
                to_row[k] = value[k][0] / (sum - to_row[k]); /* to the column, now */
                column[a->colind[k]] += to_row[k];
            }
        }
        for (int64_t k = 0; k < nnz; ++k)
            to_row[k] = value[k][0] / (column[a->colind[k]] - to_row[k]);
    }
    free(to_row);
    free(column);
}

/* It ends before it converges, when what is left does not matter beside what entries above 1/2 leave unknown. */
static void ends_early(void **state)
{
    enum { N = 300000, DEGREE = 4, SWEEPS = 80 };
    pm_matrix a;
    pm_workspace on[2];
    (void)state;
    if (test_is_very_short())
        skip();
    rng = 21;
    permutations_union(&rng, N, DEGREE, &a);
    const int64_t nnz = pm_matrix_nnz(&a);
    double(*value)[2] = malloc((size_t)nnz * sizeof *value), *b = malloc((size_t)nnz * sizeof *b);
    double *sum = malloc(N * sizeof *sum), left = 0, high = 0;
    for (int64_t k = 0; k < nnz; ++k)
        value[k][0] = 0.001 + pm_rng_unit(&rng);
    const pm_bethe_limits limits = {1e-15, SWEEPS, 1e-14};
    for (int side = 0; side < 2; ++side) {
        const pm_run run = {.threads = side ? 3 : 1};
        assert_int_equal(pm_workspace_make(&a, 2, PM_ON_HOST, &run, &on[side], NULL), PM_OK);
        assert_int_equal(pm_bethe_probabilities(&a, value, &limits, &on[side], &run, sum, NULL),
                         PM_OK);
    }
    assert_memory_equal(on[0].x.a.value, on[1].x.a.value, (size_t)nnz * sizeof *b);
    slow_probabilities(&a, value, SWEEPS, b);
    for (int64_t i = 0; i < N; ++i) {
        double most = 0;
        for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k) {
            most = fmax(most, fabs(on[0].x.a.value[k] - b[k]));
            high += fmax(b[k] - 0.5, 0);
        }
        left += most;
    }
    assert_true(left > 1e-3 && left < 0x1p-8 * (0.05 + 0.7 * high));
    for (int side = 0; side < 2; ++side)
        pm_workspace_free(&on[side]);
    free(value);
    free(b);
    free(sum);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_made),
        cmocka_unit_test(cut_short),
        cmocka_unit_test(same_digits),
        cmocka_unit_test(ends_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
