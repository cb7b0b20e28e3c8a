/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float_body.h: the range functions of dense_float_problem.h for the vector unit of
 * core/float_lanes.h: those in double and double-double, or where PM_IN_SINGLE is defined those in single precision. */
#ifndef PM_DENSE_FLOAT_BODY_H
#define PM_DENSE_FLOAT_BODY_H

#include <string.h>

#include "dense/dense_float_tile.h"
#include "dense/dense_float_totals.h"

typedef struct {
    _Alignas(64) element absolute[LANES]; /* |re| + |im| */
    lane_total part[2];
} block_total;

/* ---- the sum of the terms of a unit ---- */

/* The sum of the terms q[0 .. count - 1], where term k has the sign (-1)^(number of 1 bits of k),
 * by a binary tree of additions. */
PM_BODY vec signed_sum(const vec *p, int count)
{
    vec q[2 * MOST_TERMS];
#pragma GCC unroll 16
    for (int k = 0; k < count; ++k)
        q[k] = p[k];
#pragma GCC unroll 16
    for (int k = 0; k < count - 1; ++k)
        q[count + k] = q[2 * k] - q[2 * k + 1];
    return q[2 * count - 2];
}

/* The same in double-double; l: low parts, or NULL. */
PM_BODY vec_dd signed_dd_sum(const vec *h, const vec *l, int count)
{
    vec_dd q[2 * MOST_TERMS];
#pragma GCC unroll 16
    for (int k = 0; k < count; ++k)
        q[k] = (vec_dd){h[k], l ? l[k] : splat(0)};
#pragma GCC unroll 16
    for (int k = 0; k < count - 1; ++k)
        q[count + k] = dd_minus(q[2 * k], q[2 * k + 1]);
    return q[2 * count - 2];
}

/* A binary tree too: a chain of additions would take longer than the terms. */
PM_BODY void add_absolute(element *at, const vec *h, int count)
{
    vec q[2 * MOST_TERMS];
#pragma GCC unroll 16
    for (int k = 0; k < count; ++k)
        q[k] = magnitude(h[k]);
#pragma GCC unroll 16
    for (int k = 0; k < count - 1; ++k)
        q[count + k] = add_by_multiplier(q[2 * k], q[2 * k + 1]);
    store(at, load(at) + q[2 * count - 2]);
}

/* ---- a tile ---- */

typedef struct {
    const pm_dense_float *f;
    flip by;
    double sign; /* of the tile */
    element *v;  /* [n + 1][components][lanes]: row sums */
    block_total *total;
} tile_work;

/* Adds a unit, with its sign. */
PM_BODY void add_unit(const tile_work *w, pm_dense_kind kind, int unit, int lane, const vec *h,
                      const vec *l, lane_total *total)
{
    int count = pm_dense_unit(kind);
    add_absolute(w->total->absolute + lane, h, count);
    vec sign = splat(__builtin_parity((unsigned)unit) ? -w->sign : w->sign);
    if (pm_dense_is_quad(kind) || w->f->precision == PM_DQ)
        add_dd(total, lane, sign, signed_dd_sum(h, l, count));
    else if (w->f->precision == PM_DOUBLE)
        add_double(total, lane, sign, signed_sum(h, count));
    else
        add_compensated(total, lane, sign, signed_sum(h, count));
}

/* The number of sign patterns of a pass: the widest vectors have registers for two units. */
PM_BODY int pass_patterns(pm_dense_kind kind)
{
    return pm_dense_unit(kind) * (PM_ELEMENTS == LANES ? 2 : 1);
}

/* Sign patterns from `first` on, lanes from `lane` on; the first pass of a tile updates the sums of
 * the lanes. */
