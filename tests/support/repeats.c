/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/repeats.h"

#include "reference/textbook.h"
#include "support/matrices.h"

void repeats_divide(uint64_t *rng, int64_t n, int lines, int64_t least, int64_t *times)
{
    for (int i = 0; i < lines; ++i)
        times[i] = least;
    for (int64_t left = n - least * lines; left > 0; --left)
        ++times[pm_rng_below(rng, (uint32_t)lines)];
}

void repeats_random(uint64_t *rng, pm_field field, repeats *x)
{
    int rows = 1 + (int)pm_rng_below(rng, 5), cols = 1 + (int)pm_rng_below(rng, 5);
    x->n = 5 + pm_rng_below(rng, 5);
    repeats_divide(rng, x->n, rows, pm_rng_below(rng, 2), x->row);
    repeats_divide(rng, x->n, cols, pm_rng_below(rng, 2), x->col);
    random_matrix(rng, field, rows, cols, 0.5 + pm_rng_unit(rng), &x->a);
}

void repeats_exact(const repeats *x, pm_cnum *out)
{
    pm_matrix b;
    assert_int_equal(pm_matrix_repeat(&x->a, x->row, x->col, &b, NULL), PM_OK);
    textbook_ryser(&b, out);
    pm_matrix_free(&b);
}

void repeats_full(uint64_t *rng, pm_field field, int m, int64_t copies, int most, repeats *x,
                  int a[][2])
{
    pm_triples t = {.field = field, .nrows = m, .ncols = m};
    x->n = m * copies;
    for (int k = 0; k < m * m; ++k) {
        pm_dyadic re = {0}, im = {0};
        a[k][0] = (int)pm_rng_below(rng, 2 * (uint32_t)most) + 1 - most;
        a[k][0] -= a[k][0] <= 0;
        a[k][1] = field == PM_COMPLEX ? (int)pm_rng_below(rng, 2 * (uint32_t)most) - most : 0;
        pm_dyadic_set_si(&re, a[k][0]);
        pm_dyadic_set_si(&im, a[k][1]);
        assert_int_equal(
            pm_triples_add(&t, k / m, k % m, 0, &re, field == PM_COMPLEX ? &im : NULL, NULL),
            PM_OK);
    }
    for (int i = 0; i < m; ++i)
        x->row[i] = x->col[i] = copies;
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "full", &x->a, NULL), PM_OK);
}

pm_block repeats_block(const repeats *x, double log2_bound, int32_t row[REPEATS_LINES],
                       int32_t col[REPEATS_LINES])
{
    for (int i = 0; i < REPEATS_LINES; ++i) {
        row[i] = (int32_t)(i < x->a.nrows ? x->row[i] : 0);
        col[i] = (int32_t)(i < x->a.ncols ? x->col[i] : 0);
    }
    return (pm_block){.a = x->a,
                      .row_cap = row,
                      .col_cap = col,
                      .n = x->n,
                      .log2_bound = log2_bound,
                      .written_out = true};
}

void repeats_square(const repeats *x, bool transposed, int bits, pm_square *s)
{
    int32_t row[REPEATS_LINES], col[REPEATS_LINES];
    const pm_block b = repeats_block(x, 0, row, col);
    assert_int_equal(pm_square_make_classes(&b, transposed, bits, 0, s, NULL), PM_OK);
}
