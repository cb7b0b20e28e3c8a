/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_exact_limbs.h: adds the products of a tile's groups in 64-bit limbs, one term after
 * another. */
#ifndef PM_DENSE_EXACT_LIMBS_H
#define PM_DENSE_EXACT_LIMBS_H

#include "dense/dense_exact_tile.h"
#include "sweep/sum.h"

enum { PATTERN_TERMS = LANES };

/* The LANES values of group g for sign pattern s of 2^flips. */
static inline const int64_t *group_values(const pm_dense_plan *p, const dense_tile *t, int32_t g,
                                          int s)
{
    const pm_dense_group *group = &p->group[g];
    return (const int64_t *)&t->group[g][4 * (s >> (p->flips - (group->flips - group->fold)))];
}

static inline void add_limbs(uint64_t *limb, int limbs, unsigned __int128 low, uint64_t high)
{
    unsigned __int128 carry = (unsigned __int128)limb[0] + (uint64_t)low;
    limb[0] = (uint64_t)carry;
    for (int i = 1; i < limbs; ++i) {
        carry = (carry >> 64) + limb[i] + (i == 1 ? (uint64_t)(low >> 64) : high);
        limb[i] = (uint64_t)carry;
    }
}

/* Adds part, of `count` limbs, to limb, or subtracts it. */
static inline void add_part(uint64_t *limb, int limbs, const uint64_t *part, int count, bool minus)
{
    uint64_t flip = minus ? UINT64_MAX : 0;
    unsigned __int128 carry = minus;
    for (int i = 0; i < limbs; ++i) {
        carry += (unsigned __int128)limb[i] + ((i < count ? part[i] : 0) ^ flip);
        limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* Sums of LANES numbers below 2^63 stay within 69 bits. */
static DENSE_TARGET void add_single(const int64_t *a, uint64_t *limb, int limbs)
{
    __int128 sum = 0;
    for (int i = 0; i < PATTERN_TERMS; ++i)
        sum += a[i];
    add_limbs(limb, limbs, (unsigned __int128)sum, sum < 0 ? UINT64_MAX : 0);
}

/* Products of two groups are below 2^124 (groups are at most 2^62) and LANES of them are added: the
 * sum has a low part of 64 bits and a high part. */
static DENSE_TARGET void add_pairs(const int64_t *a, const int64_t *b, uint64_t *limb, int limbs)
{
    unsigned __int128 low = 0;
    __int128 high = 0;
    for (int i = 0; i < PATTERN_TERMS; ++i) {
        __int128 product = (__int128)a[i] * b[i];
        low += (uint64_t)product;
        high += (int64_t)(product >> 64);
    }
    high += (__int128)(low >> 64);
    add_limbs(limb, limbs, (unsigned __int128)high << 64 | (uint64_t)low,
              (uint64_t)((unsigned __int128)high >> 64));
}

/* Adds products modulo 2^128, where the sum has at most two limbs. */
static DENSE_TARGET void add_wrapped(const int64_t *const *factor, int count, uint64_t *limb,
                                     int limbs)
{
    unsigned __int128 sum = 0;
    for (int i = 0; i < PATTERN_TERMS; ++i) {
        unsigned __int128 product = (unsigned __int128)((__int128)factor[0][i] * factor[1][i]);
        for (int k = 2; k < count; ++k)
            product *= (unsigned __int128)(__int128)factor[k][i];
        sum += product;
    }
    add_limbs(limb, limbs, sum, 0);
}

/* Adds positive and negative terms separately, as magnitudes.  A product has one limb for each
 * factor; its top limb uses at most 62 bits, so that LANES products can be added. */
DENSE_INLINE void add_magnitudes(const int64_t *const *factor, int count, pm_sum *sum, int limbs)
{
    uint64_t total[2][6] = {{0}};
    for (int i = 0; i < PATTERN_TERMS; ++i) {
        uint64_t P[6];
        int64_t signs = 0;
#pragma GCC unroll 6
        for (int k = 0; k < count; ++k) {
            int64_t f = factor[k][i];
            uint64_t m = f < 0 ? 0 - (uint64_t)f : (uint64_t)f;
            unsigned __int128 carry = 0;
            signs ^= f;
#pragma GCC unroll 6
            for (int l = 0; l < k; ++l) {
                carry = (carry >> 64) + (unsigned __int128)P[l] * m;
                P[l] = (uint64_t)carry;
            }
            P[k] = k ? (uint64_t)(carry >> 64) : m;
        }
        uint64_t *to = total[signs < 0];
        unsigned __int128 carry = 0;
#pragma GCC unroll 6
        for (int l = 0; l < count; ++l) {
            carry = (carry >> 64) + to[l] + P[l];
            to[l] = (uint64_t)carry;
        }
    }
    add_part(sum->limb, limbs, total[0], count, false);
    add_part(sum->limb, limbs, total[1], count, true);
}

static DENSE_TARGET void add_one_by_one(const int64_t *const *factor, int count, pm_sum *sum,
                                        int limbs)
{
    int64_t f[PM_DENSE_GROUPS];
    for (int i = 0; i < PATTERN_TERMS; ++i) {
        for (int k = 0; k < count; ++k)
            f[k] = factor[k][i];
        pm_sum_add_product(sum, limbs, f, count, 0);
    }
}

static DENSE_TARGET void add_many(const int64_t *const *factor, int count, pm_sum *sum, int limbs)
{
    switch (count) {
    case 3: add_magnitudes(factor, 3, sum, limbs); break;
    case 4: add_magnitudes(factor, 4, sum, limbs); break;
    case 5: add_magnitudes(factor, 5, sum, limbs); break;
    case 6: add_magnitudes(factor, 6, sum, limbs); break;
    default: add_one_by_one(factor, count, sum, limbs); break;
    }
}

static DENSE_TARGET void add_tile_limbs(const pm_dense_plan *p, const dense_tile *t, void *context)
{
    pm_sum *sum = context;
    const int64_t *factor[PM_DENSE_GROUPS];
    for (int s = 0; s < 1 << p->flips; ++s) {
        for (int32_t g = 0; g < p->ngroups; ++g)
            factor[g] = group_values(p, t, g, s);
        if (p->ngroups == 1)
            add_single(factor[0], sum->limb, p->limbs);
        else if (p->ngroups == 2)
            add_pairs(factor[0], factor[1], sum->limb, p->limbs);
        else if (p->limbs <= 2)
            add_wrapped(factor, p->ngroups, sum->limb, p->limbs);
        else
            add_many(factor, p->ngroups, sum, p->limbs);
    }
}

#endif
