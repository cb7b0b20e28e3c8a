/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short lines contracted (bethe_estimate/contracted.h), on even cycles with chords: the permanents of both matrices, and the lines.  All
 * comparisons allow only for rounding and for the rest that belief propagation leaves.  That one of both kinds of graphs, 1/2 and 1/4
 * of all, does not occur in 300 rounds has a probability below 1e-37: rounds are added until both have. */
#include "config.h"

#include "support/testing.h"

#include <math.h>
#include <stdlib.h>

#include "bethe_estimate/contracted.h"
#include "bounds/bounds.h"
#include "pm/alloc.h"
#include "support/graphs.h"

enum { LARGEST = 12 };

static uint64_t rng;

/* Over sets of columns, row by row. */
static double permanent(const pm_matrix *a, double (*entry)[2])
{
    static double sum[1 << LARGEST];
    const int64_t n = a->nrows;
    for (int64_t s = 0; s < INT64_C(1) << n; ++s)
        sum[s] = s == 0;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t s = (INT64_C(1) << n) - 1; s >= 0; --s) {
            double of_row = 0; /* from sets that are smaller, of the row before */
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
                if (s >> a->colind[k] & 1)
                    of_row += entry[k][0] * sum[s & ~(INT64_C(1) << a->colind[k])];
            sum[s] = of_row;
        }
    return sum[(INT64_C(1) << n) - 1];
}

/* A cycle through all vertices, so that the matrix is fully indecomposable, and chords; entries from 1 to `most`. */
static void cycle_with_chords(int n, int chords, int most, pm_matrix *a, double (*entry)[2])
{
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = n};
    bool has[LARGEST][LARGEST] = {{false}};
    for (int i = 0; i < n; ++i)
        has[i][i] = has[i][(i + 1) % n] = true;
    for (int k = 0; k < chords; ++k)
        has[pm_rng_below(&rng, (uint32_t)n)][pm_rng_below(&rng, (uint32_t)n)] = true;
    int64_t at = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (has[i][j]) {
                const int64_t value = 1 + (int64_t)pm_rng_below(&rng, (uint32_t)most);
                pm_dyadic x = pm_dyadic_from_si(value);
                entry[at++][0] = (double)value;
                graphs_must(pm_triples_add(&t, i, j, 0, &x, NULL, NULL), NULL);
            }
    graphs_end(&t, a);
}

static void check_lines(const pm_contracted *c)
{
    double column[LARGEST] = {0};
    int count[LARGEST] = {0};
    const int64_t n = c->a.nrows;
    for (int64_t i = 0; i < n; ++i) {
        double row = 0;
        for (int64_t k = c->a.rowptr[i]; k < c->a.rowptr[i + 1]; ++k) {
            assert_true(k == c->a.rowptr[i] || c->a.colind[k] > c->a.colind[k - 1]);
            row += c->b[k];
            column[c->a.colind[k]] += c->b[k];
            ++count[c->a.colind[k]];
        }
        assert_true(fabs(row - 1) < 1e-9);
        assert_true(n == 1 || c->a.rowptr[i + 1] - c->a.rowptr[i] >= 3);
    }
    for (int64_t j = 0; j < n; ++j)
        assert_true(fabs(column[j] - 1) < 1e-9 && (n == 1 || count[j] >= 3));
}

/* The sum over entries of |log a - log(b (1 - b)) - factors of the row and of the column|, for nearly the best factors: 0 at the maximum
 * of F. */
static double distance_from_maximum(const pm_matrix *a, double (*entry)[2], const double *b)
{
    enum { ITERATIONS = 200 };
    double row[LARGEST] = {0}, col[LARGEST] = {0}, sum = 0;
    for (int half = 0; half <= 2 * ITERATIONS; ++half) {
        double rest[LARGEST] = {0}, *line = half % 2 ? col : row;
        int count[LARGEST] = {0};
        sum = 0;
        for (int64_t i = 0; i < a->nrows; ++i)
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
                const int64_t at = half % 2 ? a->colind[k] : i;
                const double e =
                    log(entry[k][0] / (b[k] * (1 - b[k]))) - row[i] - col[a->colind[k]];
                rest[at] += e;
                ++count[at];
                sum += fabs(e);
            }
        for (int64_t at = 0; at < a->nrows; ++at)
            line[at] += rest[at] / count[at];
    }
    return sum;
}

static void permanents(void **state)
{
    int single = 0, several = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 300, single > 0 && several > 0); ++round) {
        double entry[LARGEST * LARGEST][2];
        const int n = 2 + (int)pm_rng_below(&rng, LARGEST - 1);
        pm_matrix a;
        pm_bounds bounds;
        pm_bethe_point point;
        pm_contracted c;
        cycle_with_chords(n, (int)pm_rng_below(&rng, (uint32_t)(2 * n)), round % 2 ? 9 : 1, &a,
                          entry);
        assert_int_equal(pm_bounds_make_bracket(&a, PM_BACKEND_CPU, NULL, &bounds, &point, NULL),
                         PM_OK);
        assert_non_null(point.b);
        assert_int_equal(pm_contracted_make(&a, point.b, point.bethe, &c, NULL), PM_OK);
        check_lines(&c);
        /* an entry with the error e changes log per(a), and F, by less than |e| to first order */
        const double found = c.log_factor + log(permanent(&c.a, c.entry)),
                     distance = distance_from_maximum(&a, entry, point.b);
        if (distance < 0.1) {
            assert_true(fabs(found - log(permanent(&a, entry))) < 1e-8 + 2 * distance);
            single += distance < 1e-4 && c.a.nrows == 1;
            several += distance < 1e-4 && c.a.nrows > 1;
        }
        pm_contracted_free(&c);
        free(point.b);
        pm_matrix_free(&a);
    }
    assert_true(single > 0 && several > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permanents),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
