/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries between factors beyond the range of doubles (spmv/line_products.h) against the same entries as numbers. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "pm/alloc.h"
#include "spmv/workspace.h"
#include "support/graphs.h"
#include "support/testing.h"

enum { ROW, COL, FROM, LEFT, TO, TAKEN };
enum { ROWS = 3000, OCTAVES = 3 /* from one row to the next */ };

static uint64_t rng;

/* The logarithm of the power of two of row i; of column i its negative. */
static int octaves(int i)
{
    return OCTAVES * (i - ROWS / 2);
}

static double number(void)
{
    return 0.5 + pm_rng_unit(&rng);
}

/* Factors of 2^(+-4500), in steps of at most 2^300. */
static void begin(const pm_matrix *a, const pm_run *run, pm_workspace *w)
{
    enum { STEPS = 15 };
    assert_int_equal(pm_workspace_make_product(a, TAKEN, ROW, COL, run, w, NULL), PM_OK);
    for (int x = 0; x < TAKEN; ++x)
        for (int i = 0; i < ROWS; ++i)
            w->vector[x][i] = number();
    for (int step = 0; step < STEPS; ++step) {
        for (int i = 0; i < ROWS; ++i) {
            const int by = octaves(i) * (step + 1) / STEPS - octaves(i) * step / STEPS;
            w->vector[ROW][i] = ldexp(w->vector[ROW][i], by);
            w->vector[COL][i] = ldexp(w->vector[COL][i], -by);
        }
        assert_int_equal(pm_workspace_keep_range(w, ROW, COL, NULL), PM_OK);
    }
}

/* Entry of row i and column j: a number without shifts, since the column is near the diagonal. */
static double entry(const pm_workspace *w, int i, int j)
{
    int e[2];
    const double row = frexp(w->vector[ROW][i], &e[0]), col = frexp(w->vector[COL][j], &e[1]);
    return ldexp(row * col, e[0] + e[1] + PM_SHIFT * (w->shift[0][i] + w->shift[1][j]));
}

/* The same products as of a matrix that has these entries, but for rounding. */
static void products(void **state)
{
    (void)state;
    for (int kind = 0; kind < 6; ++kind) {
        const pm_run run = {.threads = 1 + kind % 3};
        pm_matrix a;
        pm_workspace w[2];
        double x[ROWS], z[ROWS]; /* all differences z_i - x_j are positive */
        band_graph(ROWS, kind < 3 ? 2 : 20, kind < 3 ? 1 : 7, &a); /* short and long rows */
        begin(&a, &run, &w[0]);
        assert_int_equal(pm_workspace_make(&a, TAKEN, PM_ON_HOST, &run, &w[1], NULL), PM_OK);
        for (int i = 0; i < ROWS; ++i) {
            x[i] = number();
            z[i] = 1.5 + number();
            assert_true(fabs(log2(w[0].vector[ROW][i])) <= 440);
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                w[1].x.a.value[k] = entry(&w[0], i, a.colind[k]);
        }
        for (int what = 0; what < 5; ++what) {
            for (int k = 0; k < 2; ++k) {
                pm_workspace_put(&w[k], FROM, x);
                pm_workspace_put(&w[k], LEFT, z);
                const pm_vector_step differences = pm_step_differences(FROM, LEFT, TO);
                switch (what) {
                case 0: pm_workspace_multiply(&w[k], false, FROM, TO); break;
                case 1: pm_workspace_multiply(&w[k], true, FROM, TO); break;
                case 2: pm_workspace_sum_rows(&w[k], TO); break;
                case 3: pm_workspace_squares(&w[k], TO); break;
                default: pm_workspace_run(&w[k], &differences, 1, NULL);
                }
            }
            for (int i = 0; i < ROWS; ++i) { /* at most 28 terms > 0 */
                const double wanted = w[1].vector[TO][i];
                assert_true(wanted > 0 && isfinite(wanted));
                assert_true(fabs(w[0].vector[TO][i] - wanted) <= 0x1p-46 * wanted);
            }
        }
        pm_workspace_free(&w[0]);
        pm_workspace_free(&w[1]);
        pm_matrix_free(&a);
    }
}

/* Without factors that are far from 1 nothing changes; factors beyond all shifts are refused. */
static void limits(void **state)
{
    pm_matrix a;
    pm_workspace w;
    pm_error err = {.msg = ""};
    (void)state;
    band_graph(ROWS, 2, 1, &a);
    assert_int_equal(pm_workspace_make_product(&a, TAKEN, ROW, COL, NULL, &w, NULL), PM_OK);
    for (int i = 0; i < ROWS; ++i) {
        w.vector[ROW][i] = ldexp(number(), i % 300);
        w.vector[COL][i] = ldexp(number(), -(i % 300));
    }
    assert_int_equal(pm_workspace_keep_range(&w, ROW, COL, &err), PM_OK);
    assert_null(w.shift[0]);
    assert_null(w.shift[1]);
    pm_workspace_free(&w);
    pm_matrix_free(&a);
    pm_status rc = PM_OK;
    int64_t steps = 0;
    band_graph(10, 2, 1, &a);
    assert_int_equal(pm_workspace_make_product(&a, TAKEN, ROW, COL, NULL, &w, NULL), PM_OK);
    for (int j = 0; j < 10; ++j)
        w.vector[COL][j] = 1;
    for (; !rc && steps < 100000; ++steps) {
        w.vector[COL][7] = ldexp(w.vector[COL][7], 500);
        rc = pm_workspace_keep_range(&w, -1, COL, &err);
    }
    assert_int_equal(rc, PM_UNABLE);
    assert_non_null(strstr(err.msg, "a factor of the scaling is beyond 2^16776704"));
    assert_true(steps > 33000 && steps < 34000); /* 2^16776704 and less than one shift more */
    assert_null(w.shift[0]);
    pm_workspace_free(&w);
    pm_matrix_free(&a);
}

static void no_memory(void **state)
{
    pm_matrix a;
    pm_workspace w;
    (void)state;
    band_graph(10, 1, 1, &a);
    assert_int_equal(pm_workspace_make_product(&a, TAKEN, ROW, COL, NULL, &w, NULL), PM_OK);
    for (int k = 1; k <= 3; ++k) {
        pm_error err = {.msg = ""};
        for (int i = 0; i < 10; ++i)
            w.vector[ROW][i] = w.vector[COL][i] = 0x1p500;
        pm_workspace_drop_shifts(&w);
        pm_alloc_fail_at(k);
        const pm_status rc = pm_workspace_keep_range(&w, ROW, COL, &err);
        pm_alloc_fail_at(0);
        assert_int_equal(rc, k <= 2 ? PM_ENOMEM : PM_OK);
        assert_true((strlen(err.msg) > 0) == (k <= 2));
    }
    pm_workspace_free(&w);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(limits),
        cmocka_unit_test(no_memory),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
