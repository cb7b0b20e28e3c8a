/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/front_body.h: the kernel of front_kernel.h for one vector unit, which the
 * includer chooses (core/lanes.h).
 *
 * The front is eliminated by panels of columns (right-looking block LU).  In a panel, one column
 * after another is updated in a buffer and searched for a pivot.  A column without a pivot is left
 * as it was and exchanged with the last column that was not tried yet.  After a panel its rows are
 * solved for, and the product of the panel and these rows is subtracted from the rest of the front,
 * one tile of registers at a time. */
#ifndef PM_FRONT_BODY_H
#define PM_FRONT_BODY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/lanes.h"
#include "elimination/front_kernel.h"

/* A tile of cells and its operands fit into the registers. */
enum { PANEL = 16, TILE_ROWS = 4, TILE_COLS = PM_LANES == 8 ? 4 : 2 };

/* Independent sums that hide the latency of a multiplication. */
enum { CHAINS = 8 };

typedef struct {
    vec p, per_p;
} modulus;

/* ---- residues ---- */

/* c - a b, all integers below 2^53 */
PM_BODY vec less(vec c, vec a, vec b)
{
#if PM_LANES == 8
    return _mm512_fnmadd_pd(a, b, c);
#elif PM_LANES == 4
    return _mm256_fnmadd_pd(a, b, c);
#else
    return c - a * b;
#endif
}

/* x modulo p: |x| < 2^52, so the quotient is below 2^51 unless p = 1, and is rounded to an integer
 * by an addition.  The result is 0 only for multiples of p. */
PM_BODY vec reduce(modulus q, vec x)
{
    const double to_integer = 0x1.8p52;
    vec times = (x * q.per_p + to_integer) - to_integer;
    return less(x, times, q.p);
}

PM_BODY vec mul(modulus q, vec a, vec b)
{
    return reduce(q, a * b);
}

/* 1 / a = a^(p-2) (Fermat) */
PM_BODY vec inverse(modulus q, vec a)
{
    vec result = {0};
    words left;
    result += 1;
    for (int lane = 0; lane < PM_LANES; ++lane)
        left[lane] = (uint64_t)q.p[lane] - 2;
    for (int bit = 0; bit < PM_LANE_PRIME_BITS; ++bit) {
        words taken = -(left & 1), with = (words)mul(q, result, a);
        result = (vec)((with & taken) | ((words)result & ~taken));
        a = mul(q, a, a);
        left >>= 1;
    }
    return result;
}

PM_BODY bool has_zero(vec a)
{
    words zero = (words)(a == 0);
    uint64_t any = 0;
    for (int lane = 0; lane < PM_LANES; ++lane)
        any |= zero[lane];
    return any != 0;
}

PM_BODY vec load(const double *x)
{
    return *(const vec *)x;
}

/* ---- assembly ---- */

PM_BODY vec integer(const pm_lane_primes *primes, modulus q, pm_limbs x)
{
    vec sum = {0}, radix;
    for (int lane = 0; lane < PM_LANES; ++lane)
        radix[lane] = primes->radix[lane];
    for (int64_t i = 0; i < x.n; ++i)
        sum = reduce(q, sum * radix + x.limb[i]);
    return sum;
}

PM_BODY modulus modulus_of(const pm_lane_primes *primes)
{
    modulus q;
    for (int lane = 0; lane < PM_LANES; ++lane) {
        q.p[lane] = primes->p[lane];
        q.per_p[lane] = primes->per_p[lane];
    }
    return q;
}

PM_BODY_TARGET static void add_entry(const pm_lane_primes *primes, double *cell, pm_limbs re,
                                     pm_limbs im, int is_negative)
{
    modulus q = modulus_of(primes);
    vec x = integer(primes, q, re);
    if (im.n) {
        vec unit;
        for (int lane = 0; lane < PM_LANES; ++lane)
            unit[lane] = primes->unit[lane];
        x = reduce(q, x + unit * integer(primes, q, im));
    }
    *(vec *)cell = is_negative ? load(cell) - x : load(cell) + x;
}

PM_BODY_TARGET static void add_part(double *front, int32_t m, const double *part, int32_t size,
                                    const int32_t *at)
{
    for (int32_t i = 0; i < size; ++i) {
        vec *row = (vec *)front + (int64_t)at[i] * m;
        const vec *from = (const vec *)part + (int64_t)i * size;
        for (int32_t j = 0; j < size; ++j)
            row[at[j]] += from[j];
    }
}

