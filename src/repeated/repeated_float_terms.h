/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_float_terms.h: the terms of some vectors of patterns, without their weights, for
 * the vector unit of core/float_lanes.h. */
#ifndef PM_REPEATED_FLOAT_TERMS_H
#define PM_REPEATED_FLOAT_TERMS_H

#include "dense/dense_float_totals.h"
#include "repeated/repeated_float_problem.h"

/* A vector of numbers; the parts that the kind does not have are not used. */
typedef struct {
    vec re, re_low, im, im_low;
} repeated_number;

/* What is multiplied: row sums, their magnitudes, or those plus S e_i (sweep/sweep.h). */
enum factors { SUMS, MAGNITUDES, RAISED };

enum { MOST_VECTORS = 8 };

PM_BODY void multiply(repeated_number *a, const repeated_number *b, pm_dense_kind kind)
{
    switch (kind) {
    case PM_DENSE_REAL:
    case PM_DENSE_SINGLE: a->re *= b->re; break;
    case PM_DENSE_COMPLEX:
    case PM_DENSE_COMPLEX_SINGLE: complex_multiply(&a->re, &a->im, b->re, b->im); break;
    case PM_DENSE_QUAD: dd_multiply(&a->re, &a->re_low, (vec_dd){b->re, b->re_low}); break;
    case PM_DENSE_COMPLEX_QUAD:
        complex_dd_multiply(&a->re, &a->re_low, &a->im, &a->im_low, (vec_dd){b->re, b->re_low},
                            (vec_dd){b->im, b->im_low});
        break;
    }
}

/* v: of the row; t: vectors of its component 0, `padded` numbers before those of the next
 * component. */
PM_BODY repeated_number row_sum(const element *v, const element *t, int64_t padded,
                                pm_dense_kind kind)
{
    repeated_number x = {0};
    vec part[4];
#pragma GCC unroll 4
    for (int c = 0; c < pm_dense_components(kind); ++c)
        part[c] = splat(v[c]) + load(t + padded * c);
    if (pm_dense_components(kind) == 1) {
        x.re = part[0];
    } else if (!pm_dense_is_quad(kind)) {
        x.re = part[0], x.im = part[1];
    } else {
        vec_fast_two_sum(part[0], part[1], &x.re, &x.re_low);
        if (kind == PM_DENSE_COMPLEX_QUAD)
            vec_fast_two_sum(part[2], part[3], &x.im, &x.im_low);
    }
    return x;
}

PM_BODY repeated_number factor(const pm_repeated_float *f, int32_t i, const element *v,
                               const element *t, pm_dense_kind kind, enum factors what)
{
    int components = pm_dense_components(kind);
    int64_t padded = f->digits.padded;
    repeated_number x = row_sum(v + i * components, t + i * components * padded, padded, kind);
    if (what == SUMS)
        return x;
    repeated_number m = {.re = pm_dense_is_complex(kind) ? root(x.re * x.re + x.im * x.im)
                                                         : magnitude(x.re)};
    if (what == RAISED)
        m.re += splat(f->raised[i]);
    return m;
}

/* The slices (repeated_powers.h). */
typedef struct {
    repeated_number slice[PM_REPEATED_SLICES][MOST_VECTORS];
    uint32_t begun; /* the slices that are set */
} float_slices;

PM_BODY void add_group(float_slices *s, int32_t times, const repeated_number *p, int count,
                       pm_dense_kind kind)
{
    for (uint32_t bits = (uint32_t)times; bits; bits &= bits - 1) {
        int b = __builtin_ctz(bits);
        repeated_number *slice = s->slice[b];
#pragma GCC unroll 8
        for (int k = 0; k < count; ++k)
            if (s->begun >> b & 1)
                multiply(&slice[k], &p[k], kind);
            else
                slice[k] = p[k];
        s->begun |= UINT32_C(1) << b;
    }
}

PM_BODY void join_slices(const float_slices *s, int top, repeated_number *out, int count,
                         pm_dense_kind kind)
{
#pragma GCC unroll 8
    for (int k = 0; k < count; ++k)
        out[k] = s->slice[top][k];
    for (int b = top - 1; b >= 0; --b) {
        bool is_begun = s->begun >> b & 1;
#pragma GCC unroll 8
        for (int k = 0; k < count; ++k) {
            repeated_number same = out[k];
            multiply(&out[k], &same, kind);
            if (is_begun)
                multiply(&out[k], &s->slice[b][k], kind);
        }
    }
}

/* The products of all factors, for `count` vectors of patterns from `first` on.  v: the row sums of
 * the tile over the outer columns. */
PM_BODY void products(const pm_repeated_float *f, const element *v, int64_t first, int count,
                      pm_dense_kind kind, enum factors what, repeated_number *out)
{
    const pm_repeated_powers *w = &f->powers;
    const element *table = (const element *)f->table + first;
    pm_dense_kind product = what == SUMS ? kind : PM_DENSE_REAL;
    float_slices s; /* large, so only what is used is set */
    repeated_number p[MOST_VECTORS];
    s.begun = 0;
    int32_t i = 0;
    for (int32_t g = 0; g < w->groups; ++g) {
#pragma GCC unroll 8
        for (int k = 0; k < count; ++k)
            p[k] = factor(f, i, v, table + PM_ELEMENTS * k, kind, what);
        for (++i; i < w->end[g]; ++i) {
#pragma GCC unroll 8
            for (int k = 0; k < count; ++k) {
                repeated_number x = factor(f, i, v, table + PM_ELEMENTS * k, kind, what);
                multiply(&p[k], &x, product);
            }
        }
        add_group(&s, w->times[g], p, count, product);
    }
    join_slices(&s, w->top, out, count, product);
}

#endif
