/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries below 0 that are filled along cycles (sinkhorn/fill_cycles.h): sums that stay, entries above 0,
 * and numbers that are as before where nothing is found.  No false alarms: what is demanded always holds. */
#include "config.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/find_entry.h"
#include "pm/alloc.h"
#include "sinkhorn/fill_cycles.h"
#include "sinkhorn/stochastic_units.h"
#include "support/graphs.h"
#include "support/testing.h"
#include "support/total_support.h"

enum { MOST = 60 /* rows */, DEGREE = 4 };

static uint64_t rng;

static void shuffle(int n, int *at)
{
    for (int i = 0; i < n; ++i)
        at[i] = i;
    for (int i = n - 1; i > 0; --i) {
        const int j = (int)pm_rng_below(&rng, (uint32_t)i + 1), own = at[i];
        at[i] = at[j];
        at[j] = own;
    }
}

/* The mean of DEGREE permutations: all multiples of 1 / DEGREE, which are exact.  x: [MOST * DEGREE]. */
static void mean_of_permutations(pm_matrix *a, double *x)
{
    const int n = 2 + (int)pm_rng_below(&rng, MOST - 1);
    double full[MOST][MOST] = {{0}};
    for (int d = 0; d < DEGREE; ++d) {
        int at[MOST];
        shuffle(n, at);
        for (int i = 0; i < n; ++i)
            full[i][at[i]] += 1.0 / DEGREE;
    }
    positive_entries(n, MOST, full[0], a, x);
}

/* Moves `much` along a closed walk: from an entry to another one of its column, then to another one of that row, and so on, until a row comes again.
 * Sums stay. */
static void spoil(const pm_matrix *a, double much, double *x)
{
    int64_t from[MOST + 1],
        to[MOST + 1]; /* entries of a step: in row i, and in the next row, in one column */
    int seen[MOST], count = 0;
    int64_t i = pm_rng_below(&rng, (uint32_t)a->nrows), last = -1;
    memset(seen, 0xff, sizeof seen);
    while (seen[i] < 0) {
        seen[i] = count;
        const int64_t degree = a->rowptr[i + 1] - a->rowptr[i];
        int64_t k = a->rowptr[i] + pm_rng_below(&rng, (uint32_t)degree);
        k = k == last ? a->rowptr[i] + (k + 1 - a->rowptr[i]) % degree : k;
        const int64_t begin = pm_rng_below(&rng, (uint32_t)a->nrows);
        int64_t next = -1;
        for (int64_t step = 0; step < a->nrows && next < 0; ++step) {
            const int64_t row = (begin + step) % a->nrows;
            last = row == i ? -1 : pm_matrix_find(a, row, a->colind[k]);
            next = last >= 0 ? row : -1;
        }
        if (next < 0 || degree == 1) /* an entry that is alone in its line */
            return;
        from[count] = k;
        to[count++] = last;
        i = next;
    }
    for (int c = seen[i]; c < count; ++c) {
        x[from[c]] -= much;
        x[to[c]] += much;
    }
}

/* What rows and columns lack, in units: [2 * MOST]. */
static void lacking(const pm_matrix *a, const double *x, int64_t *units)
{
    for (int v = 0; v < 2 * MOST; ++v)
        units[v] = PM_STOCHASTIC_ONE;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            units[i] -= (int64_t)(x[k] * (double)PM_STOCHASTIC_ONE);
            units[MOST + a->colind[k]] -= (int64_t)(x[k] * (double)PM_STOCHASTIC_ONE);
        }
}

static void check_sums(const pm_matrix *a, const double *x)
{
    int64_t units[2 * MOST];
    lacking(a, x, units);
    for (int64_t v = 0; v < a->nrows; ++v) {
        assert_int_equal(units[v], 0);
        assert_int_equal(units[MOST + v], 0);
    }
}

static void fills(void **state)
{
    (void)state;
    int filled = 0;
    rng = test_seed();
    for (int round = 0; test_goes_on(round, test_rounds(400), filled > 0); ++round) {
        pm_matrix a;
        double x[MOST * DEGREE], before[MOST * DEGREE];
        bool found, was_negative = false;
        mean_of_permutations(&a, x);
        for (int times = 0; times < 3; ++times)
            spoil(&a, pm_stochastic_multiple(1 + (int64_t)(pm_rng_unit(&rng) * 0x1p50)), x);
        check_sums(&a, x);
        memcpy(before, x, sizeof x);
        for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
            was_negative = was_negative || x[k] <= 0;
        assert_int_equal(pm_fill_cycles(&a, x, 1 + round % 3, NULL, &found, NULL), PM_OK);
        check_sums(&a, x);
        for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
            assert_true(found ? x[k] >= 0x1p-52 && x[k] <= 1 : x[k] == before[k]);
        filled += found && was_negative;
        pm_matrix_free(&a);
    }
}

/* An entry in no perfect matching cannot be more than 0: nothing changes.  One with a cycle is filled. */
static void no_cycle(void **state)
{
    (void)state;
    pm_matrix a;
    bool found;
    pm_triples lower = {.nrows = 2, .ncols = 2}, full = {.nrows = 2, .ncols = 2};
    graphs_add(&lower, 0, 0);
    graphs_add(&lower, 1, 0);
    graphs_add(&lower, 1, 1);
    graphs_end(&lower, &a);
    double x[4] = {1, 0, 1};
    assert_int_equal(pm_fill_cycles(&a, x, 1, NULL, &found, NULL), PM_OK);
    assert_false(found);
    assert_true(x[0] == 1 && x[1] == 0 && x[2] == 1);
    pm_matrix_free(&a);
    for (int k = 0; k < 4; ++k)
        graphs_add(&full, k / 2, k % 2);
    graphs_end(&full, &a);
    const double spoiled[4] = {1.25, -0.25, -0.25, 1.25};
    memcpy(x, spoiled, sizeof x);
    assert_int_equal(pm_fill_cycles(&a, x, 1, NULL, &found, NULL), PM_OK);
    assert_true(found);
    check_sums(&a, x);
    for (int k = 0; k < 4; ++k)
        assert_true(x[k] >= 0x1p-52);
    pm_matrix_free(&a);
}

static void stops(void **state)
{
    (void)state;
    pm_matrix a;
    bool found;
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.stop = &stop};
    pm_error err;
    pm_triples full = {.nrows = 2, .ncols = 2};
    for (int k = 0; k < 4; ++k)
        graphs_add(&full, k / 2, k % 2);
    graphs_end(&full, &a);
    double x[4] = {1.25, -0.25, -0.25, 1.25};
    assert_int_equal(pm_fill_cycles(&a, x, 1, &run, &found, &err), PM_ESTOPPED);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fills), cmocka_unit_test(no_cycle),
                                       cmocka_unit_test(stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
