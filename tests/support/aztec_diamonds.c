/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/aztec_diamonds.h"

#include <gsl/gsl_cdf.h>
#include <string.h>

#include "matchings/planar_matching.h"
#include "support/domino_shuffling.h"
#include "support/graphs.h"
#include "support/testing.h"

static int row_of(int n, int r, int c)
{
    return (r + 1) / 2 * n + c / 2;
}

static int column_of(int n, int r, int c)
{
    return r / 2 * (n + 1) + (c + 1) / 2;
}

void aztec_diamond(int n, const double *weight, pm_matrix *out)
{
    pm_triples t = {
        .field = weight ? PM_INTEGER : PM_PATTERN, .nrows = n * (n + 1), .ncols = n * (n + 1)};
    for (int r = 0; r < 2 * n; ++r)
        for (int c = 0; c < 2 * n; ++c) {
            pm_dyadic w = {0};
            if (weight)
                pm_dyadic_set_si(&w, (long)weight[r * 2 * n + c]);
            graphs_must(pm_triples_add(&t, row_of(n, r, c), column_of(n, r, c), 0,
                                       weight ? &w : NULL, NULL, NULL),
                        NULL);
            pm_dyadic_clear(&w);
        }
    graphs_must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", out, NULL), NULL);
}

void aztec_edges(int n, const int32_t *col_of, uint8_t *edge)
{
    for (int r = 0; r < 2 * n; ++r)
        for (int c = 0; c < 2 * n; ++c)
            edge[r * 2 * n + c] = col_of[row_of(n, r, c)] == column_of(n, r, c);
}

void aztec_columns(int n, const uint8_t *edge, int32_t *col_of)
{
    for (int r = 0; r < 2 * n; ++r)
        for (int c = 0; c < 2 * n; ++c)
            if (edge[r * 2 * n + c])
                col_of[row_of(n, r, c)] = column_of(n, r, c);
}

/* ---- what is compared ---- */

/* Of a matching:
 *   the number of dominoes along one direction, edges (r, c) with r + c even;
 *   the sum of edges (k, k), k < n, with signs in turn: the height at the centre, but for factors;
 *   of each side, the number of its dominoes before the vertex that has none of them: binomially distributed where
 *     there are no weights;
 *   of each corner, the squares of the diagonal from it on that have the frozen edge. */
enum { DIRECTION, HEIGHT, SIDE, CORNER = SIDE + 4, STATISTICS = CORNER + 4 };

void aztec_sample_make(int order, int most, aztec_sample *out)
{
    *out = (aztec_sample){.order = order,
                          .most = most,
                          .edge = calloc(4 * (size_t)order * (size_t)order, sizeof *out->edge),
                          .value = calloc(STATISTICS * (size_t)most, sizeof *out->value)};
    assert_true(out->edge && out->value);
}

void aztec_sample_free(aztec_sample *s)
{
    free(s->edge);
    free(s->value);
    *s = (aztec_sample){0};
}

static void check_perfect(int n, const uint8_t *edge)
{
    const size_t vertices = (size_t)n * ((size_t)n + 1);
    uint8_t *row = calloc(vertices, 1), *column = calloc(vertices, 1);
    assert_true(row && column);
    for (int r = 0; r < 2 * n; ++r)
        for (int c = 0; c < 2 * n; ++c) {
            row[row_of(n, r, c)] += edge[r * 2 * n + c];
            column[column_of(n, r, c)] += edge[r * 2 * n + c];
        }
    for (size_t v = 0; v < vertices; ++v)
        assert_true(row[v] == 1 && column[v] == 1);
    free(row);
    free(column);
}

/* The squares of the diagonal from corner k on that have the edge of the corner. */
static int depth_of(int n, const uint8_t *edge, int k)
{
    const int last = 2 * n - 1;
    for (int depth = 0; depth < n; ++depth) {
        const int r = k & 1 ? last - 2 * depth : 2 * depth,
                  c = k & 2 ? last - 2 * depth : 2 * depth;
        if (!edge[r * 2 * n + c])
            return depth;
    }
    return n;
}

/* Side k: the first row, the last one, the first column, the last one.  Each vertex of the side has two edges there. */
static int side_of(int n, const uint8_t *edge, int k)
{
    const int last = 2 * n - 1;
    int before = 0;
    for (int at = 0; at < last; at += 2) {
        const int r = k == 0 ? 0 : k == 1 ? last : at, c = k == 2 ? 0 : k == 3 ? last : at;
        before += edge[r * 2 * n + c];
    }
    return before;
}

void aztec_sample_add(aztec_sample *s, const uint8_t *edge)
{
    const int n = s->order, draw = s->draws++;
    assert_true(draw < s->most);
    check_perfect(n, edge);
    int32_t value[STATISTICS] = {0};
    for (int r = 0; r < 2 * n; ++r)
        for (int c = 0; c < 2 * n; ++c) {
            s->edge[r * 2 * n + c] += edge[r * 2 * n + c];
            value[DIRECTION] += (r + c) % 2 == 0 && edge[r * 2 * n + c];
        }
    for (int k = 0; k < n; ++k)
        value[HEIGHT] += k % 2 ? -edge[k * 2 * n + k] : edge[k * 2 * n + k];
    for (int k = 0; k < 4; ++k) {
        value[SIDE + k] = side_of(n, edge, k);
        value[CORNER + k] = depth_of(n, edge, k);
    }
    for (int k = 0; k < STATISTICS; ++k)
        s->value[k * s->most + draw] = value[k];
}