PM_BODY_TARGET static void add_skew_part(double *front, int32_t m, const double *part, int32_t size,
                                         const int32_t *at)
{
    for (int32_t i = 0; i < size; ++i) {
        vec *row = (vec *)front + (int64_t)at[i] * m;
        const vec *from = (const vec *)part + (int64_t)i * size;
        for (int32_t j = 0; j < i; ++j)
            if (at[j] < at[i])
                row[at[j]] += from[j];
            else
                ((vec *)front)[(int64_t)at[j] * m + at[i]] -= from[j];
    }
}

/* ---- one panel ---- */

typedef struct {
    modulus q;
    vec *cell, *column;
    int32_t m, most;
    int32_t live;    /* columns live .. most-1 were tried and have no pivot */
    vec determinant; /* or Pfaffian */
    int32_t *row;    /* of a skew-symmetric front */
} elimination;

PM_BODY vec *cell_at(const elimination *x, int32_t i, int32_t j)
{
    return x->cell + (int64_t)i * x->m + j;
}

PM_BODY void exchange(vec *a, vec *b)
{
    vec t = *a;
    *a = *b;
    *b = t;
}

/* Cells i .. i + rows - 1 of column j, updated by the pairs from .. end-1, into to.  The cells of
 * the column in the rows of these pairs are in x->column. */
PM_BODY void update_cells(const elimination *x, int32_t from, int32_t end, int32_t i, int32_t j,
                          vec *to, const int rows)
{
    vec sum[CHAINS];
    const vec *left = cell_at(x, i, 0);
    for (int r = 0; r < rows; ++r)
        sum[r] = left[(int64_t)r * x->m + j];
    for (int32_t k = from; k < end; ++k)
        for (int r = 0; r < rows; ++r)
            sum[r] = less(sum[r], left[(int64_t)r * x->m + k], x->column[k]);
    for (int r = 0; r < rows; ++r)
        to[i + r] = reduce(x->q, sum[r]);
}

/* Column j, updated by the pairs from .. j-1, into x->column. */
PM_BODY void update_column(const elimination *x, int32_t from, int32_t j)
{
    int32_t i = from;
    for (; i < j; ++i)
        update_cells(x, from, i, i, j, x->column, 1);
    for (; i + CHAINS <= x->m; i += CHAINS)
        update_cells(x, from, j, i, j, x->column, CHAINS);
    for (; i < x->m; ++i)
        update_cells(x, from, j, i, j, x->column, 1);
}

/* The first one of the cells first .. end-1 that has no zero lane, or -1. */
PM_BODY int32_t find_pivot(const vec *cell, int32_t first, int32_t end)
{
    for (int32_t i = first; i < end; ++i)
        if (!has_zero(cell[i]))
            return i;
    return -1;
}

PM_BODY void exchange_rows(elimination *x, int32_t from, int32_t i, int32_t j)
{
    for (int32_t c = from; c < x->m; ++c)
        exchange(cell_at(x, i, c), cell_at(x, j, c));
    exchange(&x->column[i], &x->column[j]);
    x->determinant = -x->determinant;
}

PM_BODY void exchange_columns(elimination *x, int32_t from, int32_t i, int32_t j)
{
    for (int32_t r = from; r < x->m; ++r)
        exchange(cell_at(x, r, i), cell_at(x, r, j));
    x->determinant = -x->determinant;
}

PM_BODY void divide_column(elimination *x, int32_t from, int32_t j)
{
    vec by = inverse(x->q, x->column[j]);
    x->determinant = mul(x->q, x->determinant, x->column[j]);
    for (int32_t i = from; i <= j; ++i)
        *cell_at(x, i, j) = x->column[i];
    for (int32_t i = j + 1; i < x->m; ++i)
        *cell_at(x, i, j) = mul(x->q, x->column[i], by);
}

/* Eliminate the pairs of one panel, from .. e-1; returns e. */
PM_BODY int32_t eliminate_panel(elimination *x, int32_t from)
{
    int32_t j = from;
    while (j < x->live && j < from + PANEL) {
        update_column(x, from, j);
        int32_t pivot = find_pivot(x->column, j, x->most);
        if (pivot < 0) {
            if (j != --x->live)
                exchange_columns(x, from, j, x->live);
            continue;
        }
        if (pivot != j)
            exchange_rows(x, from, pivot, j);
        divide_column(x, from, j);
        ++j;
    }
    return j;
}

/* ---- the rest ---- */

/* Solve for the rows of the panel in columns j .. j + cols - 1. */
PM_BODY void solve_rows(const elimination *x, int32_t from, int32_t end, int32_t j, const int cols)
{
    for (int32_t i = from; i < end; ++i) {
        vec sum[CHAINS];
        for (int c = 0; c < cols; ++c)
            sum[c] = *cell_at(x, i, j + c);
        for (int32_t k = from; k < i; ++k)
            for (int c = 0; c < cols; ++c)
                sum[c] = less(sum[c], *cell_at(x, i, k), *cell_at(x, k, j + c));
        for (int c = 0; c < cols; ++c)
            *cell_at(x, i, j + c) = reduce(x->q, sum[c]);
    }
}

