/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A square matrix is fully indecomposable when every set of columns, but none and all of them, has entries in more
 * rows than it has columns (Hall's condition with one to spare).  With copies the sets that have all copies of their
 * columns decide: a set with fewer copies has the same rows. */
#include "config.h"

#include "count/copies_irreducible.h"

enum {
    LINES_MAX = 10,  /* rows, and columns: so many sets take some microseconds */
    LEAST_DEGREE = 3 /* a line with fewer entries can be reduced */
};

typedef struct {
    int64_t rows, cols;
    const int64_t *row_times, *col_times;
    uint64_t rows_of[LINES_MAX],
        cols_of[LINES_MAX]; /* where each column, and each row, has entries */
} pattern;

static int64_t copies_in(const int64_t *times, uint64_t set)
{
    int64_t copies = 0;
    for (; set; set &= set - 1)
        copies += times ? times[__builtin_ctzll(set)] : 1;
    return copies;
}

static void make_pattern(const pm_matrix *a, pattern *p)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            p->cols_of[i] |= UINT64_C(1) << a->colind[k];
            p->rows_of[a->colind[k]] |= UINT64_C(1) << i;
        }
}

/* Whether every line occurs, and has entries enough. */
static bool are_long(int64_t lines, const int64_t *times, const uint64_t *others_of,
                     const int64_t *other_times)
{
    for (int64_t i = 0; i < lines; ++i)
        if (copies_in(times, UINT64_C(1) << i) == 0
            || copies_in(other_times, others_of[i]) < LEAST_DEGREE)
            return false;
    return true;
}

static bool is_indecomposable(const pattern *p)
{
    for (uint64_t set = 1; set + 1 < UINT64_C(1) << p->cols; ++set) {
        uint64_t rows = 0;
        for (uint64_t left = set; left; left &= left - 1)
            rows |= p->rows_of[__builtin_ctzll(left)];
        if (copies_in(p->row_times, rows) <= copies_in(p->col_times, set))
            return false;
    }
    return true;
}

bool pm_copies_are_irreducible(const pm_matrix *a, const int64_t *row_times,
                               const int64_t *col_times)
{
    pattern p = {
        .rows = a->nrows, .cols = a->ncols, .row_times = row_times, .col_times = col_times};
    if (a->nrows == 0 || a->nrows > LINES_MAX || a->ncols > LINES_MAX)
        return false;
    make_pattern(a, &p);
    return are_long(p.rows, row_times, p.cols_of, col_times)
           && are_long(p.cols, col_times, p.rows_of, row_times) && is_indecomposable(&p);
}
