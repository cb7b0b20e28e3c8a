/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_float_body.h: the range functions of repeated_float_problem.h for one vector
 * unit.  The includer defines PM_LANES: 8 (AVX-512), 4 (AVX2 with FMA) or 2 (any machine).
 * Each lane adds its patterns in ascending order, whatever the number of lanes of a vector. */
#ifndef PM_REPEATED_FLOAT_BODY_H
#define PM_REPEATED_FLOAT_BODY_H

#include <string.h>

#include "repeated/repeated_float_terms.h"

_Static_assert((int)PM_REPEATED_LANES == (int)LANES, "tables have whole vectors");

typedef struct {
    _Alignas(64) double absolute[LANES]; /* |re| + |im| */
    lane_total part[2];
} repeated_total;

typedef struct {
    const pm_repeated_float *f;
    double *v;        /* [rows][components]: sums over the outer columns */
    double weight[2]; /* of the tile */
    repeated_total *total;
} repeated_tile;

/* ---- adding terms ---- */

/* Adds a part (re or im) of the terms, times their weights, and its size. */
PM_BODY void add_part(const repeated_tile *w, int64_t at, vec high, vec low, pm_dense_kind kind,
                      lane_total *total)
{
    int lane = (int)(at % LANES);
    const double *weight = w->f->weight + at, *weight_low = weight + w->f->digits.padded;
    double *absolute = w->total->absolute + lane;
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
        int64_t at = first + PM_LANES * k;
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
    int most = kind == PM_DENSE_REAL ? 8 : 4;
    return PM_LANES == LANES ? most : most / 2;
}

PM_BODY void run_tile(const repeated_tile *w, pm_dense_kind kind, repeated_vectors *const *of)
{
    int64_t at = 0, left = w->f->digits.padded / PM_LANES;
    for (int level = 0, count = pass_vectors(kind); count > 0; ++level, count /= 2)
        for (; left >= count; left -= count, at += (int64_t)PM_LANES * count)
            of[level](w, at);
}

/* ---- the spread (sweep/sweep.h) ---- */

/* Each product has a relative error of at most 2^-41; twice that is added to the difference. */
PM_BODY void add_spread(const repeated_tile *w, int64_t first, int count, pm_dense_kind kind,
                        double *part)
{
    repeated_number low[MOST_VECTORS], high[MOST_VECTORS];
    products(w->f, w->v, first, count, kind, MAGNITUDES, low);
    products(w->f, w->v, first, count, kind, RAISED, high);
#pragma GCC unroll 8
    for (int k = 0; k < count; ++k) {
        int64_t at = first + PM_LANES * k;
        double *to = part + at % LANES;
        vec more = (high[k].re - low[k].re) + high[k].re * splat(0x1p-40);
        store(to, load(to) + more * magnitude(load(w->f->weight + at)));
    }
}

PM_BODY double tile_spread(const repeated_tile *w, pm_dense_kind kind)
{
    enum { TOGETHER = 4 };
    _Alignas(64) double part[LANES] = {0};
    int64_t at = 0, left = w->f->digits.padded / PM_LANES;
    for (; left >= TOGETHER; left -= TOGETHER, at += (int64_t)PM_LANES * TOGETHER)
        add_spread(w, at, TOGETHER, kind, part);
    for (; left > 0; --left, at += PM_LANES)
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
                    double *v)
{
    int32_t digits = f->digits.count - f->digits.inner;
    int32_t numbers = f->powers.rows * pm_dense_components(kind);
    pm_repeated_walk_at(&f->digits, tile, &o->at);
    o->weight[digits][0] = 1;
    o->weight[digits][1] = 0;
    update_weights(f, digits - 1, o);
    memcpy(v, f->start, (size_t)numbers * sizeof *v);
    for (int32_t j = 0; j < digits; ++j)
        for (int32_t i = 0; i < numbers; ++i)
            v[i] -= o->at.k[j] * f->entry[(int64_t)numbers * j + i];
}

PM_BODY void move(const pm_repeated_float *f, pm_dense_kind kind, float_outer *o, double *v)
{
    int32_t numbers = f->powers.rows * pm_dense_components(kind);
    int32_t j = pm_repeated_walk_next(&f->digits, &o->at);
    const double *entry = f->entry + (int64_t)numbers * j;
    double step = o->at.step[j];
    for (int32_t i = 0; i < numbers; ++i)
        v[i] -= step * entry[i];
    update_weights(f, j, o);
}

PM_BODY void run_range(const void *problem, pm_dense_kind kind, repeated_vectors *const *of,
                       uint64_t first, uint64_t end, pm_sum *sum)
{
    const pm_repeated_float *f = problem;
    double v[PM_SQUARE_MAX * 4], spread = 0;
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