/* ---- comparison ---- */

/* An event is an edge, or that a statistic is at most some number: one of at most THRESHOLDS quantiles of both samples
 * together. */
enum { THRESHOLDS = 16 };

int64_t aztec_events(int order)
{
    return INT64_C(4) * order * order + STATISTICS * THRESHOLDS;
}

/* Fisher's exact test: x of `nx` and y of `ny` draws have the event.  If both have the same distribution, x is
 * hypergeometric, given x + y and, for a threshold, given all numbers.  Returns a probability: it is at most p with a
 * chance of at most p. */
static double exact_test(int x, int nx, int y, int ny)
{
    const unsigned with = (unsigned)(x + y), all = (unsigned)(nx + ny);
    const unsigned draws = (unsigned)nx, seen = (unsigned)x;
    const double low = gsl_cdf_hypergeometric_P(seen, with, all - with, draws);
    const double high = x ? gsl_cdf_hypergeometric_Q(seen - 1, with, all - with, draws) : 1;
    const double less = low < high ? low : high;
    return 2 * less < 1 ? 2 * less : 1;
}

static int compare_values(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

static int at_most(const int32_t *value, int count, int32_t threshold)
{
    int k = 0;
    for (int i = 0; i < count; ++i)
        k += value[i] <= threshold;
    return k;
}

static double compare_statistic(const aztec_sample *x, const aztec_sample *y, int k)
{
    const int32_t *a = x->value + k * x->most, *b = y->value + k * y->most;
    const int all = x->draws + y->draws;
    int32_t *both = calloc((size_t)all, sizeof *both);
    double least = 1;
    assert_non_null(both);
    memcpy(both, a, (size_t)x->draws * sizeof *a);
    memcpy(both + x->draws, b, (size_t)y->draws * sizeof *b);
    qsort(both, (size_t)all, sizeof *both, compare_values);
    for (int q = 0; q < THRESHOLDS; ++q) {
        const int32_t threshold = both[(int64_t)all * q / THRESHOLDS];
        const double p = exact_test(at_most(a, x->draws, threshold), x->draws,
                                    at_most(b, y->draws, threshold), y->draws);
        least = p < least ? p : least;
    }
    free(both);
    return least;
}

double aztec_compare(const aztec_sample *x, const aztec_sample *y)
{
    const int edges = 4 * x->order * x->order;
    double least = 1;
    assert_int_equal(x->order, y->order);
    for (int e = 0; e < edges; ++e) {
        const double p = exact_test(x->edge[e], x->draws, y->edge[e], y->draws);
        least = p < least ? p : least;
    }
    for (int k = 0; k < STATISTICS; ++k) {
        const double p = compare_statistic(x, y, k);
        if (p < 1e-6)
            print_message("# order %d, statistic %d: p = %g\n", x->order, k, p);
        least = p < least ? p : least;
    }
    print_message("# aztec %d, %d and %d draws: least of %lld p values %g\n", x->order, x->draws,
                  y->draws, (long long)aztec_events(x->order), least);
    assert_true(least > AZTEC_CHANCE);
    return least;
}

/* ---- the samples ---- */

void aztec_shuffled(int order, const double *weight, int draws, uint64_t *rng, aztec_sample *out)
{
    domino_shuffling s;
    uint8_t *edge = malloc(4 * (size_t)order * (size_t)order);
    assert_non_null(edge);
    domino_shuffling_make(order, weight, &s);
    aztec_sample_make(order, draws, out);
    for (int i = 0; i < draws; ++i) {
        domino_shuffling_draw(&s, rng, edge);
        aztec_sample_add(out, edge);
    }
    domino_shuffling_free(&s);
    free(edge);
}

static void by_determinants(int order, const double *weight, int draws, uint64_t seed,
                            aztec_sample *out)
{
    uint8_t *edge = malloc(4 * (size_t)order * (size_t)order);
    int32_t *col_of = calloc((size_t)order * ((size_t)order + 1), sizeof *col_of);
    pm_matrix a;
    pm_planar_matching *m;
    assert_true(edge && col_of);
    aztec_diamond(order, weight, &a);
    graphs_must(pm_planar_matching_make(&a, false, seed, 0, NULL, &m, NULL), NULL);
    aztec_sample_make(order, draws, out);
    for (int i = 0; i < draws; ++i) {
        graphs_must(pm_planar_matching_draw(m, (uint64_t)i, NULL, col_of, NULL), NULL);
        aztec_edges(order, col_of, edge);
        aztec_sample_add(out, edge);
    }
    pm_planar_matching_free(m);
    pm_matrix_free(&a);
    free(col_of);
    free(edge);
}

void aztec_compare_planar(int order, const double *weight, int draws, int shuffled, uint64_t rng)
{
    aztec_sample x, y;
    by_determinants(order, weight, draws, pm_rng_next(&rng), &x);
    aztec_shuffled(order, weight, shuffled, &rng, &y);
    aztec_compare(&x, &y);
    aztec_sample_free(&x);
    aztec_sample_free(&y);
}
