/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_exact_ifma.h: adds the products of a tile's groups with 52-bit multiply-add
 * instructions, eight terms at once.
 *
 * Of the groups f_1 .. f_G of a term all but the last are multiplied as magnitudes, in limbs of 52
 * bits, to a product P >= 0.  Let s be the product of their signs, B a power of two and F = s f_G +
 * B >= 0.  Then
 *
 *   f_1 .. f_G = P F - B P.
 *
 * So the inner loop only adds: the products of limbs, below 2^52 each, go to 64-bit accumulators,
 * the limbs of P to other accumulators; the latter are subtracted when all are emptied into the
 * sum.  Narrow groups are one limb: below 2^52, the last one below 2^51, and B = 2^51.  Two groups
 * (one may be the constant 1) may be wide, up to 2^62: two limbs, B = 2^62.
 *
 * Narrow groups are multiplied in pairs first: the two limbs of such a product need no carries, and
 * the pairs do not wait for each other.  P is then multiplied by a pair at a time.
 *
 * Limit: G (G - 1) multiply-adds for eight terms, and about as many other instructions.
 *
 * Overflow: a step adds at most four numbers below 2^52 to an accumulator; limbs of P before their
 * carries are sums of at most four such numbers.  So 2^10 steps stay below 2^64. */
#ifndef PM_DENSE_EXACT_IFMA_H
#define PM_DENSE_EXACT_IFMA_H

#include "core/isa.h"

#if PM_HAVE_X86

#define DENSE_BYTES  64
#define DENSE_TARGET PM_TARGET_AVX512IFMA

#include "dense/dense_exact_tile.h"
#include "sweep/sum.h"

enum { LIMBS = PM_DENSE_GROUPS, LIMB = 52, STEPS = 1 << 10 };

typedef struct {
    pm_sum *sum;
    int steps;            /* since the accumulators were emptied */
    int width[2];         /* limbs of the only two groups, the last one second; else 1 */
    int32_t order[LIMBS]; /* of the groups */
    vec64 one[4];
    vec64 product[LIMBS + 1], biased[LIMBS];
} ifma_sum;

#define IFMA_INLINE static inline __attribute__((always_inline)) PM_TARGET_AVX512IFMA

IFMA_INLINE vec64 add_low(vec64 sum, vec64 a, vec64 b)
{
    return (vec64)_mm512_madd52lo_epu64((__m512i)sum, (__m512i)a, (__m512i)b);
}

IFMA_INLINE vec64 add_high(vec64 sum, vec64 a, vec64 b)
{
    return (vec64)_mm512_madd52hi_epu64((__m512i)sum, (__m512i)a, (__m512i)b);
}

/* sum += P F.  P: an array of limbs; F: a number of `width` limbs.  The instructions use the low 52
 * bits of their operands. */
IFMA_INLINE void add_product(vec64 *sum, const vec64 *P, int limbs, vec64 F, int width)
{
    for (int w = 0; w < width; ++w, F >>= LIMB) {
        sum[w] = add_low(sum[w], P[0], F);
#pragma GCC unroll 24
        for (int k = 1; k < limbs; ++k)
            sum[k + w] = add_high(add_low(sum[k + w], P[k], F), P[k - 1], F);
        sum[limbs + w] = add_high(sum[limbs + w], P[limbs - 1], F);
    }
}

IFMA_INLINE vec64 product_low(vec64 a, vec64 b)
{
    return add_low((vec64){0}, a, b);
}

IFMA_INLINE vec64 product_high(vec64 a, vec64 b)
{
    return add_high((vec64){0}, a, b);
}

/* P *= Q, where P has `limbs` limbs, at least one, and Q has two.  Limbs of P, from number 1 on, may
 * exceed 52 bits until `carry` is called. */
IFMA_INLINE void multiply_by_pair(vec64 *P, int limbs, const vec64 *Q)
{
    vec64 R[LIMBS + 1];
    R[0] = product_low(P[0], Q[0]);
#pragma GCC unroll 24
    for (int k = 1; k <= limbs; ++k) {
        R[k] = add_low(product_high(P[k - 1], Q[0]), P[k - 1], Q[1]);
        if (k < limbs)
            R[k] = add_low(R[k], P[k], Q[0]);
        if (k > 1)
            R[k] = add_high(R[k], P[k - 2], Q[1]);
    }
    R[limbs + 1] = product_high(P[limbs - 1], Q[1]);
#pragma GCC unroll 24
    for (int k = 0; k < limbs + 2; ++k)
        P[k] = R[k];
}

