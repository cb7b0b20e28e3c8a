/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies/copies_body.h: the range functions of copies_problem.h for one vector unit.  The includer defines PM_LANES: 8
 * (AVX-512), 4 (AVX2 with FMA) or 2 (any machine).  Each lane adds its patterns in ascending order, whatever the number of lanes of a
 * vector. */
#ifndef PM_COPIES_BODY_H
#define PM_COPIES_BODY_H

#include <string.h>

#include "copies/copies_numbers.h"

typedef struct {
    _Alignas(64) double absolute[LANES], spread[LANES];
    lane_total part[2]; /* re, im; residues: integers in the first one's `high` */
} copies_total;

typedef struct {
    const pm_copies *f;
    copies_number own_linear; /* l of the outer digits */
    /* q of the outer digits and between outer and inner ones, of each pattern: [components][ROOM] */
    double *mixed;
    copies_total *total;
} copies_tile;

/* A block of patterns may be written a vector too far. */
enum { ROOM = PM_REPEATED_PATTERNS_MAX + LANES };

/* ---- terms ---- */

/* q^half */
PM_BODY void power(const pm_copies *f, const copies_number *q, int count, int kind,
                   copies_number *out)
{
    const uint32_t exponent = (uint32_t)f->half;
#pragma GCC unroll 4
    for (int k = 0; k < count; ++k)
        out[k] = q[k];
    for (int bit = 30 - __builtin_clz(exponent); bit >= 0; --bit) {
#pragma GCC unroll 4
        for (int k = 0; k < count; ++k)
            square(f, &out[k], kind);
        if (exponent >> bit & 1)
#pragma GCC unroll 4
            for (int k = 0; k < count; ++k)
                times(f, &out[k], &q[k], kind);
    }
}

/* The sum over r of c_r q^r (l^2)^(half - r), times l if N is odd. */
PM_BODY void horner(const pm_copies *f, const copies_number *q, const copies_number *l, int count,
                    int kind, copies_number *out)
{
    copies_number ll[VECTORS], step[VECTORS]; /* l^2; its powers */
#pragma GCC unroll 4
    for (int k = 0; k < count; ++k) {
        out[k] = constant(f->coefficient + 2 * f->half, kind);
        step[k] = l[k];
        square(f, &step[k], kind);
        ll[k] = step[k];
    }
    for (int32_t r = f->half - 1; r >= 0; --r)
#pragma GCC unroll 4
        for (int k = 0; k < count; ++k) {
            copies_number more = step[k];
            times_real(f, &more, f->coefficient + 2 * r, kind);
            times(f, &out[k], &q[k], kind);
            plus(f, &out[k], &more, kind);
            times(f, &step[k], &ll[k], kind);
        }
    if (f->is_odd)
#pragma GCC unroll 4
        for (int k = 0; k < count; ++k)
            times(f, &out[k], &l[k], kind);
}

/* ---- adding terms ---- */

PM_BODY void add_part(const copies_tile *w, int64_t at, vec high, vec low, int kind,
                      lane_total *total)
{
    const int lane = (int)(at % LANES);
    const double *weight = w->f->weight + at;
    const vec one = splat(1);
    double *absolute = w->total->absolute + lane;
    if (kind >= PM_DENSE_QUAD) {
        dd_multiply(&high, &low, (vec_dd){load(weight), load(weight + w->f->digits.padded)});
        add_dd(total, lane, one, (vec_dd){high, low});
    } else {
        high *= load(weight);
        add_double(total, lane, one, high);
    }
    if (!w->f->has_loops)
        store(absolute, load(absolute) + magnitude(high));
}

PM_BODY void add_residue(const copies_tile *w, int64_t at, vec x)
{
    double *high = w->total->part[0].high + at % LANES;
    const vec y = residue_product(x, load(w->f->weight + at), w->f->p, w->f->inverse);
    store(high, (vec)((words)load(high) + ((words)(y + MAGIC) - (words)splat(MAGIC))));
}

/* The sums over the magnitudes of q and l, from which the errors are known: each has a relative error of at most 2^-41 for all N that are
 * taken; twice that is added to the difference. */
PM_BODY void add_magnitudes(const copies_tile *w, int64_t at, const copies_number *q,
                            const copies_number *l, int kind)
{
    const int lane = (int)(at % LANES);
    const vec weight = magnitude(load(w->f->weight + at));
    double *absolute = w->total->absolute + lane, *spread = w->total->spread + lane;
    copies_number low, high, x = size_of(q, kind), y = size_of(l, kind);
    horner(w->f, &x, &y, 1, PM_DENSE_REAL, &low);
    x.re += splat(w->f->raised_q);
    y.re += splat(w->f->raised_l);
    horner(w->f, &x, &y, 1, PM_DENSE_REAL, &high);
    store(absolute, load(absolute) + low.re * weight);
    store(spread, load(spread) + ((high.re - low.re) + high.re * splat(0x1p-40)) * weight);
}

