/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/multiply.h"

#include "matrix/fetch_ahead.h"

/* Starting a parallel region takes as long as some thousand entries. */
enum { ENTRIES_OF_THREAD = 20000 };

int pm_spmv_threads(const pm_csr *a, int most)
{
    int64_t worth = a->rowptr[a->nrows] / ENTRIES_OF_THREAD;
    return worth < 1 ? 1 : worth < most ? (int)worth : most;
}

/* The first row i with rowptr[i] + i >= at: rows count as entries, so that empty rows are shared too. */
static int64_t row_at(const pm_csr *a, int64_t at)
{
    int64_t low = 0, high = a->nrows;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (a->rowptr[middle] + middle < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

pm_csr_rows pm_csr_share(const pm_csr *a, int part, int parts)
{
    int64_t work = a->rowptr[a->nrows] + a->nrows;
    int64_t each = work / parts, left = work % parts;
    int64_t from = part * each + (part < left ? part : left);
    int64_t to = from + each + (part < left);
    return (pm_csr_rows){row_at(a, from), part == parts - 1 ? a->nrows : row_at(a, to)};
}

/* Shorter rows have one sum: one loop whose length the processor mispredicts takes less time than two. */
enum { LONG_ROW = 12 };

/* What a product reads.  Where it is constant the compiler leaves out the other cases. */
typedef enum { ONES, WIDE, NARROW, SHIFTED } kind;

static kind kind_of(const pm_csr *a, const pm_line_products *between)
{
    return a->value ? WIDE : a->narrow ? NARROW : between && between->row_shift ? SHIFTED : ONES;
}

/* The matrix, and the factors of entries that are not stored, or NULL. */
typedef struct {
    const pm_csr *a;
    const pm_line_products *between;
} entries;

#define INLINE static inline __attribute__((always_inline))

INLINE double term(entries e, kind of, int64_t i, int64_t k, double x)
{
    return of == WIDE      ? e.a->value[k] * x
           : of == NARROW  ? e.a->narrow[k] * x
           : of == SHIFTED ? pm_line_power(e.between, i, e.a->colind[k]) * x
                           : x;
}

INLINE void ask(const double *x, const int32_t *column, int64_t k, bool asks_ahead)
{
    if (asks_ahead)
        __builtin_prefetch(&x[column[k + PM_FETCH_AHEAD]]);
}

/* Four sums side by side in a long row: one would wait for each addition.  x: NULL: of ones. */
INLINE double row_product(entries e, kind of, int64_t i, const double *x, bool asks_ahead)
{
    const int32_t *j = e.a->colind;
    double sum[4] = {0, 0, 0, 0};
    const int64_t from = e.a->rowptr[i], to = e.a->rowptr[i + 1];
    int64_t k = from;
    for (; to - from >= LONG_ROW && k + 4 <= to; k += 4)
        for (int s = 0; s < 4; ++s) {
            ask(x, j, k + s, asks_ahead);
            sum[s] += term(e, of, i, k + s, x ? x[j[k + s]] : 1);
        }
    for (; k < to; ++k) {
        ask(x, j, k, asks_ahead);
        sum[0] += term(e, of, i, k, x ? x[j[k]] : 1);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static int64_t ahead_rows(const pm_csr *a, pm_csr_rows rows)
{
    return pm_fetch_ahead_rows(a->rowptr, a->colind, a->ncols, rows.from, rows.to);
}

INLINE void multiply_rows(entries e, kind of, pm_csr_rows rows, const double *x, double *y)
{
    const int64_t middle = x ? ahead_rows(e.a, rows) : rows.from;
    for (int64_t i = rows.from; i < middle; ++i)
        y[i] = row_product(e, of, i, x, true);
    for (int64_t i = middle; i < rows.to; ++i)
        y[i] = row_product(e, of, i, x, false);
}

void pm_spmv_multiply_rows(const pm_csr *a, const pm_line_products *between, pm_csr_rows rows,
                           const double *x, double *y)
{
    const entries e = {a, between};
    switch (kind_of(a, between)) {
    case ONES: multiply_rows(e, ONES, rows, x, y); break;
    case WIDE: multiply_rows(e, WIDE, rows, x, y); break;
    case NARROW: multiply_rows(e, NARROW, rows, x, y); break;
    case SHIFTED: multiply_rows(e, SHIFTED, rows, x, y); break;
    }
}

void pm_spmv_sum_rows(const pm_csr *a, pm_csr_rows rows, double *y)
{
    if (a->narrow)
        multiply_rows((entries){a, NULL}, NARROW, rows, NULL, y);
    else
        multiply_rows((entries){a, NULL}, WIDE, rows, NULL, y);
}

INLINE double difference(entries e, kind of, int64_t i, int64_t k, const double *x, double z)
{
    const int32_t j = e.a->colind[k];
    const bool is_stored = of == WIDE || of == NARROW;
    return term(e, of, i, k, is_stored ? z - x[j] : e.between->col[j] * z - x[j]);
}

INLINE double row_difference(entries e, kind of, int64_t i, const double *x, double z,
                             bool asks_ahead)
{
    double sum[4] = {0, 0, 0, 0};
    const int64_t from = e.a->rowptr[i], to = e.a->rowptr[i + 1];
    int64_t k = from;
    for (; to - from >= LONG_ROW && k + 4 <= to; k += 4)
        for (int s = 0; s < 4; ++s) {
            ask(x, e.a->colind, k + s, asks_ahead);
            sum[s] += difference(e, of, i, k + s, x, z);
        }
    for (; k < to; ++k) {
        ask(x, e.a->colind, k, asks_ahead);
        sum[0] += difference(e, of, i, k, x, z);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

INLINE void differ_rows(entries e, kind of, pm_csr_rows rows, const double *x, const double *z,
                        double *y)
{
    const int64_t middle = ahead_rows(e.a, rows);
    for (int64_t i = rows.from; i < middle; ++i)
        y[i] = row_difference(e, of, i, x, z[i], true);
    for (int64_t i = middle; i < rows.to; ++i)
        y[i] = row_difference(e, of, i, x, z[i], false);
}

void pm_spmv_differences_rows(const pm_csr *a, const pm_line_products *between, pm_csr_rows rows,
                              const double *x, const double *z, double *y)
{
    const entries e = {a, between};
    switch (kind_of(a, between)) {
    case ONES: differ_rows(e, ONES, rows, x, z, y); break;
    case WIDE: differ_rows(e, WIDE, rows, x, z, y); break;
    case NARROW: differ_rows(e, NARROW, rows, x, z, y); break;
    case SHIFTED: differ_rows(e, SHIFTED, rows, x, z, y); break;
    }
}

void pm_spmv_multiply(const pm_csr *a, const double *x, double *y, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int part = 0; part < threads; ++part)
        pm_spmv_multiply_rows(a, NULL, pm_csr_share(a, part, threads), x, y);
}

/* Adds row i of the matrix, times its factor, to the columns of a range. */
INLINE void add_row(entries e, kind of, int64_t i, pm_column_range range, bool is_all,
                    bool asks_ahead, const double *x, double *y)
{
    const int32_t *j = e.a->colind;
    const double factor = !x ? 1 : e.between ? e.between->row[i] * x[i] : x[i];
    for (int64_t k = e.a->rowptr[i]; k < e.a->rowptr[i + 1]; ++k) {
        if (asks_ahead)
            __builtin_prefetch(&y[j[k + PM_FETCH_AHEAD]], 1);
        if (is_all || pm_column_is_in(range, j[k]))
            y[j[k]] += term(e, of, i, k, factor);
    }
}

/* The columns of a range, y, of some rows, which have columns within `used`. */
INLINE void add_rows_of(entries e, kind of, pm_csr_rows rows, pm_column_range range,
                        pm_column_range used, const double *x, double *y)
{
    const bool is_all = (int64_t)range.count == e.a->ncols;
    const int64_t middle = is_all ? ahead_rows(e.a, rows) : rows.from;
    for (uint32_t j = 0; j < range.count; ++j)
        if (pm_column_is_in(used, (int32_t)(range.from + j)))
            y[range.from + j] = 0;
    for (int64_t i = rows.from; i < middle; ++i)
        add_row(e, of, i, range, is_all, true, x, y);
    for (int64_t i = middle; i < rows.to; ++i)
        add_row(e, of, i, range, is_all, false, x, y);
}

static void add_rows(entries e, pm_csr_rows rows, pm_column_range range, pm_column_range used,
                     const double *x, double *y)
{
    switch (kind_of(e.a, e.between)) {
    case ONES: add_rows_of(e, ONES, rows, range, used, x, y); break;
    case WIDE: add_rows_of(e, WIDE, rows, range, used, x, y); break;
    case NARROW: add_rows_of(e, NARROW, rows, range, used, x, y); break;
    case SHIFTED: add_rows_of(e, SHIFTED, rows, range, used, x, y); break;
    }
}

pm_column_range pm_csr_columns(const pm_csr *a, pm_csr_rows rows)
{
    int32_t low = INT32_MAX, high = -1;
    for (int64_t k = a->rowptr[rows.from]; k < a->rowptr[rows.to]; ++k) {
        low = a->colind[k] < low ? a->colind[k] : low;
        high = a->colind[k] > high ? a->colind[k] : high;
    }
    return high < 0 ? (pm_column_range){0}
                    : (pm_column_range){(uint32_t)low, (uint32_t)(high - low) + 1};
}

pm_spmv_part pm_spmv_part_make(const pm_csr *a, double *sum)
{
    return (pm_spmv_part){
        sum, {pm_csr_columns(a, pm_csr_share(a, 0, 2)), pm_csr_columns(a, pm_csr_share(a, 1, 2))}};
}

/* y, which has the sums of the first half in its range, becomes those of both. */
static void join_halves(const pm_spmv_part *part, double *y, int64_t from, int64_t to)
{
    for (int64_t j = from; j < to; ++j) {
        const bool is_first = pm_column_is_in(part->range[0], (int32_t)j);
        if (pm_column_is_in(part->range[1], (int32_t)j))
            y[j] = is_first ? y[j] + part->sum[j] : part->sum[j];
        else if (!is_first)
            y[j] = 0;
    }
}

void pm_spmv_multiply_transposed(const pm_csr *a, const pm_line_products *between, const double *x,
                                 double *y, const pm_spmv_part *part, int threads)
{
    const entries e = {a, between};
    const pm_column_range all = {0, (uint32_t)a->ncols};
    const bool is_parted = part && part->sum;
    const int parts = is_parted ? 2 : 1, ranges = threads > parts ? threads / parts : 1;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp for schedule(static, 1)
        for (int task = 0; task < parts * ranges; ++task) {
            const int half = task / ranges;
            add_rows(e, pm_csr_share(a, half, parts),
                     pm_column_range_of(a->ncols, task % ranges, ranges),
                     is_parted ? part->range[half] : all, x, half ? part->sum : y);
        }
#pragma omp for
        for (int k = 0; k < (is_parted ? threads : 0); ++k)
            join_halves(part, y, a->ncols * k / threads, a->ncols * (k + 1) / threads);
    }
}
