/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_residue.h: residues modulo an odd number m < 2^31, for hafnian_paths.h.
 *
 * A sum of products s is reduced to s / 2^32 modulo m (Montgomery 1985).  Coefficients are residues, where a sum is kept
 * below 2 m^2; or, if the level is plain, integers c with |c| < 2^PM_HAFNIAN_PLAIN_BITS, where no sum of up to 64 products
 * overflows. */
#ifndef PM_HAFNIAN_RESIDUE_H
#define PM_HAFNIAN_RESIDUE_H

#include "hafnian/hafnian_row.h"

#define KIND(x) x##_residue

typedef struct {
    words part[PARTS];
} row_residue, total_residue;

/* ---- one vector ---- */

/* The product of the low 32 bits of each lane. */
PM_BODY words product_residue(words a, words b)
{
#if PM_LANES == 8
    return (words)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif PM_LANES == 4
    return (words)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#else
    return (a & UINT32_MAX) * (b & UINT32_MAX);
#endif
}

/* The same with signs. */
PM_BODY words signed_product_residue(words a, words b)
{
#if PM_LANES == 8
    return (words)_mm512_mul_epi32((__m512i)a, (__m512i)b);
#elif PM_LANES == 4
    return (words)_mm256_mul_epi32((__m256i)a, (__m256i)b);
#else
    return a * b; /* both are 64 bits with a sign */
#endif
}

/* x - y, or x where that is negative; x - y fits 64 bits with a sign. */
PM_BODY words less_residue(words x, words y)
{
    const words less = x - y;
#if PM_LANES == 8
    return (words)_mm512_min_epu64((__m512i)x, (__m512i)less);
#elif PM_LANES == 4
    return (words)_mm256_blendv_pd((__m256d)less, (__m256d)x, (__m256d)less);
#else
    return less + (y & (words)((signs)less >> 63));
#endif
}

PM_BODY words all_residue(uint64_t x)
{
    return (words){0} + x;
}

/* x / 2^32 modulo m, below m; x < 2^32 m. */
PM_BODY words reduced_residue(const pm_hafnian_level *l, words x)
{
    const words m = all_residue(l->modulus);
    const words q = product_residue(x, all_residue(l->inverse));
    return less_residue((x + product_residue(q, m)) >> 32, m);
}

/* ---- rows ---- */

PM_BODY char *at_residue(const void *p, int64_t i)
{
    return (char *)(uintptr_t)p + i * (int64_t)sizeof(uint32_t);
}

PM_BODY row_residue zero_residue(void)
{
    return (row_residue){0};
}

PM_BODY row_residue one_residue(void)
{
    row_residue x = {0};
    x.part[0][0] = 1;
    return x;
}

PM_BODY row_residue load_residue(const pm_hafnian_level *l, const char *p)
{
    row_residue x;
    (void)l;
#if PM_LANES == 8
    x.part[0] = (words)_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i_u *)p));
#elif PM_LANES == 4
    for (int i = 0; i < PARTS; ++i)
        x.part[i] = (words)_mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i_u *)(p + 16 * i)));
#else
    for (int i = 0; i < PARTS; ++i) {
        uint32_t two[2];
        memcpy(two, p + 8 * i, sizeof two);
        x.part[i] = (words){two[0], two[1]};
    }
#endif
    return x;
}

PM_BODY void store_residue(const pm_hafnian_level *l, char *p, row_residue x)
{
    (void)l;
#if PM_LANES == 8
    _mm256_storeu_si256((__m256i_u *)p, _mm512_cvtepi64_epi32((__m512i)x.part[0]));
#elif PM_LANES == 4
    const __m256 even = _mm256_shuffle_ps((__m256)x.part[0], (__m256)x.part[1], 0x88);
    _mm256_storeu_si256((__m256i_u *)p, _mm256_permute4x64_epi64((__m256i)even, 0xd8));
#else
    for (int i = 0; i < PM_HAFNIAN_LANES; ++i) {
        const uint32_t one = (uint32_t)x.part[i / PM_LANES][i % PM_LANES];
        memcpy(p + 4 * i, &one, sizeof one);
    }
#endif
}

