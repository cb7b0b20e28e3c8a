/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_ranked.h: the sums of hafnian_kernel.h for residues, by ranks (Bjorklund, Husfeldt, Kaski and Koivisto 2007,
 * section 2), over the sets of high pairs; the low pairs are multiplied out.
 *
 * Array r of a *ranked* function has a row for each set T: the sum of the function over all parts of T that have r pairs.
 * The product of two such functions at T is a product of polynomials.  Its array r, transformed back, is right where T has r pairs. */
#ifndef PM_HAFNIAN_RANKED_H
#define PM_HAFNIAN_RANKED_H

#include "hafnian/hafnian_residue.h"

enum {
    BLOCK_BITS = 12, /* sets whose rows stay in the cache */
    VECTORS = PM_LANES == 2 ? 2 : 1
};

typedef uint32_t narrow __attribute__((vector_size(32 / VECTORS), may_alias));

PM_BODY narrow narrow_less(narrow x, narrow m)
{
    const narrow less = x - m;
#if PM_LANES == 2
    typedef int32_t narrow_signs __attribute__((vector_size(32 / VECTORS)));
    return less + (m & (narrow)((narrow_signs)less >> 31));
#else
    return (narrow)_mm256_min_epu32((__m256i)x, (__m256i)less);
#endif
}

/* to += from, or to -= from: m is then the modulus minus it. */
PM_BODY void add_rows(narrow *to, const narrow *from, int64_t rows, narrow m, bool inverse)
{
    for (int64_t i = 0; i < VECTORS * rows; ++i) {
        narrow x = from[i];
        if (inverse)
            x = m - x;
        to[i] = narrow_less(to[i] + x, m);
    }
}

PM_BODY void transform_bits(narrow *rows, int first, int end, int bits, narrow m, bool inverse)
{
    for (int b = first; b < end; ++b) {
        const int64_t half = VECTORS * (INT64_C(1) << b);
        for (int64_t at = 0; at < VECTORS * (INT64_C(1) << bits); at += 2 * half)
            add_rows(rows + at + half, rows + at, half / VECTORS, m, inverse);
    }
}

/* One array: sums over all parts of each set, or back. */
PM_BODY void transform_array(narrow *rows, int high, narrow m, bool inverse)
{
    const int block = high < BLOCK_BITS ? high : BLOCK_BITS;
    for (int64_t i = 0; i < INT64_C(1) << (high - block); ++i)
        transform_bits(rows + (i << block) * VECTORS, 0, block, block, m, inverse);
    transform_bits(rows, block, high, high, m, inverse);
}

PM_BODY_TARGET static void transform(const pm_hafnian_level *l, void *rows, int high, bool inverse)
{
    const narrow m = (narrow){0} + (uint32_t)l->modulus;
    if (inverse)
        transform_array(rows, high, m, true);
    else
        transform_array(rows, high, m, false);
}

/* The arrays r >= |T| of the product, in the place of a.  Those above |T| are 0 before, and those above 2 |T| stay so. */
PM_BODY_TARGET static void multiply(const pm_hafnian_level *l, void *a, const void *b, int high,
                                    uint32_t first, uint32_t end)
{
    const int64_t array = INT64_C(1) << (high + PM_HAFNIAN_LOW);
    for (uint32_t T = first; T < end; ++T) {
        const int size = __builtin_popcount(T), most = 2 * size < high ? 2 * size : high;
        char *x = at_residue(a, (int64_t)T * PM_HAFNIAN_LANES);
        const char *y = at_residue(b, (int64_t)T * PM_HAFNIAN_LANES);
        for (int r = most; r >= size; --r) {
            total_residue t;
            clear_residue(&t);
            for (int i = r - size; i <= size; ++i)
                add_products_residue(l, &t, at_residue(x, i * array),
                                     load_residue(l, at_residue(y, (r - i) * array)));
            store_residue(l, at_residue(x, r * array), rounded_residue(l, &t));
        }
    }
}

#endif
