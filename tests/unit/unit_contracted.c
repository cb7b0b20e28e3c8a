/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short lines contracted (bethe_estimate/contracted.h), on even cycles with chords: the permanents of both matrices, and the lines.  All
 * comparisons allow only for rounding, of entries to single precision.  Rounds are added until each kind of graph has come. */
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

/* A cycle through all vertices, so that the matrix is fully indecomposable, and chords; entries from 1 to `most`, or as many below each of its
 * powers of two. */
static void cycle_with_chords(int n, int chords, int64_t most, bool is_wide, pm_matrix *a,
                              double (*entry)[2])
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
                const double x_most = (double)most, u = pm_rng_unit(&rng);
                const int64_t value = (int64_t)(is_wide ? pow(x_most, u) : 1 + u * (x_most - 1));
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

static void permanents(void **state)
{
    static const int64_t most[] = {1, 9, 1000, 1000000000000};
    int single = 0, several = 0, border = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 400, single && several && border); ++round) {
        double entry[LARGEST * LARGEST][2];
        const int n = 2 + (int)pm_rng_below(&rng, LARGEST - 1);
        pm_matrix a;
        pm_bounds bounds;
        pm_bethe_point point;
        pm_contracted c;
        cycle_with_chords(n, (int)pm_rng_below(&rng, (uint32_t)(2 * n)), most[round % 4],
                          round % 4 > 1, &a, entry);
        assert_int_equal(pm_bounds_make_bracket(&a, PM_BACKEND_CPU, NULL, &bounds, &point, NULL),
                         PM_OK);
        assert_non_null(point.b);
        assert_int_equal(pm_contracted_make(&a, &point, &c, NULL), PM_OK);
        check_lines(&c);
        const double found = c.log_factor + log(permanent(&c.a, c.entry));
        assert_true(fabs(found - log(permanent(&a, entry))) < 1e-4);
        single += c.a.nrows == 1;
        several += c.a.nrows > 1;
        for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k) /* the maximum is not inside */
            border += point.off[k] < -1;
        pm_contracted_free(&c);
        pm_bethe_point_free(&point);
        pm_matrix_free(&a);
    }
    assert_true(single && several && border);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permanents),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