IFMA_INLINE void carry(vec64 *P, int limbs)
{
#pragma GCC unroll 24
    for (int k = 2; k < limbs; ++k)
        P[k] += P[k - 1] >> LIMB;
}

IFMA_INLINE vec64 magnitude(vec64 f)
{
    return (vec64)_mm512_abs_epi64((__m512i)f);
}

/* f with the sign of f * signs, plus bias */
IFMA_INLINE vec64 signed_and_biased(vec64 f, vec64 signs, uint64_t bias)
{
    __mmask8 minus = _mm512_movepi64_mask((__m512i)signs);
    __m512i b = _mm512_set1_epi64((int64_t)bias);
    __m512i sum = _mm512_add_epi64(b, (__m512i)f);
    return (vec64)_mm512_mask_sub_epi64(sum, minus, b, (__m512i)f);
}

/* The vectors of group number k in the order of multiplication, for sign pattern s. */
IFMA_INLINE const vec64 *group_at(const pm_dense_plan *p, const dense_tile *t, const ifma_sum *a,
                                  int k, int s)
{
    const pm_dense_group *g = &p->group[a->order[k]];
    return &t->group[a->order[k]][4 * (s >> (p->flips - (g->flips - g->fold)))];
}

/* a and b: four vectors of two groups */
IFMA_INLINE void add_two(const vec64 *a, const vec64 *b, int width_a, int width_b, vec64 *product,
                         vec64 *biased)
{
    const vec64 mask = (vec64){0} + ((UINT64_C(1) << LIMB) - 1);
    for (int v = 0; v < 4; ++v) {
        vec64 m = magnitude(a[v]), P[2] = {m, m >> LIMB};
        vec64 F = signed_and_biased(b[v], a[v], UINT64_C(1) << (width_b == 1 ? 51 : 62));
        biased[0] += width_a == 1 ? m : m & mask;
        if (width_a == 2)
            biased[1] += P[1];
        add_product(product, P, width_a, F, width_b);
    }
}

IFMA_INLINE void add_tile_two(const pm_dense_plan *p, const dense_tile *t, ifma_sum *a, int width_a,
                              int width_b)
{
    vec64 product[4], biased[2] = {a->biased[0], a->biased[1]};
    for (int k = 0; k < 4; ++k)
        product[k] = a->product[k];
    for (int s = 0; s < 1 << p->flips; ++s) {
        const vec64 *x = p->ngroups == 1 ? a->one : group_at(p, t, a, 0, s);
        const vec64 *y = group_at(p, t, a, p->ngroups - 1, s);
        add_two(x, y, width_a, width_b, product, biased);
    }
    a->biased[0] = biased[0];
    a->biased[1] = biased[1];
    for (int k = 0; k < 4; ++k)
        a->product[k] = product[k];
}

/* Vector v of the product of the magnitudes of all groups but the last; its carries are left.
 * Returns its sign. */
IFMA_INLINE vec64 multiply_groups(const vec64 *const *f, int groups, int v, vec64 *P)
{
    int limbs = groups % 2 ? 2 : 1;
    vec64 signs = f[0][v];
    P[0] = magnitude(signs);
    if (limbs == 2) {
        vec64 a = P[0], b = magnitude(f[1][v]);
        P[0] = product_low(a, b);
        P[1] = product_high(a, b);
        signs ^= f[1][v];
    }
#pragma GCC unroll 24
    for (; limbs < groups - 1; limbs += 2) {
        vec64 a = magnitude(f[limbs][v]), b = magnitude(f[limbs + 1][v]);
        vec64 Q[2] = {product_low(a, b), product_high(a, b)};
        carry(P, limbs);
        multiply_by_pair(P, limbs, Q);
        signs ^= f[limbs][v] ^ f[limbs + 1][v];
    }
    return signs;
}

IFMA_INLINE void add_tile_many(const pm_dense_plan *p, const dense_tile *t, ifma_sum *a, int groups)
{
    vec64 product[LIMBS], biased[LIMBS];
#pragma GCC unroll 24
    for (int k = 0; k < groups; ++k) {
        product[k] = a->product[k];
        biased[k] = a->biased[k];
    }
    for (int s = 0; s < 1 << p->flips; ++s) {
        const vec64 *f[LIMBS];
#pragma GCC unroll 24
        for (int k = 0; k < groups; ++k)
            f[k] = group_at(p, t, a, k, s);
#pragma GCC unroll 1
        for (int v = 0; v < 4; ++v) {
            vec64 P[LIMBS + 1], signs = multiply_groups(f, groups, v, P);
#pragma GCC unroll 24
            for (int k = 0; k < groups - 1; ++k)
                biased[k] += P[k];
            carry(P, groups - 1);
            vec64 F = signed_and_biased(f[groups - 1][v], signs, UINT64_C(1) << 51);
            add_product(product, P, groups - 1, F, 1);
        }
    }
#pragma GCC unroll 24
    for (int k = 0; k < groups; ++k) {
        a->product[k] = product[k];
        a->biased[k] = biased[k];
    }
}