PM_BODY void run_vectors(const copies_tile *w, int64_t first, int count, int kind, bool has_loops)
{
    const pm_copies *f = w->f;
    copies_number q[VECTORS], l[VECTORS], x[VECTORS];
#pragma GCC unroll 4
    for (int k = 0; k < count; ++k) {
        const int64_t at = first + (int64_t)PM_LANES * k;
        q[k] = sum_at(f, w->mixed + at, ROOM, f->quadratic + at, kind);
        if (has_loops)
            l[k] = shifted_at(f, f->linear + at, &w->own_linear, kind);
    }
    if (has_loops)
        horner(f, q, l, count, kind, x);
    else
        power(f, q, count, kind, x);
#pragma GCC unroll 4
    for (int k = 0; k < count; ++k) {
        const int64_t at = first + (int64_t)PM_LANES * k;
        if (kind == PM_COPIES_RESIDUE) {
            add_residue(w, at, x[k].re);
            continue;
        }
        add_part(w, at, x[k].re, x[k].re_low, kind, &w->total->part[0]);
        if (pm_dense_is_complex((pm_dense_kind)kind))
            add_part(w, at, x[k].im, x[k].im_low, kind, &w->total->part[1]);
        if (has_loops)
            add_magnitudes(w, at, &q[k], &l[k], kind);
    }
}

/* ---- tiles ---- */

/* The numbers that are the same for all patterns of a tile. */
typedef struct {
    pm_copies_number
        form[PM_SQUARE_MAX]; /* of each inner digit: the sum of a_ij h_j over the outer ones */
    pm_copies_number quadratic, linear; /* q and l of the outer digits */
} copies_outer;

PM_BODY void set_outer(const pm_copies *f, const pm_repeated_walk *at, int kind, bool has_loops,
                       copies_outer *o)
{
    const int32_t n = f->digits.count, inner = f->digits.inner;
    double h[PM_SQUARE_MAX];
    for (int32_t j = inner; j < n; ++j)
        h[j] = f->digits.digit[j].times - 2. * at->k[j - inner];
    o->quadratic = o->linear = (pm_copies_number){{0}};
    for (int32_t i = 0; i < n; ++i) {
        pm_copies_number form = {{0}};
        for (int32_t j = inner; j < n; ++j)
            add_times(f, &form, &f->edge[(int64_t)i * n + j], h[j], kind);
        if (i < inner)
            o->form[i] = form;
        else
            add_times(f, &o->quadratic, &form, h[i], kind);
        if (i >= inner && has_loops)
            add_times(f, &o->linear, &f->loop[i], h[i], kind);
    }
}

/* t: [components][ROOM].  One digit after another: the patterns of the first digits are known when the next one is added. */
PM_BODY void fill_mixed(const pm_copies *f, const copies_outer *o, int kind, double *t)
{
    pm_copies_number start = o->quadratic;
    int64_t known = 1;
    for (int32_t j = 0; j < f->digits.inner; ++j)
        add_times(f, &start, &o->form[j], 2. * f->digits.digit[j].times, kind);
    for (int c = 0; c < pm_copies_components(kind); ++c)
        t[c * ROOM] = start.x[part_of(kind, c)];
    for (int32_t j = 0; j < f->digits.inner; ++j) {
        for (int64_t k = 1; k < f->digits.digit[j].radix; ++k) {
            pm_copies_number step = {{0}};
            add_times(f, &step, &o->form[j], -4. * (double)k, kind);
            const copies_number more = splat_number(&step, kind);
            for (int64_t at = 0; at < known; at += PM_LANES)
                copy_plus(f, t + at, t + known * k + at, ROOM, &more, kind);
        }
        known *= f->digits.digit[j].radix;
    }
}

/* A vector function is a separate function, so that other code does not use its registers. */
typedef void copies_vectors(const copies_tile *w, int64_t first);

PM_BODY void run_tile(const copies_tile *w, copies_vectors *some, copies_vectors *one)
{
    int64_t at = 0, left = w->f->digits.padded / PM_LANES;
    for (; left >= VECTORS; left -= VECTORS, at += (int64_t)PM_LANES * VECTORS)
        some(w, at);
    for (; left > 0; --left, at += PM_LANES)
        one(w, at);
}

/* ---- sums of tiles ---- */