PM_BODY void subtract_tile(const elimination *x, int32_t from, int32_t end, int32_t i, int32_t j,
                           const int rows, const int cols)
{
    vec sum[TILE_ROWS][TILE_COLS], right[TILE_COLS];
    vec *tile = cell_at(x, i, j);
    const vec *left = cell_at(x, i, 0);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
            sum[r][c] = tile[(int64_t)r * x->m + c];
    for (int32_t k = from; k < end; ++k) {
        for (int c = 0; c < cols; ++c)
            right[c] = cell_at(x, k, j)[c];
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < cols; ++c)
                sum[r][c] = less(sum[r][c], left[(int64_t)r * x->m + k], right[c]);
    }
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
            tile[(int64_t)r * x->m + c] = reduce(x->q, sum[r][c]);
}

/* Not inlined, so that the compiler keeps the tiles in registers. */
#define STRIP PM_BODY_TARGET static __attribute__((noinline)) void

/* Subtract the panel's product from columns j .. j + cols - 1 in the rows from `top` on. */
PM_BODY void update_columns(const elimination *x, int32_t from, int32_t end, int32_t top, int32_t j,
                            const int cols)
{
    int32_t i = top;
    for (; i + TILE_ROWS <= x->m; i += TILE_ROWS)
        subtract_tile(x, from, end, i, j, TILE_ROWS, cols);
    for (; i < x->m; ++i)
        subtract_tile(x, from, end, i, j, 1, cols);
}

STRIP solve_strip(const elimination *x, int32_t from, int32_t end, int32_t j)
{
    solve_rows(x, from, end, j, CHAINS);
}

STRIP update_strip(const elimination *x, int32_t from, int32_t end, int32_t top, int32_t j)
{
    update_columns(x, from, end, top, j, TILE_COLS);
}

STRIP update_single(const elimination *x, int32_t from, int32_t end, int32_t j)
{
    solve_rows(x, from, end, j, 1);
    update_columns(x, from, end, end, j, 1);
}

PM_BODY void update_rest(const elimination *x, int32_t from, int32_t end)
{
    int32_t j = end;
    for (; j + CHAINS <= x->m; j += CHAINS) {
        solve_strip(x, from, end, j);
        for (int32_t c = j; c < j + CHAINS; c += TILE_COLS)
            update_strip(x, from, end, end, c);
    }
    for (; j < x->m; ++j)
        update_single(x, from, end, j);
}

PM_BODY_TARGET static int32_t eliminate(const pm_lane_primes *primes, double *front, int32_t m,
                                        int32_t most, double *column, double *determinant)
{
    elimination x = {modulus_of(primes), (vec *)front, (vec *)column, m, most, most,
                     load(determinant),  NULL};
    int32_t end = 0;
    while (end < x.live) {
        int32_t from = end;
        end = eliminate_panel(&x, from);
        if (end > from)
            update_rest(&x, from, end);
    }
    *(vec *)determinant = x.determinant;
    return end;
}

/* ---- inverses ---- */

PM_BODY_TARGET static int shrink_inverse(const pm_lane_primes *primes, double *cells,
                                         int32_t stride, int32_t m, int32_t row, int32_t col)
{
    const modulus q = modulus_of(primes);
    vec *cell = (vec *)cells, *last = cell + (int64_t)(m - 1) * stride;
    const vec pivot = cell[(int64_t)row * stride + col];
    if (has_zero(pivot))
        return 0;
    const vec by = inverse(q, pivot);
    for (int32_t j = 0; j < m; ++j)
        exchange(&cell[(int64_t)row * stride + j], &last[j]);
    for (int32_t i = 0; i < m; ++i)
        exchange(&cell[(int64_t)i * stride + col], &cell[(int64_t)i * stride + m - 1]);
    for (int32_t i = 0; i < m - 1; ++i) {
        vec *line = cell + (int64_t)i * stride;
        const vec times = mul(q, line[m - 1], by);
        for (int32_t j = 0; j < m - 1; ++j)
            line[j] = reduce(q, less(line[j], times, last[j]));
    }
    return 1;
}