PM_BODY row_residue plus_residue(const pm_hafnian_level *l, row_residue a, row_residue b)
{
    for (int i = 0; i < PARTS; ++i)
        a.part[i] = less_residue(a.part[i] + b.part[i], all_residue(l->modulus));
    return a;
}

PM_BODY row_residue up_residue(row_residue x, int c)
{
    row_residue y;
    for (int i = 0; i < PARTS; ++i)
        y.part[i] = moved_up(x.part, i, c);
    return y;
}

/* ---- sums of products ---- */

/* Parts whose sums are in registers together, where each coefficient is loaded once for all of them. */
enum { TOGETHER = PM_LANES == 4 ? PARTS : 1 };

PM_BODY void add_coefficient_residue(words *sum, const uint64_t *c, const row_residue *x, int part,
                                     bool is_plain)
{
    const words a = all_residue(*c);
#pragma GCC unroll 4
    for (int i = 0; i < TOGETHER; ++i)
        sum[i] += is_plain ? signed_product_residue(a, x->part[part + i])
                           : product_residue(a, x->part[part + i]);
}

/* Two products at a time. */
PM_BODY void dot_parts_residue(const pm_hafnian_level *l, const void *matrix, const int32_t *in,
                               const row_residue *x, int m, const int32_t *out, int nout,
                               row_residue *y, int part, bool is_plain)
{
    /* |a sum of plain products| < 2^26 m */
    const words start = is_plain ? all_residue(l->modulus << 27) : (words){0};
    const words most = all_residue(2 * l->modulus * l->modulus);
    words sum[4][TOGETHER];
#pragma GCC unroll 16
    for (int j = 0; j < nout * TOGETHER; ++j)
        sum[j / TOGETHER][j % TOGETHER] = start;
    for (int i = 0; i < m; i += 2) {
        const uint64_t *a = (const uint64_t *)matrix + in[i] * l->stride;
        const uint64_t *b = (const uint64_t *)matrix + in[i + 1] * l->stride;
#pragma GCC unroll 4
        for (int j = 0; j < nout; ++j) {
            add_coefficient_residue(sum[j], a + out[j], &x[i], part, is_plain);
            add_coefficient_residue(sum[j], b + out[j], &x[i + 1], part, is_plain);
#pragma GCC unroll 4
            for (int k = 0; k < TOGETHER && !is_plain; ++k)
                sum[j][k] = less_residue(sum[j][k], most);
        }
    }
#pragma GCC unroll 16
    for (int j = 0; j < nout * TOGETHER; ++j)
        y[j / TOGETHER].part[part + j % TOGETHER] =
            reduced_residue(l, sum[j / TOGETHER][j % TOGETHER]);
}

PM_BODY void dot_residue(const pm_hafnian_level *l, const void *matrix, const int32_t *in,
                         const row_residue *x, int m, const int32_t *out, int nout, row_residue *y)
{
    for (int part = 0; part < PARTS; part += TOGETHER)
        if (l->is_plain && matrix == l->step)
            dot_parts_residue(l, matrix, in, x, m, out, nout, y, part, true);
        else
            dot_parts_residue(l, matrix, in, x, m, out, nout, y, part, false);
}

PM_BODY void clear_residue(total_residue *t)
{
    *t = (total_residue){0};
}

PM_BODY void add_products_residue(const pm_hafnian_level *l, total_residue *t, const char *p,
                                  row_residue x)
{
    const words most = all_residue(2 * l->modulus * l->modulus);
    uint32_t factor[PM_HAFNIAN_LANES];
    memcpy(factor, p, sizeof factor);
#pragma GCC unroll 8
    for (int c = 0; c < PM_HAFNIAN_LANES; c += 2)
#pragma GCC unroll 4
        for (int i = 0; i < PARTS; ++i) {
            t->part[i] += product_residue(all_residue(factor[c]), moved_up(x.part, i, c));
            t->part[i] += product_residue(all_residue(factor[c + 1]), moved_up(x.part, i, c + 1));
            t->part[i] = less_residue(t->part[i], most);
        }
}

PM_BODY row_residue rounded_residue(const pm_hafnian_level *l, const total_residue *t)
{
    row_residue x;
    for (int i = 0; i < PARTS; ++i)
        x.part[i] = reduced_residue(l, t->part[i]);
    return x;
}

#include "hafnian/hafnian_paths.h"

#endif