/* Products of the weights of the outer digits. */
PM_BODY void tile_weight(const pm_copies *f, const pm_repeated_walk *at, uint64_t tile, int kind,
                         double *out)
{
    out[0] = pm_repeated_tile_weight(&f->digits, tile);
    out[1] = 0;
    for (int32_t j = f->digits.inner; j < f->digits.count; ++j) {
        const double *w = f->digit_weight[f->first[j] + at->k[j - f->digits.inner]];
        if (kind == PM_COPIES_RESIDUE)
            out[0] = residue_product(splat(out[0]), splat(w[0]), f->p, f->inverse)[0];
        else
            pm_dd_mul(out, out, w);
    }
}

PM_BODY void add_residues(const pm_copies *f, const copies_total *total, const double *weight,
                          pm_sum *sum)
{
    const int64_t p = (int64_t)f->p;
    int64_t all = 0;
    for (int lane = 0; lane < LANES; ++lane) {
        int64_t x;
        memcpy(&x, &total->part[0].high[lane], sizeof x);
        all += x % p;
    }
    const vec x = residue_product(splat((double)(all % p)), splat(weight[0]), f->p, f->inverse);
    pm_sum_add_residue(sum, 0, (__int128)x[0], (uint64_t)p);
}

PM_BODY void add_floats(const pm_copies *f, const copies_total *total, const double *weight,
                        pm_sum *sum)
{
    double *part[2] = {sum->re, sum->im}, absolute = 0, spread = 0;
    for (int i = 0; i < 2; ++i) {
        double x[2] = {0, 0};
        add_lanes(x, &total->part[i], false);
        pm_dd_mul(x, x, weight);
        pm_dd_add(part[i], x);
    }
    for (int lane = 0; lane < LANES; ++lane) {
        absolute += total->absolute[lane];
        spread += total->spread[lane];
    }
    sum->absolute += absolute * fabs(weight[0]);
    if (f->has_loops)
        sum->spread += spread * fabs(weight[0]) / f->scale;
}

PM_BODY void run_range(const void *problem, int kind, bool has_loops, copies_vectors *some,
                       copies_vectors *one, uint64_t first, uint64_t end, pm_sum *sum)
{
    const pm_copies *f = problem;
    _Alignas(64) double mixed[4 * ROOM] = {0};
    pm_repeated_walk at;
    copies_outer o;
    copies_total total;
    copies_tile w = {.f = f, .mixed = mixed, .total = &total};
    double weight[2];
    pm_repeated_walk_at(&f->digits, first, &at);
    for (uint64_t t = first; t < end; ++t) {
        if (t > first)
            pm_repeated_walk_next(&f->digits, &at);
        memset(&total, 0, sizeof total);
        set_outer(f, &at, kind, has_loops, &o);
        fill_mixed(f, &o, kind, mixed);
        if (has_loops)
            w.own_linear = splat_number(&o.linear, kind);
        run_tile(&w, some, one);
        tile_weight(f, &at, t, kind, weight);
        if (kind == PM_COPIES_RESIDUE)
            add_residues(f, &total, weight, sum);
        else
            add_floats(f, &total, weight, sum);
    }
}

#define PM_COPIES_VECTORS(name, kind, loops, count)                                                \
    __attribute__((noinline)) PM_BODY_TARGET static void name(const copies_tile *w, int64_t first) \
    {                                                                                              \
        run_vectors(w, first, count, kind, loops);                                                 \
    }

#define PM_COPIES_RANGE(name, kind, loops)                                                         \
    PM_COPIES_VECTORS(name##_some, kind, loops, VECTORS)                                           \
    PM_COPIES_VECTORS(name##_one, kind, loops, 1)                                                  \
    PM_BODY_TARGET static void name(const void *problem, uint64_t first, uint64_t end,             \
                                    pm_sum *sum)                                                   \
    {                                                                                              \
        run_range(problem, kind, loops, name##_some, name##_one, first, end, sum);                 \
    }

#define PM_COPIES_KIND(name, kind)                                                                 \
    PM_COPIES_RANGE(name, kind, false)                                                             \
    PM_COPIES_RANGE(name##_loops, kind, true)

PM_COPIES_KIND(real, PM_DENSE_REAL)
PM_COPIES_KIND(complex_range, PM_DENSE_COMPLEX)
PM_COPIES_KIND(quad, PM_DENSE_QUAD)
PM_COPIES_KIND(complex_quad, PM_DENSE_COMPLEX_QUAD)
PM_COPIES_KIND(residue, PM_COPIES_RESIDUE)

#define PM_COPIES_TABLE(name)                                                                      \
    const pm_copies_ranges name = {{real, real_loops},                                             \
                                   {complex_range, complex_range_loops},                           \
                                   {quad, quad_loops},                                             \
                                   {complex_quad, complex_quad_loops},                             \
                                   {residue, residue_loops}}

#endif
