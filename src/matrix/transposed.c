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

typedef struct {
    int64_t ncols, nnz;
    const int32_t *colind;
    int64_t *count;
} counting;

static void count_part(void *context, int part, int parts)
{
    const counting *c = context;
    const pm_column_range range = pm_column_range_of(c->ncols, part, parts);
    if (range.count)
        memset(c->count + range.from, 0, (size_t)range.count * sizeof *c->count);
    for (int64_t k = 0; k < c->nnz; ++k)
        if (pm_column_is_in(range, c->colind[k]))
            ++c->count[c->colind[k]];
}

void pm_transposed_count(int64_t ncols, int64_t nnz, const int32_t *colind, int threads,
                         int64_t *count)
{
    counting c = {.ncols = ncols, .nnz = nnz, .colind = colind, .count = count};
    pm_team_run(threads, count_part, &c);
}

typedef struct {
    int64_t nrows, ncols;
    const int64_t *rowptr;
    const int32_t *colind;
    int64_t *ptr; /* moved on from the starts to the ends of the columns */
    int32_t *row;
    int64_t *place;
} taking;

static void take_part(void *context, int part, int parts)
{
    const taking t = *(const taking *)context;
    const pm_column_range range = pm_column_range_of(t.ncols, part, parts);
    for (int64_t i = 0; i < t.nrows; ++i)
        for (int64_t k = t.rowptr[i]; k < t.rowptr[i + 1]; ++k) {
            if (!pm_column_is_in(range, t.colind[k]))
                continue;
            const int64_t at = t.ptr[t.colind[k]]++;
            t.row[at] = (int32_t)i;
            if (t.place)
                t.place[k] = at;
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
    taking t = {.nrows = nrows,
                .ncols = ncols,
                .rowptr = rowptr,
                .colind = colind,
                .ptr = ptr,
                .row = row,
                .place = place};
    pm_team_run(threads, take_part, &t);
    pm_transposed_rewind(ptr, ncols);
}

void pm_transposed_rewind(int64_t *ptr, int64_t ncols)
{
    memmove(ptr + 1, ptr, (size_t)ncols * sizeof *ptr);
    ptr[0] = 0;
}
