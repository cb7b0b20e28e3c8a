/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_float_body.h: the range functions of repeated_float_problem.h for one vector
 * unit of core/lanes.h: those in double and double-double, or where PM_IN_SINGLE is defined those in single precision.
 * Each lane adds its patterns in ascending order, whatever the number of lanes of a vector. */
#ifndef PM_REPEATED_FLOAT_BODY_H
#define PM_REPEATED_FLOAT_BODY_H

#include <string.h>

#include "repeated/repeated_float_terms.h"

_Static_assert((int)PM_REPEATED_LANES * sizeof(double) == (int)LANES * sizeof(element),
               "tables have whole vectors");

typedef struct {
    _Alignas(64) element absolute[LANES]; /* |re| + |im| */
    lane_total part[2];
} repeated_total;

typedef struct {
    const pm_repeated_float *f;
    element *v;       /* [rows][components]: sums over the outer columns */
    double weight[2]; /* of the tile */
    repeated_total *total;
} repeated_tile;

/* ---- adding terms ---- */

/* Adds a part (re or im) of the terms, times their weights, and its size. */
PM_BODY void add_part(const repeated_tile *w, int64_t at, vec high, vec low, pm_dense_kind kind,
                      lane_total *total)
{
    int lane = (int)(at % LANES);
    const element *weight = (const element *)w->f->weight + at;
    const element *weight_low = weight + w->f->digits.padded;
    element *absolute = w->total->absolute + lane;
    vec one = splat(1);
    if (pm_dense_is_quad(kind)) {
        vec h = load(weight), l = load(weight_low);
        dd_multiply(&h, &l, (vec_dd){splat(w->weight[0]), splat(w->weight[1])});
        dd_multiply(&high, &low, (vec_dd){h, l});
        add_dd(total, lane, one, (vec_dd){high, low});
    } else {
        high *= load(weight) * splat(w->weight[0]);
        if (w->f->precision == PM_DQ)
            add_dd(total, lane, one, (vec_dd){high, splat(0)});
        else if (w->f->precision == PM_DOUBLE)
            add_double(total, lane, one, high);
        else
            add_compensated(total, lane, one, high);
    }
    store(absolute, load(absolute) + magnitude(high));
}

PM_BODY void run_vectors(const repeated_tile *w, int64_t first, int count, pm_dense_kind kind)
{
    repeated_number x[MOST_VECTORS];
    products(w->f, w->v, first, count, kind, SUMS, x);
    for (int k = 0; k < count; ++k) {
        int64_t at = first + PM_ELEMENTS * k;
        add_part(w, at, x[k].re, x[k].re_low, kind, &w->total->part[0]);
        if (pm_dense_is_complex(kind))
            add_part(w, at, x[k].im, x[k].im_low, kind, &w->total->part[1]);
    }
}

/* A vector function is a separate function, so that other code does not use its registers. */
typedef void repeated_vectors(const repeated_tile *w, int64_t first);

/* The vectors of a pass: as many as the registers hold, then half of them, and so on. */
PM_BODY int pass_vectors(pm_dense_kind kind)
{
    int most = pm_dense_components(kind) == 1 ? 8 : 4;
    return PM_ELEMENTS == LANES ? most : most / 2;
}

PM_BODY void run_tile(const repeated_tile *w, pm_dense_kind kind, repeated_vectors *const *of)
{
    int64_t at = 0, left = w->f->digits.padded / PM_ELEMENTS;
    for (int level = 0, count = pass_vectors(kind); count > 0; ++level, count /= 2)
        for (; left >= count; left -= count, at += (int64_t)PM_ELEMENTS * count)
            of[level](w, at);
}

/* ---- the spread (sweep/sweep.h) ---- */

/* What is added to a difference of products, relative to the larger one.  In double each product has a relative
 * error of at most 2^-41; twice that is added.  In single precision, with u = 2^-24, the products of N moduli and of
 * raised moduli have errors of 3 N u and 5 N u; the difference, its weight and the sum of at most 64 of
 * them in a lane have 70 u. */
PM_BODY vec spread_rounding(const pm_repeated_float *f, pm_dense_kind kind)
{
    return splat(pm_dense_is_single(kind) ? (8 * f->rows + 96) * 0x1p-24 : 0x1p-40);
}

PM_BODY void add_spread(const repeated_tile *w, int64_t first, int count, pm_dense_kind kind,
                        element *part)
{
    repeated_number low[MOST_VECTORS], high[MOST_VECTORS];
    products(w->f, w->v, first, count, kind, MAGNITUDES, low);
    products(w->f, w->v, first, count, kind, RAISED, high);
#pragma GCC unroll 8
    for (int k = 0; k < count; ++k) {
        int64_t at = first + PM_ELEMENTS * k;
        element *to = part + at % LANES;
        vec more = (high[k].re - low[k].re) + high[k].re * spread_rounding(w->f, kind);
        store(to, load(to) + more * magnitude(load((const element *)w->f->weight + at)));
    }
}

