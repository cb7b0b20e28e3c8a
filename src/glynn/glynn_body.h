/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glynn/glynn_body.h: the kernels of glynn_kernel.h for the vector unit of core/lanes.h. */
#ifndef PM_GLYNN_BODY_H
#define PM_GLYNN_BODY_H

#include "core/float_lanes.h"
#include "glynn/glynn_kernel.h"

enum {
    LANES = PM_GLYNN_LANES,
    PATTERNS = PM_GLYNN_PATTERNS,
    NUMBERS = 4 * PM_GLYNN_MAX,
    /* patterns whose products are in registers together */
    WIDE = PATTERNS,
    NARROW = PM_LANES == LANES ? PATTERNS : PATTERNS / 2
};

/* Row sums, changed from tile to tile, and what the patterns add to them. */
typedef struct {
    vec lanes[NUMBERS];                /* [row][part]: the sign +1 in columns 3 .. 5 */
    double pattern[NUMBERS][PATTERNS]; /* [row][part] */
} row_sums;

/* ---- row sums ---- */

/* +1 or -1 in each lane: the sign of column j, 0 .. 2. */
PM_BODY vec lane_signs(int lane, int j)
{
    vec s;
    for (int l = 0; l < PM_LANES; ++l)
        s[l] = (lane + l) >> j & 1 ? -1 : 1;
    return s;
}

PM_BODY void set_lanes(const pm_glynn *g, int lane, vec *sum)
{
    int n = g->n, numbers = n * g->parts;
    const vec s0 = lane_signs(lane, 0), s1 = lane_signs(lane, 1), s2 = lane_signs(lane, 2);
    const double *a = g->entry, *b = a + numbers, *c = b + numbers;
    double rest[NUMBERS];
    for (int i = 0; i < numbers; ++i)
        rest[i] = c[numbers + i];
    for (int j = 4; j < n; ++j)
        for (int i = 0; i < numbers; ++i)
            rest[i] += g->entry[numbers * j + i];
    for (int i = 0; i < numbers; ++i)
        sum[i] = splat(rest[i]) + (s0 * splat(a[i]) + s1 * splat(b[i]) + s2 * splat(c[i]));
}

PM_BODY void set_patterns(const pm_glynn *g, double (*out)[PATTERNS])
{
    int numbers = g->n * g->parts;
    if (g->n == PM_GLYNN_FEW) {
        for (int i = 0; i < numbers; ++i)
            out[i][0] = 0;
        return;
    }
    const double *a = g->entry + PM_GLYNN_LANE_BITS * numbers, *b = a + numbers, *c = b + numbers;
    for (int i = 0; i < numbers; ++i) {
        double x = -2 * a[i], y = -2 * b[i], z = -2 * c[i], *t = out[i];
        t[0] = 0, t[1] = x, t[2] = y, t[3] = x + y;
        for (int k = 0; k < 4; ++k)
            t[4 + k] = t[k] + z;
    }
}

/* How many there are. */
PM_BODY uint32_t tiles(const pm_glynn *g)
{
    return g->n == PM_GLYNN_FEW ? 1 : UINT32_C(1) << (g->n - 1 - PM_GLYNN_TILE_BITS);
}

/* From tile t - 1 to tile t: the lowest 1 bit of t is the column that changes its sign. */
PM_BODY void flip_column(const pm_glynn *g, uint32_t t, vec *sum)
{
    int numbers = g->n * g->parts, bit = __builtin_ctz(t);
    const double *a = g->entry + (PM_GLYNN_TILE_BITS + bit) * numbers;
    const vec by = splat((t ^ t >> 1) >> bit & 1 ? -2 : 2);
    for (int i = 0; i < numbers; ++i)
        sum[i] += by * splat(a[i]);
}

/* Number i, rounded once where it has a low part. */
PM_BODY vec row_sum(const row_sums *s, int i, int k, int parts)
{
    vec sum = s->lanes[i] + splat(s->pattern[i][k]);
    if (parts == 2)
        sum += s->lanes[i + 1] + splat(s->pattern[i + 1][k]);
    return sum;
}

/* ---- sums of terms ---- */

/* The sum of q[0 .. count - 1], where q[k] has the sign (-1)^(number of 1 bits of k). */
PM_BODY vec signed_sum(const vec *p, int count)
{
    vec q[2 * PATTERNS];
#pragma GCC unroll 8
    for (int k = 0; k < count; ++k)
        q[k] = p[k];
#pragma GCC unroll 8
    for (int k = 0; k < count - 1; ++k)
        q[count + k] = q[2 * k] - q[2 * k + 1];
    return q[2 * count - 2];
}

