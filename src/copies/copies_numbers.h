/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies/copies_numbers.h: numbers of each kind of copies_problem.h, one by one and in vectors, for the vector unit of
 * core/float_lanes.h. */
#ifndef PM_COPIES_NUMBERS_H
#define PM_COPIES_NUMBERS_H

#include "copies/copies_problem.h"
#include "repeated/repeated_float_terms.h"
#include "repeated/residue_lanes.h"

enum { VECTORS = 4 };

/* Residues are in `re`. */
typedef repeated_number copies_number;

/* ---- one by one ---- */

/* Where component c of a kind is in a pm_copies_number. */
PM_BODY int part_of(int kind, int c)
{
    return kind == PM_DENSE_COMPLEX ? 2 * c : c;
}

/* to += t a; t: an integer below 2^53, residues: 2^50 */
PM_BODY void add_times(const pm_copies *f, pm_copies_number *to, const pm_copies_number *a,
                       double t, int kind)
{
    if (kind == PM_COPIES_RESIDUE) {
        const vec more = residue_product(splat(a->x[0]), splat(t), f->p, f->inverse);
        to->x[0] = residue_reduced(splat(to->x[0]) + more, f->p, f->inverse)[0];
        return;
    }
    const double factor[2] = {t, 0};
    for (int i = 0; i < (pm_dense_is_complex((pm_dense_kind)kind) ? 4 : 2); i += 2) {
        double more[2];
        pm_dd_mul(more, a->x + i, factor);
        pm_dd_add(to->x + i, more);
    }
}

/* ---- vectors ---- */

PM_BODY void set_component(copies_number *x, int kind, int c, vec v)
{
    if (c == 0)
        x->re = v;
    else if (kind == PM_DENSE_COMPLEX || c == 2)
        x->im = v;
    else if (c == 1)
        x->re_low = v;
    else
        x->im_low = v;
}

PM_BODY vec component(const copies_number *x, int kind, int c)
{
    return c == 0                               ? x->re
           : kind == PM_DENSE_COMPLEX || c == 2 ? x->im
           : c == 1                             ? x->re_low
                                                : x->im_low;
}

PM_BODY copies_number splat_number(const pm_copies_number *a, int kind)
{
    copies_number x = {0};
#pragma GCC unroll 4
    for (int c = 0; c < pm_copies_components(kind); ++c)
        set_component(&x, kind, c, splat(a->x[part_of(kind, c)]));
    return x;
}

/* high, low: of a real number that is not negative */
PM_BODY copies_number constant(const double *a, int kind)
{
    copies_number x = {.re = splat(a[0])};
    if (kind == PM_DENSE_QUAD || kind == PM_DENSE_COMPLEX_QUAD)
        x.re_low = splat(a[1]);
    return x;
}

PM_BODY void times(const pm_copies *f, copies_number *a, const copies_number *b, int kind)
{
    if (kind == PM_COPIES_RESIDUE)
        a->re = residue_product(a->re, b->re, f->p, f->inverse);
    else
        multiply(a, b, (pm_dense_kind)kind);
}

/* a *= c, for a real number c */
PM_BODY void times_real(const pm_copies *f, copies_number *a, const double *c, int kind)
{
    const copies_number by = constant(c, kind);
    switch (kind) {
    case PM_DENSE_COMPLEX_QUAD:
        dd_multiply(&a->re, &a->re_low, (vec_dd){by.re, by.re_low});
        dd_multiply(&a->im, &a->im_low, (vec_dd){by.re, by.re_low});
        break;
    case PM_DENSE_COMPLEX:
        a->re *= by.re;
        a->im *= by.re;
        break;
    default: times(f, a, &by, kind);
    }
}

