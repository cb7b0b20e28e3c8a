/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spanning forest along which columns get what they lack (sinkhorn/column_forest.h): sums that are exact, a forest of the largest
 * entries, against a slow one, and numbers that are taken back.  No false alarms: all of this is exact. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "sinkhorn/column_forest.h"
#include "sinkhorn/stochastic_units.h"
#include "support/graphs.h"
#include "support/testing.h"
#include "support/total_support.h"

enum { MOST = 40 /* rows */, OCTAVES = PM_STOCHASTIC_BITS + 1 };

static uint64_t rng;

/* A matrix with the diagonal and other entries, and x near a doubly stochastic one: sums of permutations within the pattern, then changed by
 * `noise`.  x: [MOST * MOST]. */
static void near_stochastic(double noise, pm_matrix *a, double *x)
{
    const int n = 1 + (int)pm_rng_below(&rng, MOST), terms = 1 + (int)pm_rng_below(&rng, 5);
    double full[MOST][MOST] = {{0}};
    double left = 1;
    int at[MOST];
    for (int i = 0; i < n; ++i)
        at[i] = i;
    for (int t = 0; t < terms; ++t) {
        const double part = t == terms - 1 ? left : left * exp2(-40 * pm_rng_unit(&rng));
        left -= part;
        for (int i = 0; i < n; ++i)
            full[i][at[i]] += part;
        for (int swap = 0; swap < n / 4; ++swap) { /* few: several components are left */
            const int i = (int)pm_rng_below(&rng, (uint32_t)n), j = i / 4 * 4;
            const int own = at[i];
            at[i] = at[j];
            at[j] = own;
        }
    }
    positive_entries(n, MOST, full[0], a, x);
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        x[k] = fmin(x[k] * (1 + noise * (pm_rng_unit(&rng) - 0.5)), 1);
}

/* ---- a slow forest ---- */

static int octave(double x)
{
    int e = 0;
    for (int64_t b = pm_stochastic_rounded(x); b < PM_STOCHASTIC_ONE; b *= 2)
        ++e;
    return e;
}

static int find(const int *joined, int v)
{
    while (joined[v] != v)
        v = joined[v];
    return v;
}

/* How many entries of each octave a spanning forest of the rows and columns has, whose entries are as large as possible. */
static int slow_forest(const pm_matrix *a, const double *x, int *count)
{
    int joined[2 * MOST], all = 0;
    for (int v = 0; v < 2 * MOST; ++v)
        joined[v] = v;
    for (int o = 0; o < OCTAVES; ++o) {
        count[o] = 0;
        for (int i = 0; i < a->nrows; ++i)
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
                const int p = find(joined, i), q = find(joined, MOST + a->colind[k]);
                if (octave(x[k]) != o || p == q)
                    continue;
                joined[p] = q;
                ++count[o];
            }
        all += count[o];
    }
    return all;
}

static bool has_bit(const uint64_t *bits, int64_t k)
{
    return bits[k / 64] >> k % 64 & 1;
}

static void check_forest(const pm_matrix *a, const double *before, const double *x,
                         const pm_column_forest *f)
{
    int wanted[OCTAVES], count[OCTAVES] = {0};
    slow_forest(a, before, wanted);
    for (int64_t i = 0; i < a->nrows; ++i) {
        int hubs = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const bool is_in = has_bit(f->is_hub, k) || has_bit(f->is_edge, k);
            assert_true(!(has_bit(f->is_hub, k) && has_bit(f->is_edge, k)));
            hubs += has_bit(f->is_hub, k);
            count[octave(before[k])] += is_in;
            assert_true(
                x[k]
                == (is_in ? pm_stochastic_multiple(pm_stochastic_rounded(before[k])) : before[k]));
        }
        assert_int_equal(hubs, 1);
    }
    assert_memory_equal(count, wanted, sizeof count);
}

/* ---- tests ---- */