/* ---- emptying the accumulators ---- */

/* sum +- value * 2^bit modulo 2^(64 limbs) */
static inline void add_shifted(pm_sum *sum, int limbs, unsigned __int128 value, int bit, bool minus)
{
    uint64_t part[3] = {(uint64_t)value, (uint64_t)(value >> 64), 0};
    int at = bit / 64, shift = bit % 64;
    if (shift) {
        part[2] = part[1] >> (64 - shift);
        part[1] = part[1] << shift | part[0] >> (64 - shift);
        part[0] <<= shift;
    }
    uint64_t flip = minus ? UINT64_MAX : 0;
    unsigned __int128 c = minus;
    for (int i = at; i < limbs; ++i) {
        c += (unsigned __int128)sum->limb[i] + ((i - at < 3 ? part[i - at] : 0) ^ flip);
        sum->limb[i] = (uint64_t)c;
        c >>= 64;
    }
}

static inline unsigned __int128 total_of(const vec64 *v)
{
    unsigned __int128 total = 0;
    for (int i = 0; i < 8; ++i)
        total += (*v)[i];
    return total;
}

static PM_TARGET_AVX512IFMA void empty(ifma_sum *a, int limbs)
{
    int bias = a->width[1] == 1 ? 51 : 62;
    for (int k = 0; k <= LIMBS; ++k)
        add_shifted(a->sum, limbs, total_of(&a->product[k]), LIMB * k, false);
    for (int k = 0; k < LIMBS; ++k)
        add_shifted(a->sum, limbs, total_of(&a->biased[k]), LIMB * k + bias, true);
    memset(a->product, 0, sizeof a->product);
    memset(a->biased, 0, sizeof a->biased);
    a->steps = 0;
}

static PM_TARGET_AVX512IFMA void add_tile_ifma(const pm_dense_plan *p, const dense_tile *t,
                                               void *context)
{
    ifma_sum *a = context;
    switch (p->ngroups) {
    case 1:
    case 2:
        if (a->width[1] == 1)
            add_tile_two(p, t, a, 1, 1);
        else if (a->width[0] == 1)
            add_tile_two(p, t, a, 1, 2);
        else
            add_tile_two(p, t, a, 2, 2);
        break;
#define MANY(groups)                                                                               \
    case groups: add_tile_many(p, t, a, groups); break
        MANY(3);
        MANY(4);
        MANY(5);
        MANY(6);
        MANY(7);
        MANY(8);
        MANY(9);
        MANY(10);
        MANY(11);
        MANY(12);
        MANY(13);
        MANY(14);
        MANY(15);
        MANY(16);
        MANY(17);
        MANY(18);
        MANY(19);
        MANY(20);
        MANY(21);
        MANY(22);
        MANY(23);
        MANY(24);
#undef MANY
    }
    a->steps += 4 << p->flips;
    if (a->steps > STEPS - 4 * TILE)
        empty(a, p->limbs);
}

/* ---- the beginning ---- */

static inline int width_of(int64_t bound, int bits)
{
    return bound < INT64_C(1) << bits ? 1 : 2;
}

/* The group that is multiplied last: the one with the least bound, but of two the one with the
 * greatest, if that is wide. */
static inline int32_t last_group(const pm_dense_plan *p)
{
    int32_t least = 0, most = 0;
    for (int32_t k = 1; k < p->ngroups; ++k) {
        if (p->group[k].bound < p->group[least].bound)
            least = k;
        if (p->group[k].bound > p->group[most].bound)
            most = k;
    }
    return width_of(p->group[most].bound, LIMB) == 2 ? most : least;
}

static PM_TARGET_AVX512IFMA void begin(const pm_dense_plan *p, pm_sum *sum, ifma_sum *a)
{
    int32_t last = last_group(p), at = 0;
    memset(a, 0, sizeof *a);
    a->sum = sum;
    for (int k = 0; k < 4; ++k)
        a->one[k] = (vec64){0} + 1;
    for (int32_t k = 0; k < p->ngroups; ++k)
        if (k != last)
            a->order[at++] = k;
    a->order[at] = last;
    a->width[0] = p->ngroups == 2 ? width_of(p->group[a->order[0]].bound, LIMB) : 1;
    a->width[1] = width_of(p->group[last].bound, LIMB - 1);
}

#endif
#endif
