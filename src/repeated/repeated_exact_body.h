/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_exact_body.h: the range function of repeated_exact_problem.h for one vector
 * unit.  The includer defines PM_LANES: 8 (AVX-512), 4 (AVX2 with FMA) or 2 (any machine).
 */
#ifndef PM_REPEATED_EXACT_BODY_H
#define PM_REPEATED_EXACT_BODY_H

#include <string.h>

#include "repeated/repeated_exact_problem.h"
#include "repeated/residue_lanes.h"

enum { MOST_VECTORS = 8, LANES = PM_REPEATED_LANES };

PM_BODY vec multiply_residues(const pm_repeated_exact *f, vec a, vec b)
{
    return residue_product(a, b, f->p, f->inverse);
}

/* ---- terms ---- */

typedef struct {
    vec slice[PM_REPEATED_BITS][MOST_VECTORS];
    uint32_t begun; /* the slices that are set */
} residue_slices;

PM_BODY void add_group(const pm_repeated_exact *f, residue_slices *s, int32_t times, const vec *p,
                       int count)
{
    for (uint32_t bits = (uint32_t)times; bits; bits &= bits - 1) {
        int b = __builtin_ctz(bits);
        vec *slice = s->slice[b];
#pragma GCC unroll 8
        for (int k = 0; k < count; ++k)
            slice[k] = s->begun >> b & 1 ? multiply_residues(f, slice[k], p[k]) : p[k];
        s->begun |= UINT32_C(1) << b;
    }
}

PM_BODY void join_slices(const pm_repeated_exact *f, const residue_slices *s, vec *out, int count)
{
    int top = f->powers.top;
#pragma GCC unroll 8
    for (int k = 0; k < count; ++k)
        out[k] = s->slice[top][k];
    for (int b = top - 1; b >= 0; --b) {
        bool is_begun = s->begun >> b & 1;
#pragma GCC unroll 8
        for (int k = 0; k < count; ++k) {
            out[k] = multiply_residues(f, out[k], out[k]);
            if (is_begun)
                out[k] = multiply_residues(f, out[k], s->slice[b][k]);
        }
    }
}

/* p: the product of the rows from i on that make one chunk.  Returns the row after them. */
PM_BODY int32_t multiply_chunk(const pm_repeated_exact *f, const double *v, int64_t first,
                               int32_t i, int count, vec *p)
{
    int64_t padded = f->digits.padded;
    const double *t = f->table + i * padded + first;
#pragma GCC unroll 8
    for (int k = 0; k < count; ++k)
        p[k] = splat(v[i]) + load(t + PM_LANES * k);
    while (!f->ends_chunk[i++]) {
        t += padded;
#pragma GCC unroll 8
        for (int k = 0; k < count; ++k)
            p[k] *= splat(v[i]) + load(t + PM_LANES * k);
    }
    return i;
}

/* Adds the weighted terms of `count` vectors of patterns to the lanes' sums: for an integer t, |t| <
 * 2^51, the low bits of MAGIC + t are t. */
PM_BODY void add_terms(const pm_repeated_exact *f, const double *v, int64_t first, int count,
                       words *sum)
{
    const pm_repeated_powers *w = &f->powers;
    residue_slices s;
    vec p[MOST_VECTORS], chunk[MOST_VECTORS];
    s.begun = 0;
    int32_t i = 0;
    for (int32_t g = 0; g < w->groups; ++g) {
        i = multiply_chunk(f, v, first, i, count, p);
        while (i < w->end[g]) {
            i = multiply_chunk(f, v, first, i, count, chunk);
#pragma GCC unroll 8
            for (int k = 0; k < count; ++k)
                p[k] = multiply_residues(f, p[k], chunk[k]);
        }
        add_group(f, &s, w->times[g], p, count);
    }
    join_slices(f, &s, p, count);
#pragma GCC unroll 8
    for (int k = 0; k < count; ++k) {
        vec x = multiply_residues(f, p[k], load(f->weight + first + PM_LANES * k));
        *sum += (words)(x + MAGIC) - (words)splat(MAGIC);
    }
}

