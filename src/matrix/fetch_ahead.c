/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matrix/fetch_ahead.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    COLUMNS_IN_CACHE = 1 << 15, /* 256 KiB of doubles */
    ENTRIES_LEAST = 1 << 10,    /* fewer take less time than the samples are worth */
    SAMPLES = 8,
    BEFORE = 16, /* entries that a sample is compared with */
    NEAR = 64    /* columns: a few lines of the cache */
};

/* Whether none of the BEFORE entries before entry k has a column near its own. */
static bool is_alone(const int32_t *column, int64_t k)
{
    for (int64_t m = k - BEFORE; m < k; ++m)
        if (labs((long)column[m] - column[k]) <= NEAR)
            return false;
    return true;
}

int64_t pm_fetch_ahead_rows(const int64_t *rowptr, const int32_t *column, int64_t ncols,
                            int64_t from, int64_t to)
{
    const int64_t first = rowptr[from], count = rowptr[to] - first;
    if (ncols <= COLUMNS_IN_CACHE || count < ENTRIES_LEAST)
        return from;
    int alone = 0;
    for (int64_t s = 1; s <= SAMPLES; ++s)
        alone += is_alone(column, first + s * (count / (SAMPLES + 1)));
    if (alone < SAMPLES / 2)
        return from;
    while (to > from && rowptr[to] + PM_FETCH_AHEAD > first + count)
        --to;
    return to;
}
