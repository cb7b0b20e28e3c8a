/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float_tile.h: the terms of a tile.  A pass computes the products of some sign
 * patterns for PM_LANES lanes, row by row, in registers: x = v + t, where v is the row sum of a
 * lane and t that of the sign pattern.  The sums v are updated one row ahead, so that no row waits
 * for its own update. */
#ifndef PM_DENSE_FLOAT_TILE_H
#define PM_DENSE_FLOAT_TILE_H

#include "dense/dense_float_lanes.h"
#include "dense/dense_float_problem.h"

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

PM_BODY void complex_multiply(vec *re, vec *im, vec x, vec y)
{
    vec r = *re * x - *im * y;
    *im = *re * y + *im * x;
    *re = r;
}

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

/* ---- double-double ----
 *
 * A row sum is high + low exactly, both fixed point; for the product it is normalised to |low| <= u
 * |high|. Products are compensated (Ogita, Rump and Oishi 2005, section 2): the low part collects
 * all first-order errors and is never moved to the high part. */

typedef struct {
    vec h, l;
} vec_dd;

/* The lanes' sums v and pattern k: components i and i + 1. */
PM_BODY vec_dd dd_row_sum(const cursor *c, const vec *v, int i, int k)
{
    vec_dd x;
    vec_fast_two_sum(v[i] + pattern_sum(c, i, k),
                     add_by_multiplier(v[i + 1], pattern_sum(c, i + 1, k)), &x.h, &x.l);
    return x;
}

PM_BODY void dd_multiply(vec *h, vec *l, vec_dd x)
{
    vec p = *h * x.h;
    vec e = add_by_multiplier(product_error(*h, x.h, p), *h * x.l);
    *l = *l * x.h + e;
    *h = p;
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

/* One part of a complex product: a x - b y. */
PM_BODY vec_dd dd_difference_of_products(vec_dd a, vec_dd x, vec_dd b, vec_dd y)
{
    vec p = a.h * x.h, q = b.h * y.h;
    vec e = product_error(a.h, x.h, p), f = product_error(b.h, y.h, q);
    vec_dd r;
    vec_two_sum(p, -q, &r.h, &r.l);
    vec from_x = a.h * x.l - b.h * y.l, from_p = a.l * x.h - b.l * y.h;
    r.l = add_by_multiplier(add_by_multiplier(e - f, r.l), add_by_multiplier(from_x, from_p));
    return r;
}

PM_BODY void complex_dd_multiply(vec *h, vec *l, vec *ih, vec *il, vec_dd x, vec_dd y)
{
    vec_dd re = {*h, *l}, im = {*ih, *il}, minus_y = {-y.h, -y.l};
    vec_dd r = dd_difference_of_products(re, x, im, y);
    vec_dd i = dd_difference_of_products(im, x, re, minus_y);
    *h = r.h, *l = r.l, *ih = i.h, *il = i.l;
}

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
