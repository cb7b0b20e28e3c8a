/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which rows elements of a vector are asked for ahead (matrix/fetch_ahead.h), and products of a matrix large enough for that. */
#include "config.h"

#include <string.h>

#include "matrix/fetch_ahead.h"
#include "pm/alloc.h"
#include "spmv/multiply.h"
#include "support/testing.h"

enum { ROWS = 40000, MANY = 1 << 30 };

static uint64_t rng;

/* Rows of 0 to `most` entries.  Row i has some of the `width` columns from i on. */
static pm_csr make(int64_t *rowptr, int32_t **column, int most, int ncols, int width)
{
    rowptr[0] = 0;
    for (int i = 0; i < ROWS; ++i)
        rowptr[i + 1] = rowptr[i] + pm_rng_below(&rng, (uint32_t)most + 1);
    *column = pm_alloc_array(rowptr[ROWS], sizeof **column);
    assert_non_null(*column);
    for (int i = 0; i < ROWS; ++i)
        for (int64_t k = rowptr[i]; k < rowptr[i + 1]; ++k)
            (*column)[k] = (int32_t)((i + pm_rng_below(&rng, (uint32_t)width)) % (uint32_t)ncols);
    return (pm_csr){.nrows = ROWS, .ncols = ncols, .rowptr = rowptr, .colind = *column};
}

/* Rows with columns anywhere ask, to the last one that can; bands, few columns and few entries do not.  Columns are so many that five of
 * eight entries with a near column among 16 have a probability below 1e-26. */
static void rows_that_ask(void **state)
{
    int64_t *rowptr = pm_alloc_array(ROWS + 1, sizeof *rowptr);
    assert_non_null(rowptr);
    (void)state;
    for (int round = test_rounds(60); round > 0; --round) {
        int32_t *column;
        make(rowptr, &column, 1 + (int)pm_rng_below(&rng, 20), MANY, MANY);
        const int64_t from = pm_rng_below(&rng, ROWS / 4), to = ROWS - pm_rng_below(&rng, ROWS / 4);
        const int64_t end = pm_fetch_ahead_rows(rowptr, column, MANY, from, to);
        assert_true(from < end && end <= to);
        assert_true(rowptr[end] + PM_FETCH_AHEAD <= rowptr[to]);
        assert_true(end == to || rowptr[end + 1] + PM_FETCH_AHEAD > rowptr[to]);
        assert_int_equal(pm_fetch_ahead_rows(rowptr, column, 1000, from, to), from);
        assert_int_equal(pm_fetch_ahead_rows(rowptr, column, MANY, from, from), from);
        assert_int_equal(pm_fetch_ahead_rows(rowptr, column, MANY, from, from + 40), from);
        free(column);
        make(rowptr, &column, 9, ROWS, 10);
        assert_int_equal(pm_fetch_ahead_rows(rowptr, column, ROWS, from, to), from);
        free(column);
    }
    free(rowptr);
}

static int small_integer(void)
{
    return (int)pm_rng_below(&rng, 201) - 100;
}

/* Sums of integers, so that the order changes no digit; entries in double or single precision. */
static void products(void **state)
{
    int64_t *rowptr = pm_alloc_array(ROWS + 1, sizeof *rowptr);
    double *x[2], *z = pm_alloc_array(ROWS, sizeof *z), *y = pm_alloc_array(ROWS, sizeof *y);
    double *rows[2], *columns = pm_alloc_array(ROWS, sizeof *columns);
    for (int k = 0; k < 2; ++k) {
        x[k] = pm_alloc_array(ROWS, sizeof **x);
        rows[k] = pm_alloc_array(ROWS, sizeof **rows);
        assert_true(x[k] && rows[k]);
    }
    assert_true(rowptr && z && y && columns);
    (void)state;
    for (int round = test_rounds(12); round > 0; --round) {
        int32_t *column;
        pm_csr a = make(rowptr, &column, round % 2 ? 5 : 30, ROWS, ROWS);
        a.value = pm_alloc_array(rowptr[ROWS], sizeof *a.value);
        assert_non_null(a.value);
        for (int64_t k = 0; k < rowptr[ROWS]; ++k)
            a.value[k] = small_integer();
        for (int i = 0; i < ROWS; ++i) {
            x[0][i] = small_integer();
            z[i] = small_integer();
            columns[i] = rows[0][i] = rows[1][i] = 0;
        }
        for (int i = 0; i < ROWS; ++i)
            for (int64_t k = rowptr[i]; k < rowptr[i + 1]; ++k) {
                rows[0][i] += a.value[k] * x[0][column[k]];
                rows[1][i] += a.value[k] * (z[i] - x[0][column[k]]);
                columns[column[k]] += a.value[k] * x[0][i];
            }
        double *wide = a.value;
        float *narrow = pm_alloc_array(rowptr[ROWS], sizeof *narrow);
        assert_non_null(narrow);
        for (int64_t k = 0; k < rowptr[ROWS]; ++k)
            narrow[k] = (float)wide[k];
        if (round % 4 > 1) {
            a.value = NULL;
            a.narrow = narrow;
        }
        for (int threads = 1; threads <= 3; ++threads) {
            pm_spmv_part part = threads == 1 ? (pm_spmv_part){0} : pm_spmv_part_make(&a, x[1]);
            pm_spmv_multiply(&a, x[0], y, threads);
            assert_memory_equal(y, rows[0], ROWS * sizeof *y);
            pm_spmv_multiply_transposed(&a, NULL, x[0], y, &part, threads);
            assert_memory_equal(y, columns, ROWS * sizeof *y);
        }
        pm_spmv_differences_rows(&a, NULL, (pm_csr_rows){0, ROWS}, x[0], z, y);
        assert_memory_equal(y, rows[1], ROWS * sizeof *y);
        free(wide);
        free(narrow);
        free(column);
    }
    for (int k = 0; k < 2; ++k) {
        free(x[k]);
        free(rows[k]);
    }
    free(rowptr);
    free(columns);
    free(z);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_ask),
        cmocka_unit_test(products),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
