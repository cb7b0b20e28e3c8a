/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a matrix with copies is one block: against the matrix that is written out.  It is fully indecomposable
 * when every square matrix that is left without one row and one column has a perfect matching. */
#include "config.h"

#include "count/copies_irreducible.h"
#include "support/matrices.h"

enum { LINES = 4, COPIES = 8 }; /* lines, and lines that are written out, at most */

static uint64_t rng;

typedef struct {
    int n;
    bool entry[COPIES][COPIES];
} square;

/* Whether the rows that are not used can be matched to columns from `col` on, without column `left_out`. */
static bool has_matching(const square *s, int col, int left_out, unsigned used)
{
    if (col == s->n)
        return true;
    if (col == left_out)
        return has_matching(s, col + 1, left_out, used);
    for (int i = 0; i < s->n; ++i)
        if (!(used >> i & 1) && s->entry[i][col]
            && has_matching(s, col + 1, left_out, used | 1U << i))
            return true;
    return false;
}

static bool is_irreducible_slowly(const square *s)
{
    for (int i = 0; i < s->n; ++i) {
        int in_row = 0, in_column = 0;
        for (int j = 0; j < s->n; ++j) {
            in_row += s->entry[i][j];
            in_column += s->entry[j][i];
            if (!has_matching(s, 0, j, 1U << i))
                return false;
        }
        if (in_row < 3 || in_column < 3)
            return false;
    }
    return s->n > 0;
}

/* Multiplicities with the sum n, of as many lines; few of them are 0. */
static void draw_times(int n, int lines, int64_t *times)
{
    for (int i = 0; i < lines; ++i)
        times[i] = 0;
    for (int k = 0; k < n; ++k)
        ++times[k < lines && pm_rng_below(&rng, 8) ? k : (int)pm_rng_below(&rng, (uint32_t)lines)];
}

static void write_out(const bool (*entry)[LINES], const int64_t *rows, const int64_t *cols, int n,
                      square *out)
{
    int row_of[COPIES], col_of[COPIES];
    for (int k = 0, i = 0, left = 0; k < n; ++i)
        for (left = (int)rows[i]; left > 0; --left)
            row_of[k++] = i;
    for (int k = 0, j = 0, left = 0; k < n; ++j)
        for (left = (int)cols[j]; left > 0; --left)
            col_of[k++] = j;
    out->n = n;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            out->entry[i][j] = entry[row_of[i]][col_of[j]];
}

static bool occur(const int64_t *times, int lines)
{
    bool all = true;
    for (int i = 0; i < lines; ++i)
        all = all && times[i] > 0;
    return all;
}

static void as_written_out(void **state)
{
    (void)state;
    int found[2] = {0, 0};
    for (int round = 0; round < test_rounds(3000) || !found[0] || !found[1]; ++round) {
        const int nrows = 1 + (int)pm_rng_below(&rng, LINES),
                  ncols = 1 + (int)pm_rng_below(&rng, LINES), n = 4 + (int)pm_rng_below(&rng, 5);
        bool entry[LINES][LINES];
        int64_t rows[LINES], cols[LINES];
        square s;
        pm_matrix a;
        pm_triples t = {.field = PM_PATTERN, .nrows = nrows, .ncols = ncols};
        for (int i = 0; i < nrows; ++i)
            for (int j = 0; j < ncols; ++j) {
                entry[i][j] = pm_rng_below(&rng, 4) > 0;
                if (entry[i][j])
                    assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
            }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
        draw_times(n, nrows, rows);
        draw_times(n, ncols, cols);
        write_out(entry, rows, cols, n, &s);
        const bool expected = occur(rows, nrows) && occur(cols, ncols) && is_irreducible_slowly(&s);
        assert_int_equal(pm_copies_are_irreducible(&a, rows, cols), expected);
        ++found[expected];
        pm_matrix_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_written_out)};
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