/* ---- tiles ---- */

/* The sum of all terms of a tile without its weight, as an integer below 2^61. */
PM_BODY int64_t tile_sum(const pm_repeated_exact *f, const double *v)
{
    words sum = {0};
    int64_t at = 0, left = f->digits.padded / PM_LANES, total = 0;
    for (; left >= 4; left -= 4, at += 4 * PM_LANES)
        add_terms(f, v, at, 4, &sum);
    for (; left >= 1; left -= 1, at += PM_LANES)
        add_terms(f, v, at, 1, &sum);
    for (int lane = 0; lane < PM_LANES; ++lane)
        total += (int64_t)sum[lane];
    return total;
}

/* a b modulo the prime; a, b below it.  The quotient is off by at most 1. */
PM_BODY uint64_t scalar_product(const pm_repeated_exact *f, uint64_t a, uint64_t b)
{
    uint64_t q = (uint64_t)((double)a * (double)b * f->inverse);
    int64_t r = (int64_t)(a * b - q * f->prime);
    if (r < 0)
        r += (int64_t)f->prime;
    return (uint64_t)r >= f->prime ? (uint64_t)r - f->prime : (uint64_t)r;
}

typedef struct {
    pm_repeated_walk at;
    uint64_t weight[PM_SQUARE_MAX + 1]; /* products of the weights of the outer digits from j on */
} residue_outer;

PM_BODY void update_weights(const pm_repeated_exact *f, int32_t j, residue_outer *o)
{
    for (; j >= 0; --j)
        o->weight[j] = scalar_product(
            f, f->digit_weight[f->first[f->digits.inner + j] + o->at.k[j]], o->weight[j + 1]);
}

/* v -= step * entry, and modulo p where the row has residues; |step| is at most 1. */
PM_BODY void change_sums(const pm_repeated_exact *f, int32_t digit, double step, double *v)
{
    const double *entry = f->entry + (int64_t)f->powers.rows * digit;
    for (int32_t i = 0; i < f->powers.rows; ++i) {
        double x = v[i] - step * entry[i], most = f->is_residue[i] ? f->p / 2 : INFINITY;
        v[i] = x > most ? x - f->p : x < -most ? x + f->p : x;
    }
}

PM_BODY void set_up(const pm_repeated_exact *f, uint64_t tile, residue_outer *o, double *v)
{
    int32_t digits = f->digits.count - f->digits.inner;
    pm_repeated_walk_at(&f->digits, tile, &o->at);
    o->weight[digits] = 1;
    update_weights(f, digits - 1, o);
    memcpy(v, f->start, (size_t)f->powers.rows * sizeof *v);
    for (int32_t j = 0; j < digits; ++j)
        for (int32_t k = 0; k < o->at.k[j]; ++k)
            change_sums(f, j, 1, v);
}

PM_BODY void run_range(const void *problem, uint64_t first, uint64_t end, pm_sum *sum)
{
    const pm_repeated_exact *f = problem;
    double v[PM_SQUARE_MAX];
    residue_outer o;
    set_up(f, first, &o, v);
    for (uint64_t t = first; t < end; ++t) {
        if (t > first) {
            int32_t j = pm_repeated_walk_next(&f->digits, &o.at);
            change_sums(f, j, o.at.step[j], v);
            update_weights(f, j, &o);
        }
        int64_t r = tile_sum(f, v) % (int64_t)f->prime;
        uint64_t residue = r < 0 ? (uint64_t)(r + (int64_t)f->prime) : (uint64_t)r;
        __int128 weighted = scalar_product(f, residue, o.weight[0]);
        pm_sum_add_residue(sum, 0, pm_repeated_tile_weight(&f->digits, t) * weighted, f->prime);
    }
}

#define PM_REPEATED_EXACT_RANGE(name)                                                              \
    PM_BODY_TARGET void name(const void *problem, uint64_t first, uint64_t end, pm_sum *sum)       \
    {                                                                                              \
        run_range(problem, first, end, sum);                                                       \
    }

#endif
