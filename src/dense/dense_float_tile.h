/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float_tile.h: the terms of a tile.  A pass computes the products of some sign
 * patterns for PM_LANES lanes, row by row, in registers: x = v + t, where v is the row sum of a
 * lane and t that of the sign pattern.  The sums v are updated one row ahead, so that no row waits
 * for its own update. */
#ifndef PM_DENSE_FLOAT_TILE_H
#define PM_DENSE_FLOAT_TILE_H

#include "dense/dense_float_problem.h"
#include "dense/dense_float_products.h"

/* The change from the previous tile to this one: the entries of a column, times 2 or -2 (0: the
 * first tile). */
typedef struct {
    const double *column;
    double step;
} flip;

/* The position of a pass, and the distance from one row to the next. */
typedef struct {
    double *v;           /* lanes of component 0 of the next row */
    const double *entry; /* of the flipped column, the same row */
    const double *t;     /* patterns of component 0 of this row */
    vec step;
    bool update; /* v += step * entry, once for each lane and tile */
    int components, patterns;
} cursor;

/* Moves to the next row. */
PM_BODY void read_lanes(cursor *c, vec *sum)
{
#pragma GCC unroll 4
    for (int i = 0; i < c->components; ++i) {
        double *at = c->v + PM_DENSE_LANES * i;
        sum[i] = load(at);
        if (c->update) {
            sum[i] = plus_exact_product(c->step, splat(c->entry[i]), sum[i]);
            store(at, sum[i]);
        }
    }
    c->v += PM_DENSE_LANES * c->components;
    c->entry += c->components;
}

PM_BODY vec pattern_sum(const cursor *c, int component, int k)
{
    return splat(c->t[c->patterns * component + k]);
}

PM_BODY void next_row(cursor *c, vec *v, const vec *ahead)
{
    c->t += c->patterns * c->components;
#pragma GCC unroll 4
    for (int i = 0; i < c->components; ++i)
        v[i] = ahead[i];
}

/* ---- real ---- */

PM_BODY void real_terms(int32_t n, cursor c, int count, vec *p)
{
    vec v[1], ahead[1];
    read_lanes(&c, v);
    read_lanes(&c, ahead);
#pragma GCC unroll 16
    for (int k = 0; k < count; ++k)
        p[k] = v[0] + pattern_sum(&c, 0, k);
    for (int32_t i = 1; i < n; ++i) {
        next_row(&c, v, ahead);
        read_lanes(&c, ahead);
#pragma GCC unroll 16
        for (int k = 0; k < count; ++k)
            p[k] *= v[0] + pattern_sum(&c, 0, k);
    }
}

/* ---- complex ---- */

PM_BODY void complex_terms(int32_t n, cursor c, int count, vec *re, vec *im)
{
    vec v[2], ahead[2];
    read_lanes(&c, v);
    read_lanes(&c, ahead);
#pragma GCC unroll 16
    for (int k = 0; k < count; ++k) {
        re[k] = v[0] + pattern_sum(&c, 0, k);
        im[k] = v[1] + pattern_sum(&c, 1, k);
    }
    for (int32_t i = 1; i < n; ++i) {
        next_row(&c, v, ahead);
        read_lanes(&c, ahead);
#pragma GCC unroll 16
        for (int k = 0; k < count; ++k)
            complex_multiply(&re[k], &im[k], v[0] + pattern_sum(&c, 0, k),
                             v[1] + pattern_sum(&c, 1, k));
    }
}

/* ---- double-double ---- */

/* The lanes' sums v and pattern k: components i and i + 1. */
PM_BODY vec_dd dd_row_sum(const cursor *c, const vec *v, int i, int k)
{
    vec_dd x;
    vec_fast_two_sum(v[i] + pattern_sum(c, i, k),
                     add_by_multiplier(v[i + 1], pattern_sum(c, i + 1, k)), &x.h, &x.l);
    return x;
}

PM_BODY void quad_terms(int32_t n, cursor c, int count, vec *h, vec *l)
{
    vec v[2], ahead[2];
    read_lanes(&c, v);
    read_lanes(&c, ahead);
#pragma GCC unroll 16
    for (int k = 0; k < count; ++k) {
        vec_dd x = dd_row_sum(&c, v, 0, k);
        h[k] = x.h, l[k] = x.l;
    }
    for (int32_t i = 1; i < n; ++i) {
        next_row(&c, v, ahead);
        read_lanes(&c, ahead);
#pragma GCC unroll 16
        for (int k = 0; k < count; ++k)
            dd_multiply(&h[k], &l[k], dd_row_sum(&c, v, 0, k));
    }
}

/* ---- complex double-double ---- */

PM_BODY void complex_quad_terms(int32_t n, cursor c, int count, vec *h, vec *l, vec *ih, vec *il)
{
    vec v[4], ahead[4];
    read_lanes(&c, v);
    read_lanes(&c, ahead);
#pragma GCC unroll 16
    for (int k = 0; k < count; ++k) {
        vec_dd x = dd_row_sum(&c, v, 0, k), y = dd_row_sum(&c, v, 2, k);
        h[k] = x.h, l[k] = x.l, ih[k] = y.h, il[k] = y.l;
    }
    for (int32_t i = 1; i < n; ++i) {
        next_row(&c, v, ahead);
        read_lanes(&c, ahead);
#pragma GCC unroll 16
        for (int k = 0; k < count; ++k)
            complex_dd_multiply(&h[k], &l[k], &ih[k], &il[k], dd_row_sum(&c, v, 0, k),
                                dd_row_sum(&c, v, 2, k));
    }
}

#endif