PM_BODY double tile_spread(const repeated_tile *w, pm_dense_kind kind)
{
    enum { TOGETHER = 4 };
    _Alignas(64) element part[LANES] = {0};
    int64_t at = 0, left = w->f->digits.padded / PM_ELEMENTS;
    for (; left >= TOGETHER; left -= TOGETHER, at += (int64_t)PM_ELEMENTS * TOGETHER)
        add_spread(w, at, TOGETHER, kind, part);
    for (; left > 0; --left, at += PM_ELEMENTS)
        add_spread(w, at, 1, kind, part);
    double total = 0;
    for (int lane = 0; lane < LANES; ++lane)
        total += part[lane];
    return total * fabs(w->weight[0]);
}

/* A bijection of 64-bit words: the finalizer of SplitMix64. */
PM_BODY bool is_in_sample(const pm_repeated_float *f, uint64_t tile)
{
    uint64_t z = tile + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((z ^ z >> 31) & (f->sample - 1)) == 0;
}

/* ---- a range ---- */

PM_BODY void add_block(repeated_total *total, pm_sum *sum)
{
    add_lanes(sum->re, &total->part[0], false);
    add_lanes(sum->im, &total->part[1], false);
    for (int lane = 0; lane < LANES; ++lane)
        sum->absolute += total->absolute[lane];
    memset(total, 0, sizeof *total);
}

/* The walk over tiles, with products of the weights of the outer digits from j on. */
typedef struct {
    pm_repeated_walk at;
    double weight[PM_SQUARE_MAX + 1][2];
} float_outer;

/* Products of the weights from digit j down to 0. */
PM_BODY void update_weights(const pm_repeated_float *f, int32_t j, float_outer *o)
{
    for (; j >= 0; --j)
        pm_dd_mul(o->weight[j], f->digit_weight[f->first[f->digits.inner + j] + o->at.k[j]],
                  o->weight[j + 1]);
}

PM_BODY void set_up(const pm_repeated_float *f, pm_dense_kind kind, uint64_t tile, float_outer *o,
                    element *v)
{
    const element *start = (const element *)f->start, *entry = (const element *)f->entry;
    int32_t digits = f->digits.count - f->digits.inner;
    int32_t numbers = f->powers.rows * pm_dense_components(kind);
    pm_repeated_walk_at(&f->digits, tile, &o->at);
    o->weight[digits][0] = 1;
    o->weight[digits][1] = 0;
    update_weights(f, digits - 1, o);
    memcpy(v, start, (size_t)numbers * sizeof *v);
    for (int32_t j = 0; j < digits; ++j)
        for (int32_t i = 0; i < numbers; ++i)
            v[i] -= (element)o->at.k[j] * entry[(int64_t)numbers * j + i];
}

PM_BODY void move(const pm_repeated_float *f, pm_dense_kind kind, float_outer *o, element *v)
{
    int32_t numbers = f->powers.rows * pm_dense_components(kind);
    int32_t j = pm_repeated_walk_next(&f->digits, &o->at);
    const element *entry = (const element *)f->entry + (int64_t)numbers * j;
    element step = (element)o->at.step[j];
    for (int32_t i = 0; i < numbers; ++i)
        v[i] -= step * entry[i];
    update_weights(f, j, o);
}

PM_BODY void run_range(const void *problem, pm_dense_kind kind, repeated_vectors *const *of,
                       uint64_t first, uint64_t end, pm_sum *sum)
{
    const pm_repeated_float *f = problem;
    element v[PM_SQUARE_MAX * 4];
    double spread = 0;
    repeated_total total = {0};
    float_outer o;
    repeated_tile w = {.f = f, .v = v, .total = &total};
    set_up(f, kind, first, &o, v);
    for (uint64_t t = first; t < end; ++t) {
        if (t > first)
            move(f, kind, &o, v);
        for (int i = 0; i < 2; ++i)
            w.weight[i] = pm_repeated_tile_weight(&f->digits, t) * o.weight[0][i];
        run_tile(&w, kind, of);
        if (f->has_spread && is_in_sample(f, t))
            spread += tile_spread(&w, kind);
        if ((t + 1) % PM_REPEATED_BLOCK == 0)
            add_block(&total, sum);
    }
    add_block(&total, sum);
    if (f->has_spread)
        sum->spread += spread * ((double)f->sample / f->scale);
}

#define PM_REPEATED_VECTORS(name, kind, part)                                                      \
    __attribute__((noinline))                                                                      \
    PM_BODY_TARGET static void name##_##part(const repeated_tile *w, int64_t first)                \
    {                                                                                              \
        if (pass_vectors(kind) / part > 0)                                                         \
            run_vectors(w, first, pass_vectors(kind) / part, kind);                                \
    }

#define PM_REPEATED_RANGE(name, kind)                                                              \
    PM_REPEATED_VECTORS(name, kind, 1)                                                             \
    PM_REPEATED_VECTORS(name, kind, 2)                                                             \
    PM_REPEATED_VECTORS(name, kind, 4)                                                             \
    PM_REPEATED_VECTORS(name, kind, 8)                                                             \
    static repeated_vectors *const name##_of[] = {name##_1, name##_2, name##_4, name##_8};         \
    PM_BODY_TARGET static void name(const void *problem, uint64_t first, uint64_t end,             \
                                    pm_sum *sum)                                                   \
    {                                                                                              \
        run_range(problem, kind, name##_of, first, end, sum);                                      \
    }

#endif