static void sum_columns(const pm_matrix *a, const double *x, int64_t *missing)
{
    for (int64_t j = 0; j < a->ncols; ++j)
        missing[j] = PM_STOCHASTIC_ONE;
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        assert_true(pm_stochastic_take(&missing[a->colind[k]], pm_stochastic_rounded(x[k])));
}

/* All lines, from the entries as they are, which are multiples of the unit in the forest and are rounded elsewhere. */
static void check_lines(const pm_matrix *a, const double *x)
{
    int64_t missing[MOST];
    sum_columns(a, x, missing);
    for (int64_t j = 0; j < a->ncols; ++j)
        assert_int_equal(missing[j], 0);
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t row;
        assert_true(pm_stochastic_row_missing(a, x, i, &row));
        assert_int_equal(row, 0);
    }
}

static void sums(void **state)
{
    (void)state;
    int settled = 0;
    for (int round = 0; round < test_rounds(400); ++round) {
        pm_matrix a;
        pm_column_forest f;
        double before[MOST * MOST], x[MOST * MOST], filled[MOST * MOST];
        int64_t missing[MOST];
        near_stochastic(1e-13, &a, before);
        memcpy(x, before, sizeof x);
        assert_int_equal(pm_column_forest_make(&a, x, 1 + round % 3, &f, NULL), PM_OK);
        check_forest(&a, before, x, &f);
        sum_columns(&a, x, missing);
        assert_true(pm_column_forest_fill_rows(&a, &f, missing, x));
        memcpy(filled, x, sizeof x);
        bool is_within = pm_column_forest_settle(&a, &f, missing, x);
        for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
            is_within = is_within && x[k] >= 0x1p-52 && x[k] <= 1;
        if (is_within) {
            check_lines(&a, x);
            ++settled;
        }
        pm_column_forest_undo(&a, &f, missing, x);
        for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
            assert_true(x[k] == fmin(fmax(filled[k], 0x1p-52), 1));
        pm_column_forest_free(&f);
        pm_matrix_free(&a);
    }
    assert_true(settled > 0);
}

/* Two rows share one column, one row has two: no numbers have these sums.  And a row far from 1. */
static void no_sums(void **state)
{
    (void)state;
    pm_matrix a;
    pm_column_forest f;
    pm_triples t = {.nrows = 3, .ncols = 3};
    graphs_add(&t, 0, 0);
    graphs_add(&t, 1, 0);
    graphs_add(&t, 2, 1);
    graphs_add(&t, 2, 2);
    graphs_end(&t, &a);
    double x[] = {0.75, 1, 0.5, 0.25};
    int64_t missing[3];
    assert_int_equal(pm_column_forest_make(&a, x, 1, &f, NULL), PM_OK);
    sum_columns(&a, x, missing);
    assert_true(pm_column_forest_fill_rows(&a, &f, missing, x));
    assert_true(x[0] == 1 && x[1] == 1 && x[2] == 0.75 && x[3] == 0.25);
    assert_false(pm_column_forest_settle(&a, &f, missing, x));
    pm_column_forest_undo(&a, &f, missing, x);
    assert_true(x[0] == 1 && x[1] == 1 && x[2] == 0.75 && x[3] == 0.25);
    pm_column_forest_free(&f);
    int failures = 0;
    for (pm_status status = PM_ENOMEM; status; ++failures) {
        pm_alloc_fail_at(failures + 1);
        status = pm_column_forest_make(&a, x, 1, &f, NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
    }
    assert_int_equal(failures, 8);
    pm_column_forest_free(&f);
    pm_matrix_free(&a);
    dense_graph(8, 1, 1, &a);
    double full[64];
    for (int k = 0; k < 64; ++k)
        full[k] = 1;
    assert_int_equal(pm_column_forest_make(&a, full, 1, &f, NULL), PM_OK);
    int64_t lacks[8];
    sum_columns(&a, full, lacks);
    assert_false(pm_column_forest_fill_rows(&a, &f, lacks, full));
    pm_column_forest_undo(&a, &f, lacks, full);
    for (int k = 0; k < 64; ++k)
        assert_true(full[k] == 1);
    pm_column_forest_free(&f);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(no_sums)};
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