PM_BODY void square(const pm_copies *f, copies_number *a, int kind)
{
    const copies_number x = *a;
    if (kind == PM_DENSE_COMPLEX_QUAD) {
        const vec_dd re = {x.re, x.re_low}, im = {x.im, x.im_low};
        const vec_dd r = dd_difference_of_products(re, re, im, im);
        dd_multiply(&a->im, &a->im_low, (vec_dd){x.re + x.re, x.re_low + x.re_low});
        a->re = r.h;
        a->re_low = r.l;
    } else if (kind == PM_DENSE_COMPLEX) {
        a->re = x.re * x.re - x.im * x.im;
        a->im = (x.re + x.re) * x.im;
    } else {
        times(f, a, &x, kind);
    }
}

PM_BODY void plus_dd(vec *h, vec *l, vec high, vec low)
{
    vec e;
    vec_two_sum(*h, high, h, &e);
    *l = (*l + low) + e;
}

PM_BODY void plus(const pm_copies *f, copies_number *a, const copies_number *b, int kind)
{
    switch (kind) {
    case PM_COPIES_RESIDUE: a->re = residue_reduced(a->re + b->re, f->p, f->inverse); break;
    case PM_DENSE_REAL: a->re += b->re; break;
    case PM_DENSE_COMPLEX:
        a->re += b->re;
        a->im += b->im;
        break;
    case PM_DENSE_COMPLEX_QUAD: plus_dd(&a->im, &a->im_low, b->im, b->im_low); /* fall through */
    case PM_DENSE_QUAD: plus_dd(&a->re, &a->re_low, b->re, b->re_low); break;
    }
}

/* The low parts of double-doubles become at most half a last place of the high ones. */
PM_BODY void normalise(copies_number *x, int kind)
{
    if (kind == PM_DENSE_QUAD || kind == PM_DENSE_COMPLEX_QUAD)
        vec_two_sum(x->re, x->re_low, &x->re, &x->re_low);
    if (kind == PM_DENSE_COMPLEX_QUAD)
        vec_two_sum(x->im, x->im_low, &x->im, &x->im_low);
}

/* |x|, with a relative error below 4 u */
PM_BODY copies_number size_of(const copies_number *x, int kind)
{
    const bool is_complex = kind == PM_DENSE_COMPLEX || kind == PM_DENSE_COMPLEX_QUAD;
    return (copies_number){.re =
                               is_complex ? root(x->re * x->re + x->im * x->im) : magnitude(x->re)};
}

/* ---- tables ---- */

typedef double vec_anywhere __attribute__((vector_size(8 * PM_LANES), may_alias, aligned(8)));

PM_BODY copies_number load_number(const double *t, int64_t stride, int kind)
{
    copies_number x = {0};
#pragma GCC unroll 4
    for (int c = 0; c < pm_copies_components(kind); ++c)
        set_component(&x, kind, c, load(t + c * stride));
    return x;
}

/* t: numbers of a tile, with this stride; from: numbers of the problem */
PM_BODY copies_number sum_at(const pm_copies *f, const double *t, int64_t stride,
                             const double *from, int kind)
{
    copies_number x = load_number(t, stride, kind);
    const copies_number y = load_number(from, f->digits.padded, kind);
    if (kind == PM_COPIES_RESIDUE) {
        x.re += y.re; /* at most about p */
        return x;
    }
    plus(f, &x, &y, kind);
    normalise(&x, kind);
    return x;
}

PM_BODY copies_number shifted_at(const pm_copies *f, const double *from, const copies_number *by,
                                 int kind)
{
    copies_number x = load_number(from, f->digits.padded, kind);
    plus(f, &x, by, kind);
    normalise(&x, kind);
    return x;
}

/* to = from + more, a vector of each component */
PM_BODY void copy_plus(const pm_copies *f, const double *from, double *to, int64_t stride,
                       const copies_number *more, int kind)
{
    copies_number x = load_number(from, stride, kind);
    plus(f, &x, more, kind);
#pragma GCC unroll 4
    for (int c = 0; c < pm_copies_components(kind); ++c)
        *(vec_anywhere *)(to + c * stride) = component(&x, kind, c);
}

#endif
