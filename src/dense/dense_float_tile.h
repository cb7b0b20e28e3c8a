/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float_tile.h: the terms of a tile.  Products of some sign patterns, for one or two
 * vectors of lanes, are computed row by row in registers: x = v + t, where v is the row sum of a lane
 * and t that of the sign pattern. */
#ifndef PM_DENSE_FLOAT_TILE_H
#define PM_DENSE_FLOAT_TILE_H

#include "dense/dense_float_problem.h"
#include "dense/dense_float_products.h"

enum { MOST_TERMS = 16, MOST_WIDE = 2 };

/* The number of vectors of lanes that are computed together.  Two vectors share the loads of t, but
 * they need registers for two v: with AVX2 only real numbers leave these. */
PM_BODY int wide(pm_dense_kind kind)
{
    return PM_LANES == 8 || (PM_LANES == 4 && pm_dense_components(kind) > 1) ? 1 : 2;
}

/* The change from the previous tile to this one: the entries of a column, times 2 or -2 (0: the
 * first tile). */
typedef struct {
    const element *column;
    double step;
} flip;

/* The components of a row sum or of a product, for one vector of lanes. */
typedef struct {
    vec part[4];
} number;

/* The position of a pass, and the distance from one row to the next. */
typedef struct {
    element *v;           /* lanes of component 0 of the next row */
    const element *entry; /* of the flipped column, the same row */
    const element *t;     /* patterns of component 0 of this row */
    vec step;
    bool update; /* v += step * entry, once for each lane and tile */
    int components, patterns;
} cursor;

/* Moves to the next row. */
PM_BODY void read_lanes(pm_dense_kind kind, cursor *c, number *sum)
{
#pragma GCC unroll 2
    for (int h = 0; h < wide(kind); ++h)
#pragma GCC unroll 4
        for (int i = 0; i < c->components; ++i) {
            element *at = c->v + LANES * i + PM_ELEMENTS * h;
            vec x = load(at);
            if (c->update) {
                x = plus_exact_product(c->step, splat(c->entry[i]), x);
                store(at, x);
            }
            sum[h].part[i] = x;
        }
    c->v += LANES * c->components;
    c->entry += c->components;
}

PM_BODY vec pattern_sum(const cursor *c, int component, int k)
{
    return splat(c->t[c->patterns * component + k]);
}

/* ---- numbers of each kind ---- */

/* Of components i and i + 1. */
PM_BODY vec_dd dd_row_sum(const cursor *c, const number *v, int i, int k)
{
    vec_dd x;
    vec_fast_two_sum(v->part[i] + pattern_sum(c, i, k),
                     add_by_multiplier(v->part[i + 1], pattern_sum(c, i + 1, k)), &x.h, &x.l);
    return x;
}

/* The row sum of pattern k. */
PM_BODY number row_sum(pm_dense_kind kind, const cursor *c, const number *v, int k)
{
    number x = {0};
    if (pm_dense_is_quad(kind)) {
#pragma GCC unroll 2
        for (int i = 0; i < c->components; i += 2) {
            vec_dd sum = dd_row_sum(c, v, i, k);
            x.part[i] = sum.h, x.part[i + 1] = sum.l;
        }
    } else {
#pragma GCC unroll 2
        for (int i = 0; i < c->components; ++i)
            x.part[i] = v->part[i] + pattern_sum(c, i, k);
    }
    return x;
}

/* Product number k *= x. */
PM_BODY void multiply(pm_dense_kind kind, vec (*p)[MOST_TERMS], int k, number x)
{
    const vec *b = x.part;
    switch (kind) {
    case PM_DENSE_REAL:
    case PM_DENSE_SINGLE: p[0][k] *= b[0]; break;
    case PM_DENSE_COMPLEX:
    case PM_DENSE_COMPLEX_SINGLE: complex_multiply(&p[0][k], &p[1][k], b[0], b[1]); break;
    case PM_DENSE_QUAD: dd_multiply(&p[0][k], &p[1][k], (vec_dd){b[0], b[1]}); break;
    case PM_DENSE_COMPLEX_QUAD:
        complex_dd_multiply(&p[0][k], &p[1][k], &p[2][k], &p[3][k], (vec_dd){b[0], b[1]},
                            (vec_dd){b[2], b[3]});
        break;
    }
}

/* The products of n rows for `count` sign patterns: out[h][component][first + k] for vector h of
 * lanes and pattern k. */
PM_BODY void make_terms(pm_dense_kind kind, int32_t n, cursor c, int count, int first,
                        vec (*out)[4][MOST_TERMS])
{
    number v[MOST_WIDE];
    vec p[MOST_WIDE][4][MOST_TERMS];
    read_lanes(kind, &c, v);
#pragma GCC unroll 16
    for (int k = 0; k < count; ++k)
#pragma GCC unroll 2
        for (int h = 0; h < wide(kind); ++h) {
            number x = row_sum(kind, &c, &v[h], k);
#pragma GCC unroll 4
            for (int i = 0; i < c.components; ++i)
                p[h][i][k] = x.part[i];
        }
    for (int32_t row = 1; row < n; ++row) {
        c.t += c.patterns * c.components;
        read_lanes(kind, &c, v);
#pragma GCC unroll 16
        for (int k = 0; k < count; ++k)
#pragma GCC unroll 2
            for (int h = 0; h < wide(kind); ++h)
                multiply(kind, p[h], k, row_sum(kind, &c, &v[h], k));
    }
#pragma GCC unroll 2
    for (int h = 0; h < wide(kind); ++h)
#pragma GCC unroll 4
        for (int i = 0; i < c.components; ++i)
#pragma GCC unroll 16
            for (int k = 0; k < count; ++k)
                out[h][i][first + k] = p[h][i][k];
}

#endif