PM_BODY void run_pass(const tile_work *w, pm_dense_kind kind, bool update, int first, int lane)
{
    vec p[MOST_WIDE][4][MOST_TERMS];
    const pm_dense_float *f = w->f;
    bool is_complex = pm_dense_is_complex(kind), is_quad = pm_dense_is_quad(kind);
    int unit = pm_dense_unit(kind), imaginary = is_quad ? 2 : 1, count = pass_patterns(kind);
    int step = count / wide(kind);
    cursor c = {.v = w->v + lane,
                .entry = w->by.column,
                .t = (const element *)f->table + first,
                .step = splat(w->by.step),
                .update = update,
                .components = pm_dense_components(kind),
                .patterns = pm_dense_patterns(kind)};
    make_terms(kind, f->n, c, step, 0, p);
    if (wide(kind) == 2) {
        c.t += step;
        c.update = false;
        make_terms(kind, f->n, c, step, step, p);
    }
#pragma GCC unroll 2
    for (int h = 0; h < wide(kind); ++h)
#pragma GCC unroll 2
        for (int k = 0; k < count; k += unit) {
            int which = (first + k) / unit, at = lane + PM_ELEMENTS * h;
            add_unit(w, kind, which, at, p[h][0] + k, is_quad ? p[h][1] + k : NULL,
                     &w->total->part[0]);
            if (is_complex)
                add_unit(w, kind, which, at, p[h][imaginary] + k, is_quad ? p[h][3] + k : NULL,
                         &w->total->part[1]);
        }
}

/* A pass is a separate function, so that other code does not use its registers. */
typedef void pass_function(const tile_work *w, int first, int lane);

PM_BODY void run_tile(const tile_work *w, pm_dense_kind kind, pass_function *updating,
                      pass_function *other)
{
    for (int lane = 0; lane < LANES; lane += wide(kind) * PM_ELEMENTS) {
        updating(w, 0, lane);
        for (int first = pass_patterns(kind); first < pm_dense_patterns(kind);
             first += pass_patterns(kind))
            other(w, first, lane);
    }
}

/* ---- the spread (sweep/sweep.h) ---- */

PM_BODY vec row_modulus(const element *v, const element *t, pm_dense_kind kind)
{
    int patterns = pm_dense_patterns(kind);
    vec x[4];
#pragma GCC unroll 4
    for (int c = 0; c < pm_dense_components(kind); ++c)
        x[c] = load(v + LANES * c) + splat(t[patterns * c]);
    switch (kind) {
    case PM_DENSE_REAL:
    case PM_DENSE_SINGLE: return magnitude(x[0]);
    case PM_DENSE_COMPLEX:
    case PM_DENSE_COMPLEX_SINGLE: return root(x[0] * x[0] + x[1] * x[1]);
    case PM_DENSE_QUAD: return magnitude(x[0] + x[1]);
    default: break;
    }
    vec re = x[0] + x[1], im = x[2] + x[3];
    return root(re * re + im * im);
}

/* What is added to a difference of products, relative to the larger one.  In double each product has a relative
 * error of at most 2^-45; twice that is added.  In single precision, with u = 2^-24, the products of moduli and of
 * raised moduli have errors of 3 n u and 5 n u, the difference u, and the sum of the differences 32 u. */
PM_BODY vec spread_rounding(const pm_dense_float *f, pm_dense_kind kind)
{
    return splat(pm_dense_is_single(kind) ? (12 * f->n + 12) * 0x1p-24 : 0x1p-44);
}

PM_BODY double tile_spread(const pm_dense_float *f, pm_dense_kind kind, const element *v)
{
    enum { GROUP = 4 };
    int patterns = pm_dense_patterns(kind), components = pm_dense_components(kind);
    const vec more = spread_rounding(f, kind);
    _Alignas(64) element part[LANES];
    for (int lane = 0; lane < LANES; lane += PM_ELEMENTS) {
        vec sum = splat(0);
        for (int first = 0; first < patterns; first += GROUP) {
            const element *at = v + lane, *t = (const element *)f->table + first;
            vec low[GROUP], high[GROUP];
#pragma GCC unroll 4
            for (int k = 0; k < GROUP; ++k)
                low[k] = high[k] = splat(1);
            for (int32_t i = 0; i < f->n; ++i) {
#pragma GCC unroll 4
                for (int k = 0; k < GROUP; ++k) {
                    vec m = row_modulus(at, t + k, kind);
                    low[k] *= m;
                    high[k] *= m + splat(f->raised[i]);
                }
                at += LANES * components;
                t += patterns * components;
            }
#pragma GCC unroll 4
            for (int k = 0; k < GROUP; ++k)
                sum += (high[k] - low[k]) + high[k] * more;
        }
        store(part + lane, sum);
    }
    double total = 0;
    for (int lane = 0; lane < LANES; ++lane)
        total += part[lane];
    return total;
}