/* ---- skew-symmetric fronts ----
 *
 * Rows k and l = k + 1 are eliminated together.  Where c and d are the columns k and l below them,
 * and b is the cell (l, k), a cell (i, j) is reduced by (d_i c_j - c_i d_j) / b.  So columns k and l
 * become c / b and d / b, and rows k and l, above the diagonal, where room is free, become -d and c:
 * then the rest is updated by the same product of a panel and its rows as above. */

/* Column j, updated by the pairs from .. end-1, of the rows from `first` on, into to. */
PM_BODY void update_below(const elimination *x, int32_t from, int32_t end, int32_t j, int32_t first,
                          vec *to)
{
    int32_t i = first;
    for (int32_t k = from; k < end; ++k)
        x->column[k] = *cell_at(x, k, j);
    for (; i + CHAINS <= x->m; i += CHAINS)
        update_cells(x, from, end, i, j, to, CHAINS);
    for (; i < x->m; ++i)
        update_cells(x, from, end, i, j, to, 1);
}

/* Exchange rows and columns p < q, of which the pairs from .. end-1 of the panel are eliminated. */
PM_BODY void exchange_lines(elimination *x, int32_t from, int32_t end, int32_t p, int32_t q)
{
    int32_t row = x->row[p];
    for (int32_t c = from; c < p; ++c)
        exchange(cell_at(x, p, c), cell_at(x, q, c));
    for (int32_t k = from; k < end; ++k)
        exchange(cell_at(x, k, p), cell_at(x, k, q));
    for (int32_t t = p + 1; t < q; ++t) {
        vec below = *cell_at(x, t, p);
        *cell_at(x, t, p) = -*cell_at(x, q, t);
        *cell_at(x, q, t) = -below;
    }
    *cell_at(x, q, p) = -*cell_at(x, q, p);
    for (int32_t r = q + 1; r < x->m; ++r)
        exchange(cell_at(x, r, p), cell_at(x, r, q));
    x->row[p] = x->row[q];
    x->row[q] = row;
}

/* The updated columns j and j + 1 are in the rows j + 1 and j. */
PM_BODY void divide_columns(elimination *x, int32_t j)
{
    vec *upper = cell_at(x, j, 0), *lower = cell_at(x, j + 1, 0);
    vec by = inverse(x->q, lower[j + 1]);
    x->determinant = mul(x->q, x->determinant, -lower[j + 1]);
    for (int32_t i = j + 2; i < x->m; ++i) {
        *cell_at(x, i, j) = mul(x->q, lower[i], by);
        *cell_at(x, i, j + 1) = mul(x->q, upper[i], by);
        upper[i] = -upper[i];
    }
}

_Static_assert(PANEL % 2 == 0, "both rows of a pivot are in one panel");

/* Eliminate the pairs of one panel, from .. e-1; returns e. */
PM_BODY int32_t eliminate_skew_panel(elimination *x, int32_t from)
{
    int32_t j = from;
    while (j + 1 < x->live && j < from + PANEL) {
        vec *column = cell_at(x, j + 1, 0);
        update_below(x, from, j, j, j + 1, column);
        int32_t pivot = find_pivot(column, j + 1, x->live);
        if (pivot < 0) {
            exchange_lines(x, from, j, j, --x->live);
            continue;
        }
        if (pivot != j + 1) {
            exchange_lines(x, from, j, j + 1, pivot);
            exchange(&column[j + 1], &column[pivot]);
        }
        update_below(x, from, j, j + 1, j + 2, cell_at(x, j, 0));
        divide_columns(x, j);
        j += 2;
    }
    return j;
}

/* Only the cells below the diagonal, and a few beside it. */
PM_BODY void update_skew_rest(const elimination *x, int32_t from, int32_t end)
{
    int32_t j = end;
    for (; j + TILE_COLS <= x->m; j += TILE_COLS)
        update_strip(x, from, end, j, j);
    for (; j < x->m; ++j)
        update_columns(x, from, end, j, j, 1);
}

PM_BODY_TARGET static int32_t eliminate_skew(const pm_lane_primes *primes, double *front, int32_t m,
                                             int32_t most, int32_t *row, double *column,
                                             double *pfaffian)
{
    elimination x = {modulus_of(primes), (vec *)front, (vec *)column, m, most, most,
                     load(pfaffian),     row};
    int32_t end = 0;
    while (end + 1 < x.live) {
        int32_t from = end;
        end = eliminate_skew_panel(&x, from);
        if (end > from)
            update_skew_rest(&x, from, end);
    }
    *(vec *)pfaffian = x.determinant;
    return end;
}

#define PM_FRONT_KERNEL(name)                                                                      \
    const pm_front_kernel name = {PM_LANES,       add_entry,     add_part,      eliminate,         \
                                  shrink_inverse, add_skew_part, eliminate_skew};

#endif
