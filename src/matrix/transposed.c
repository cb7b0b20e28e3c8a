/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matrix/transposed.h"

#include <string.h>

#include "core/team.h"

/* To start a thread takes as long as some thousand entries, and every thread reads all entries. */
enum { ENTRIES_OF_THREAD = 50000 };

int pm_transposed_threads(int64_t entries, const pm_run *run)
{
    const int64_t worth = entries / ENTRIES_OF_THREAD;
    const int most = run ? pm_run_threads(run) : 1;
    return worth <= 1 || most == 1 ? 1 : pm_team(run, worth < most ? (int)worth : most);
}

void pm_transposed_count(int64_t ncols, int64_t nnz, const int32_t *colind, int threads,
                         int64_t *count)
{
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        const pm_column_range range = pm_column_range_of(ncols, part, threads);
        if (range.count)
            memset(count + range.from, 0, (size_t)range.count * sizeof *count);
        for (int64_t k = 0; k < nnz; ++k)
            if (pm_column_is_in(range, colind[k]))
                ++count[colind[k]];
    }
}

/* ptr[0 .. ncols]: moved on from the starts to the ends of the columns. */
static void take(pm_column_range range, int64_t nrows, const int64_t *rowptr, const int32_t *colind,
                 int64_t *ptr, int32_t *row, int64_t *place)
{
    for (int64_t i = 0; i < nrows; ++i)
        for (int64_t k = rowptr[i]; k < rowptr[i + 1]; ++k) {
            if (!pm_column_is_in(range, colind[k]))
                continue;
            const int64_t at = ptr[colind[k]]++;
            row[at] = (int32_t)i;
            if (place)
                place[k] = at;
        }
}

void pm_transposed_make(int64_t nrows, int64_t ncols, const int64_t *rowptr, const int32_t *colind,
                        int threads, int64_t *ptr, int32_t *row, int64_t *place)
{
    const int64_t nnz = nrows && rowptr ? rowptr[nrows] : 0;
    ptr[0] = 0;
    pm_transposed_count(ncols, nnz, colind, threads, ptr + 1);
    for (int64_t j = 0; j < ncols; ++j)
        ptr[j + 1] += ptr[j];
    if (nnz == 0)
        return;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int part = 0; part < threads; ++part)
        take(pm_column_range_of(ncols, part, threads), nrows, rowptr, colind, ptr, row, place);
    pm_transposed_rewind(ptr, ncols);
}

void pm_transposed_rewind(int64_t *ptr, int64_t ncols)
{
    memmove(ptr + 1, ptr, (size_t)ncols * sizeof *ptr);
    ptr[0] = 0;
}