/* A bijection of 64-bit words: the finalizer of SplitMix64. */
PM_BODY bool is_in_sample(const pm_dense_float *f, uint64_t tile)
{
    uint64_t z = tile + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((z ^ z >> 31) & (f->sample - 1)) == 0;
}

/* ---- a range ---- */

PM_BODY void add_block(block_total *total, pm_sum *sum)
{
    add_lanes(sum->re, &total->part[0], true);
    add_lanes(sum->im, &total->part[1], true);
    double absolute = 0;
    for (int lane = 0; lane < LANES; ++lane)
        absolute += total->absolute[lane];
    sum->absolute += absolute;
    memset(total, 0, sizeof *total);
}

/* The row sums of the lanes for this tile; exact, so the order of additions does not matter. */
PM_BODY void set_up(const pm_dense_float *f, pm_dense_kind kind, uint64_t tile, element *v)
{
    const element *column = (const element *)f->column;
    int32_t components = pm_dense_components(kind), rows = f->n * components;
    uint64_t gray = tile ^ tile >> 1;
    memcpy(v, f->start, (size_t)(rows + components) * LANES * sizeof *v);
    for (int b = 0; gray >> b; ++b)
        if (gray >> b & 1)
            for (int32_t i = 0; i < rows; ++i)
                for (int lane = 0; lane < LANES; ++lane)
                    v[LANES * i + lane] -= 2 * column[rows * b + i];
}

/* Tile T - 1 and T differ in one column: 2^b is the largest power that divides T. */
PM_BODY flip flip_before(const pm_dense_float *f, pm_dense_kind kind, uint64_t tile)
{
    int b = __builtin_ctzll(tile);
    bool is_negative = (tile ^ tile >> 1) >> b & 1;
    const element *column = (const element *)f->column;
    return (flip){column + (int64_t)f->n * pm_dense_components(kind) * b, is_negative ? -2 : 2};
}

PM_BODY void run_range(const void *problem, pm_dense_kind kind, pass_function *updating,
                       pass_function *other, uint64_t first, uint64_t end, pm_sum *sum)
{
    const pm_dense_float *f = problem;
    _Alignas(64) element v[(PM_SQUARE_MAX + 1) * 4 * LANES]; /* a row more is read */
    block_total total = {0};
    tile_work w = {.f = f, .by = {(const element *)f->start, 0}, .v = v, .total = &total};
    int bits = pm_dense_tile_bits(kind);
    double spread = 0;
    set_up(f, kind, first >> bits, v);
    for (uint64_t t = first >> bits; t < end >> bits; ++t) {
        if (t > first >> bits)
            w.by = flip_before(f, kind, t);
        w.sign = t & 1 ? -1 : 1;
        run_tile(&w, kind, updating, other);
        if (f->has_spread && is_in_sample(f, t))
            spread += tile_spread(f, kind, v);
        if ((t + 1) % PM_DENSE_BLOCK == 0)
            add_block(&total, sum);
    }
    add_block(&total, sum);
    sum->spread += spread * ((double)f->sample / f->scale);
}

#define PM_DENSE_RANGE(name, kind)                                                                 \
    __attribute__((noinline))                                                                      \
    PM_BODY_TARGET static void name##_updating(const tile_work *w, int first, int lane)            \
    {                                                                                              \
        run_pass(w, kind, true, first, lane);                                                      \
    }                                                                                              \
    __attribute__((noinline))                                                                      \
    PM_BODY_TARGET static void name##_other(const tile_work *w, int first, int lane)               \
    {                                                                                              \
        run_pass(w, kind, false, first, lane);                                                     \
    }                                                                                              \
    PM_BODY_TARGET static void name(const void *problem, uint64_t first, uint64_t end,             \
                                    pm_sum *sum)                                                   \
    {                                                                                              \
        run_range(problem, kind, name##_updating, name##_other, first, end, sum);                  \
    }

#endif