PM_BODY vec absolute_sum(const vec *p, int count)
{
    vec q[2 * PATTERNS];
#pragma GCC unroll 8
    for (int k = 0; k < count; ++k)
        q[k] = magnitude(p[k]);
#pragma GCC unroll 8
    for (int k = 0; k < count - 1; ++k)
        q[count + k] = q[2 * k] + q[2 * k + 1];
    return q[2 * count - 2];
}

/* high + low += x; the low parts are added without error or nearly so. */
PM_BODY void add_compensated(vec *high, vec *low, vec x)
{
    vec error;
    vec_two_sum(*high, x, high, &error);
    *low += error;
}

/* The sign of a tile and of the patterns from `first` on, 0 or 4. */
PM_BODY vec sign_of(uint32_t tile, int first)
{
    return splat((tile ^ (uint32_t)first >> 2) & 1 ? -1 : 1);
}

PM_BODY void store_lanes(double (*out)[2], int lane, vec high, vec low)
{
    for (int l = 0; l < PM_LANES; ++l) {
        out[lane + l][0] = high[l];
        out[lane + l][1] = low[l];
    }
}

/* ---- kernels ----
 *
 * parts: doubles of a real number, 1 or 2; wide: patterns at once.  Constants where the functions are used. */

PM_BODY void real_lanes(const pm_glynn *g, int parts, int wide, int lane, row_sums *s,
                        vec *absolute, pm_glynn_sum *out)
{
    int n = g->n;
    vec high = {0}, low = {0};
    set_lanes(g, lane, s->lanes);
    for (uint32_t t = 0; t < tiles(g); ++t) {
        vec p[WIDE];
        if (t)
            flip_column(g, t, s->lanes);
#pragma GCC unroll 8
        for (int k = 0; k < wide; ++k)
            p[k] = row_sum(s, 0, k, parts);
        for (int i = 1; i < n; ++i)
#pragma GCC unroll 8
            for (int k = 0; k < wide; ++k)
                p[k] *= row_sum(s, i * parts, k, parts);
        add_compensated(&high, &low, sign_of(t, 0) * signed_sum(p, wide));
        *absolute += absolute_sum(p, wide);
    }
    store_lanes(out->re, lane, high, low);
}

PM_BODY void complex_terms(const row_sums *s, int n, int parts, int wide, int first, vec *re,
                           vec *im)
{
#pragma GCC unroll 8
    for (int k = 0; k < wide; ++k) {
        re[k] = row_sum(s, 0, first + k, parts);
        im[k] = row_sum(s, parts, first + k, parts);
    }
    for (int i = 1; i < n; ++i)
#pragma GCC unroll 8
        for (int k = 0; k < wide; ++k) {
            vec x = row_sum(s, 2 * parts * i, first + k, parts);
            vec y = row_sum(s, 2 * parts * i + parts, first + k, parts);
            vec r = re[k] * x - im[k] * y;
            im[k] = re[k] * y + im[k] * x;
            re[k] = r;
        }
}

PM_BODY void complex_lanes(const pm_glynn *g, int parts, int wide, int lane, row_sums *s,
                           vec *absolute, pm_glynn_sum *out)
{
    const int n = g->n, patterns = wide == 1 ? 1 : PATTERNS, unit = wide == 1 ? 1 : PATTERNS / 2;
    vec high[2] = {0}, low[2] = {0};
    set_lanes(g, lane, s->lanes);
    for (uint32_t t = 0; t < tiles(g); ++t) {
        if (t)
            flip_column(g, t, s->lanes);
        for (int first = 0; first < patterns; first += wide) {
            vec re[NARROW], im[NARROW];
            complex_terms(s, n, parts, wide, first, re, im);
#pragma GCC unroll 2
            for (int k = 0; k < wide; k += unit) {
                vec sign = sign_of(t, first + k);
                add_compensated(&high[0], &low[0], sign * signed_sum(re + k, unit));
                add_compensated(&high[1], &low[1], sign * signed_sum(im + k, unit));
                *absolute += absolute_sum(re + k, unit) + absolute_sum(im + k, unit);
            }
        }
    }
    store_lanes(out->re, lane, high[0], low[0]);
    store_lanes(out->im, lane, high[1], low[1]);
}

PM_BODY void run_real(const pm_glynn *g, int parts, pm_glynn_sum *out)
{
    row_sums s;
    out->absolute = 0;
    set_patterns(g, s.pattern);
    for (int lane = 0; lane < LANES; lane += PM_LANES) {
        vec absolute = {0};
        if (g->n == PM_GLYNN_FEW)
            real_lanes(g, parts, 1, lane, &s, &absolute, out);
        else
            real_lanes(g, parts, WIDE, lane, &s, &absolute, out);
        for (int l = 0; l < PM_LANES; ++l)
            out->absolute += absolute[l];
    }
}

