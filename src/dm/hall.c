/* SPDX-License-Identifier: GPL-3.0-or-later */
/* R = the rows on alternating paths from an unmatched row.  The matching is maximum, so every
 * neighbour of R is matched, and to a row of R; the first row is unmatched, so R has one row more
 * than neighbours. */
#include "config.h"

#include "pm/dm.h"

#include <assert.h>
#include <stdlib.h>

#include "pm/alloc.h"

/* out = the numbers k < n with mark[k] set, ascending.  Returns how many there are. */
static int64_t collect(const char *mark, int64_t n, int32_t *out)
{
    int64_t count = 0;
    for (int64_t k = 0; k < n; ++k)
        if (mark[k])
            out[count++] = (int32_t)k;
    return count;
}

pm_status pm_matching_hall(const pm_matrix *a, const int32_t *col_of, const int32_t *row_of,
                           int64_t row, int32_t *rows, int64_t *nrows, int32_t *cols,
                           int64_t *ncols, pm_error *err)
{
    assert(row >= 0 && row < a->nrows && col_of[row] < 0);
    (void)col_of;
    pm_status status = PM_OK;
    char *row_seen = pm_calloc_array(a->nrows, 1);
    char *col_seen = pm_calloc_array(a->ncols, 1);
    if (!row_seen || !col_seen) {
        status = pm_fail_memory(err, "a Hall violator");
        goto done;
    }
    int64_t head = 0, tail = 0;
    rows[tail++] = (int32_t)row;
    row_seen[row] = 1;
    while (head < tail) {
        int32_t i = rows[head++];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int32_t j = a->colind[k];
            if (col_seen[j])
                continue;
            col_seen[j] = 1;
            assert(row_of[j] >= 0);
            row_seen[row_of[j]] = 1;
            rows[tail++] = row_of[j];
        }
    }
    *nrows = collect(row_seen, a->nrows, rows);
    *ncols = collect(col_seen, a->ncols, cols);
done:
    free(row_seen);
    free(col_seen);
    return status;
}