PM_BODY void run_complex(const pm_glynn *g, int parts, pm_glynn_sum *out)
{
    row_sums s;
    out->absolute = 0;
    set_patterns(g, s.pattern);
    for (int lane = 0; lane < LANES; lane += PM_LANES) {
        vec absolute = {0};
        if (g->n == PM_GLYNN_FEW)
            complex_lanes(g, parts, 1, lane, &s, &absolute, out);
        else
            complex_lanes(g, parts, NARROW, lane, &s, &absolute, out);
        for (int l = 0; l < PM_LANES; ++l)
            out->absolute += absolute[l];
    }
}

/* ---- products by groups of rows ---- */

PM_BODY void products(const row_sums *s, int begin, int end, int wide, int first, vec *p)
{
#pragma GCC unroll 8
    for (int k = 0; k < wide; ++k)
        p[k] = row_sum(s, begin, first + k, 1);
    for (int i = begin + 1; i < end; ++i)
#pragma GCC unroll 8
        for (int k = 0; k < wide; ++k)
            p[k] *= row_sum(s, i, first + k, 1);
}

/* |low| < 2^126 */
PM_BODY void add_wide(pm_glynn_wide *total, __int128 high, __int128 low)
{
    total->high +=
        high + (low >> 64) + __builtin_add_overflow(total->low, (uint64_t)low, &total->low);
}

/* Adds the terms of `wide` patterns.  sign: of the lanes and of the tile. */
PM_BODY void add_grouped_terms(const pm_glynn *g, const row_sums *s, int wide, int first, vec sign,
                               pm_glynn_wide *total)
{
    vec p[NARROW], q[NARROW], r[NARROW] = {0};
    __int128 high = 0, low = 0; /* of at most 64 terms of 2^95 and 2^117 */
    products(s, 0, g->group_end[0], wide, first, p);
    products(s, g->group_end[0], g->group_end[1], wide, first, q);
    bool is_triple = g->groups == PM_GLYNN_GROUPS;
    if (is_triple)
        products(s, g->group_end[1], g->group_end[2], wide, first, r);
    for (int k = 0; k < wide; ++k) {
        vec a = p[k] * (__builtin_parity((unsigned)(first + k)) ? -sign : sign);
        for (int l = 0; l < PM_LANES; ++l) {
            __int128 x = (__int128)(int64_t)a[l] * (int64_t)q[k][l];
            if (is_triple) {
                int64_t c = (int64_t)r[k][l];
                high += (__int128)(int64_t)(x >> 64) * c;
                low += (__int128)(uint64_t)x * c;
            } else {
                low += x;
            }
        }
    }
    add_wide(total, high, low);
}

PM_BODY pm_glynn_wide run_grouped(const pm_glynn *g)
{
    row_sums s;
    pm_glynn_wide total = {0, 0};
    set_patterns(g, s.pattern);
    for (int lane = 0; lane < LANES; lane += PM_LANES) {
        const vec signs = lane_signs(lane, 0) * lane_signs(lane, 1) * lane_signs(lane, 2);
        set_lanes(g, lane, s.lanes);
        for (uint32_t t = 0; t < tiles(g); ++t) {
            if (t)
                flip_column(g, t, s.lanes);
            if (g->n == PM_GLYNN_FEW)
                add_grouped_terms(g, &s, 1, 0, signs, &total);
            else
                for (int first = 0; first < PATTERNS; first += NARROW)
                    add_grouped_terms(g, &s, NARROW, first, t & 1 ? -signs : signs, &total);
        }
    }
    return total;
}

#define PM_GLYNN_KERNELS(name)                                                                     \
    PM_BODY_TARGET static void real(const pm_glynn *g, pm_glynn_sum *out)                          \
    {                                                                                              \
        run_real(g, 1, out);                                                                       \
    }                                                                                              \
    PM_BODY_TARGET static void real_exact(const pm_glynn *g, pm_glynn_sum *out)                    \
    {                                                                                              \
        run_real(g, 2, out);                                                                       \
    }                                                                                              \
    PM_BODY_TARGET static void complex_one(const pm_glynn *g, pm_glynn_sum *out)                   \
    {                                                                                              \
        run_complex(g, 1, out);                                                                    \
    }                                                                                              \
    PM_BODY_TARGET static void complex_exact(const pm_glynn *g, pm_glynn_sum *out)                 \
    {                                                                                              \
        run_complex(g, 2, out);                                                                    \
    }                                                                                              \
    PM_BODY_TARGET static pm_glynn_wide grouped(const pm_glynn *g)                                 \
    {                                                                                              \
        return run_grouped(g);                                                                     \
    }                                                                                              \
    const pm_glynn_kernels name = {real, real_exact, complex_one, complex_exact, grouped}

#endif
