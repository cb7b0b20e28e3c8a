/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_exact_tile.h: computes the groups of one tile with vectors.
 *
 * Included once for each vector unit.  The includer defines DENSE_BYTES, the size of a vector, and
 * DENSE_TARGET, a function attribute.  Lane l of a 16-bit vector has the sign pattern l of the lane
 * columns: bit b of l is the sign of column b after the tile's columns.  32-bit values take two
 * vectors, with the even and the odd l; 64-bit values take four, with l = 0, 2, 1, 3 modulo 4.
 *
 * Arithmetic is unsigned where intermediate results may overflow. */
#ifndef PM_DENSE_EXACT_TILE_H
#define PM_DENSE_EXACT_TILE_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "dense/dense_exact_plan.h"

#ifndef DENSE_BYTES
#define DENSE_BYTES 16
#define DENSE_TARGET
#endif

enum { LANES = DENSE_BYTES / 2, TILE = PM_DENSE_TILE, FLIPS = PM_DENSE_FLIPS };
enum { LANE_BITS = LANES == 32 ? 5 : LANES == 16 ? 4 : 3, TILE_BITS = LANE_BITS + FLIPS };

typedef uint16_t vec16 __attribute__((vector_size(DENSE_BYTES)));
typedef uint32_t vec32 __attribute__((vector_size(DENSE_BYTES)));
typedef uint64_t vec64 __attribute__((vector_size(DENSE_BYTES)));
typedef int16_t signed16 __attribute__((vector_size(DENSE_BYTES)));
typedef int32_t signed32 __attribute__((vector_size(DENSE_BYTES)));

#define DENSE_INLINE static inline __attribute__((always_inline)) DENSE_TARGET

/* ---- widening products of the even and of the odd lanes ---- */

#if DENSE_BYTES == 64

DENSE_INLINE void widen16(vec16 a, vec16 b, vec32 *even, vec32 *odd)
{
    const __m512i low = _mm512_set1_epi32(0xffff);
    *even = (vec32)_mm512_madd_epi16(_mm512_and_si512((__m512i)a, low), (__m512i)b);
    *odd = (vec32)_mm512_madd_epi16(_mm512_andnot_si512(low, (__m512i)a), (__m512i)b);
}

DENSE_INLINE void widen32(vec32 a, vec32 b, vec64 *even, vec64 *odd)
{
    *even = (vec64)_mm512_mul_epi32((__m512i)a, (__m512i)b);
    *odd = (vec64)_mm512_mul_epi32((__m512i)((vec64)a >> 32), (__m512i)((vec64)b >> 32));
}

#elif DENSE_BYTES == 32

DENSE_INLINE void widen16(vec16 a, vec16 b, vec32 *even, vec32 *odd)
{
    const __m256i low = _mm256_set1_epi32(0xffff);
    *even = (vec32)_mm256_madd_epi16(_mm256_and_si256((__m256i)a, low), (__m256i)b);
    *odd = (vec32)_mm256_madd_epi16(_mm256_andnot_si256(low, (__m256i)a), (__m256i)b);
}

DENSE_INLINE void widen32(vec32 a, vec32 b, vec64 *even, vec64 *odd)
{
    *even = (vec64)_mm256_mul_epi32((__m256i)a, (__m256i)b);
    *odd = (vec64)_mm256_mul_epi32((__m256i)((vec64)a >> 32), (__m256i)((vec64)b >> 32));
}

#else

DENSE_INLINE void widen16(vec16 a, vec16 b, vec32 *even, vec32 *odd)
{
#if defined(__SSE2__)
    const __m128i low = _mm_set1_epi32(0xffff);
    *even = (vec32)_mm_madd_epi16(_mm_and_si128((__m128i)a, low), (__m128i)b);
    *odd = (vec32)_mm_madd_epi16(_mm_andnot_si128(low, (__m128i)a), (__m128i)b);
#else
    signed16 x = (signed16)a, y = (signed16)b;
    vec32 e = {0}, o = {0};
    for (int i = 0; i < LANES / 2; ++i) {
        e[i] = (uint32_t)(x[2 * i] * y[2 * i]);
        o[i] = (uint32_t)(x[2 * i + 1] * y[2 * i + 1]);
    }
    *even = e;
    *odd = o;
#endif
}

DENSE_INLINE void widen32(vec32 a, vec32 b, vec64 *even, vec64 *odd)
{
    signed32 x = (signed32)a, y = (signed32)b;
    vec64 e = {0}, o = {0};
    for (int i = 0; i < LANES / 4; ++i) {
        e[i] = (uint64_t)((int64_t)x[2 * i] * y[2 * i]);
        o[i] = (uint64_t)((int64_t)x[2 * i + 1] * y[2 * i + 1]);
    }
    *even = e;
    *odd = o;
}

#endif

/* The row sums at the first sign pattern of the tile, in all lanes, and the steps of the tile's
 * columns.  Row i is in the vectors x[at[i]] and following ones. */
typedef struct {
    vec16 x[PM_SQUARE_MAX * 4];
    vec16 step[PM_SQUARE_MAX][FLIPS]; /* lanes of the row's width */
    vec16 sign;                       /* of the first pattern, 1 or -1 */
    vec16 half[PM_DENSE_HALVES][TILE];
    vec64 group[PM_DENSE_GROUPS][TILE * 4];
    int32_t at[PM_SQUARE_MAX];
} dense_tile;

/* ---- sign patterns ---- */

/* Sign pattern number s is the Gray code s ^ s >> 1; for a factor with fewer flips it is one of the
 * last columns only.  The two macros: the column of FLIPS that flips before pattern s, and whether
 * its sign becomes -1. */
#define FLIP_COLUMN(s, flips) (FLIPS - (flips) + __builtin_ctz(s))
#define FLIP_LOSES(s)         (((s) ^ (s) >> 1) >> __builtin_ctz(s) & 1)

/* y += step or y -= step, for each sign pattern after the first; y: any vector type */
#define NEXT_PATTERN(y, type, step, s, flips)                                                      \
    ((y) = FLIP_LOSES(s) ? (y) - (type)(step)[FLIP_COLUMN(s, flips)]                               \
                         : (y) + (type)(step)[FLIP_COLUMN(s, flips)])

DENSE_INLINE void half_product(const pm_dense_half *h, const dense_tile *t, int flips,
                               bool is_signed, vec16 *out)
{
    vec16 p[TILE];
    const int patterns = 1 << flips;
    int32_t i = h->first, end = h->first + h->rows;
    if (is_signed) {
#pragma GCC unroll 8
        for (int s = 0; s < patterns; ++s)
            p[s] = s & 1 ? -t->sign : t->sign;
    } else {
        vec16 y = p[0] = t->x[t->at[i]];
#pragma GCC unroll 8
        for (int s = 1; s < patterns; ++s)
            p[s] = NEXT_PATTERN(y, vec16, t->step[i], s, flips);
        ++i;
    }
    for (; i < end; ++i) {
        vec16 y = t->x[t->at[i]];
        p[0] *= y;
#pragma GCC unroll 8
        for (int s = 1; s < patterns; ++s)
            p[s] *= NEXT_PATTERN(y, vec16, t->step[i], s, flips);
    }
    for (int s = 0; s < patterns; ++s)
        out[s] = p[s];
}

static DENSE_TARGET void make_half(const pm_dense_half *h, bool is_signed, dense_tile *t,
                                   vec16 *out)
{
    if (is_signed)
        half_product(h, t, FLIPS, true, out);
    else if (h->rows == 0)
        out[0] = (vec16){0} + 1;
    else if (h->flips == 3)
        half_product(h, t, 3, false, out);
    else if (h->flips == 2)
        half_product(h, t, 2, false, out);
    else if (h->flips == 1)
        half_product(h, t, 1, false, out);
    else
        half_product(h, t, 0, false, out);
    for (int k = 0; k < h->fold; ++k)
        for (int s = 0; s < TILE >> (k + 1); ++s)
            out[s] = out[2 * s] + out[2 * s + 1];
}

/* ---- 32 and 64 bits ---- */

/* y of a row wider than 16 bits at sign pattern s, for each of its vectors x[0], x[1], ... */
#define ROW_PATTERN(y, type, t, i, v, s, flips)                                                    \
    do {                                                                                           \
        (y) = (type)(t)->x[(t)->at[i] + (v)];                                                      \
        for (int c = 0; c < (flips); ++c)                                                          \
            if (((s) ^ (s) >> 1) >> c & 1)                                                         \
                (y) -= (type)(t)->step[i][FLIPS - (flips) + c];                                    \
    } while (0)

/* Word w of a group for sign pattern s of 2^flips. */
DENSE_INLINE void word_value(const pm_dense_group *g, int w, const dense_tile *t, int s, int flips,
                             vec32 *even, vec32 *odd)
{
    const pm_dense_word *word = &g->word[w];
    if (word->is_row) {
        ROW_PATTERN(*even, vec32, t, word->first, 0, s, flips);
        ROW_PATTERN(*odd, vec32, t, word->first, 1, s, flips);
        return;
    }
    const pm_dense_half *a = &g->half[2 * w], *b = a + 1;
    widen16(t->half[2 * w][s >> (flips - (a->flips - a->fold))],
            t->half[2 * w + 1][s >> (flips - b->flips)], even, odd);
}

DENSE_INLINE void first_word(const pm_dense_group *g, const dense_tile *t, int s, vec32 *even,
                             vec32 *odd)
{
    const pm_dense_word *word = &g->word[0];
    int many = 1 << word->fold;
    word_value(g, 0, t, s * many, word->flips, even, odd);
    for (int k = 1; k < many; ++k) {
        vec32 e, o;
        word_value(g, 0, t, s * many + k, word->flips, &e, &o);
        *even += e;
        *odd += o;
    }
}

/* Adds the four vectors of sign pattern s to those of the patterns that it is folded with. */
DENSE_INLINE void store_group(const pm_dense_group *g, int s, const vec64 *value, vec64 *out)
{
    vec64 *to = out + 4 * (s >> g->fold);
    bool begins = (s & ((1 << g->fold) - 1)) == 0;
    for (int v = 0; v < 4; ++v)
        to[v] = begins ? value[v] : to[v] + value[v];
}

DENSE_INLINE void make_products(const pm_dense_group *g, const dense_tile *t, bool has_second,
                                vec64 *out)
{
    int flips1 = has_second ? g->word[1].flips : 0, inner = g->flips - flips1;
    vec32 even1 = (vec32){0} + 1, odd1 = even1;
    for (int s1 = 0; s1 < 1 << flips1; ++s1) {
        if (has_second)
            word_value(g, 1, t, s1, flips1, &even1, &odd1);
        for (int s = s1 << inner; s < (s1 + 1) << inner; ++s) {
            vec32 even, odd;
            vec64 value[4];
            first_word(g, t, s, &even, &odd);
            widen32(even, even1, &value[0], &value[1]);
            widen32(odd, odd1, &value[2], &value[3]);
            store_group(g, s, value, out);
        }
    }
}

static DENSE_TARGET void make_group(const pm_dense_group *g, bool is_first, dense_tile *t,
                                    vec64 *out)
{
    if (g->is_row) {
        for (int s = 0; s < 1 << g->flips; ++s)
            for (int v = 0; v < 4; ++v)
                ROW_PATTERN(out[4 * s + v], vec64, t, g->first, v, s, g->flips);
        return;
    }
    for (int h = 0; h < PM_DENSE_HALVES; ++h)
        if (!g->word[h / 2].is_row)
            make_half(&g->half[h], is_first && h == 0, t, t->half[h]);
    if (g->word[1].is_used)
        make_products(g, t, true, out);
    else
        make_products(g, t, false, out);
}

static DENSE_TARGET void make_tile(const pm_dense_plan *p, dense_tile *t)
{
    for (int32_t g = 0; g < p->ngroups; ++g)
        make_group(&p->group[g], g == 0, t, t->group[g]);
}

/* ---- from tile to tile ---- */

/* The lane number of element i of vector v, for a row of `width` bytes. */
static inline int lane_at(int width, int v, int i)
{
    static const int of_four[] = {0, 2, 1, 3};
    return width == 2 ? i : width == 4 ? 2 * i + v : 4 * i + of_four[v];
}

static void put_lane(vec16 *to, int width, int i, int64_t value)
{
    char *at = (char *)to + i * width;
    if (width == 2)
        memcpy(at, &(uint16_t){(uint16_t)value}, 2);
    else if (width == 4)
        memcpy(at, &(uint32_t){(uint32_t)value}, 4);
    else
        memcpy(at, &value, 8);
}

static void set_row(const pm_dense_plan *p, int32_t i, uint64_t gray, dense_tile *t)
{
    int width = p->width[i], per_vector = DENSE_BYTES / width;
    uint64_t fixed = (uint64_t)p->base[i];
    for (int k = TILE_BITS; k < p->n - 1; ++k)
        if (gray >> k & 1)
            fixed -= (uint64_t)p->step[k][i];
    for (int v = 0; v < LANES / per_vector; ++v)
        for (int at = 0; at < per_vector; ++at) {
            uint64_t y = fixed;
            for (int b = 0; b < LANE_BITS; ++b)
                if (lane_at(width, v, at) >> b & 1)
                    y -= (uint64_t)p->step[FLIPS + b][i];
            put_lane(&t->x[t->at[i] + v], width, at, (int64_t)y);
        }
    for (int c = 0; c < FLIPS; ++c)
        for (int at = 0; at < per_vector; ++at)
            put_lane(&t->step[i][c], width, at, p->step[c][i]);
}

/* Sets the row sums of tile `index`.  A tile has 2^TILE_BITS terms; they agree on the signs of the
 * columns from TILE_BITS on. */
static void set_tile(const pm_dense_plan *p, uint64_t index, dense_tile *t)
{
    int32_t at = 0;
    for (int32_t i = 0; i < p->n; ++i) {
        t->at[i] = at;
        at += p->width[i] / 2;
        set_row(p, i, (index ^ index >> 1) << TILE_BITS, t);
    }
    for (int l = 0; l < LANES; ++l)
        t->sign[l] = (uint16_t)(((uint64_t)__builtin_popcount((unsigned)l) + index) & 1 ? -1 : 1);
}

/* Column k gets the sign -1 (loses) or +1. */
static DENSE_TARGET void flip_column(const pm_dense_plan *p, int k, bool loses, dense_tile *t)
{
    uint64_t minus = loses ? UINT64_MAX : 0;
    for (int32_t e = 0; e < p->ntouched[k]; ++e) {
        int32_t i = p->touched[k][e];
        uint64_t change = ((uint64_t)p->step[k][i] ^ minus) - minus;
        vec16 *x = &t->x[t->at[i]];
        if (p->width[i] == 2)
            x[0] += (vec16){0} + (uint16_t)change;
        else if (p->width[i] == 4)
            for (int v = 0; v < 2; ++v)
                x[v] = (vec16)((vec32)x[v] + (uint32_t)change);
        else
            for (int v = 0; v < 4; ++v)
                x[v] = (vec16)((vec64)x[v] + change);
    }
}

/* Runs the tiles of the terms first .. end - 1 and calls add_tile for each. */
DENSE_INLINE void run_tiles(const pm_dense_plan *p, uint64_t first, uint64_t end, dense_tile *t,
                            void (*add_tile)(const pm_dense_plan *, const dense_tile *, void *),
                            void *context)
{
    uint64_t index = first >> TILE_BITS, last = end >> TILE_BITS;
    set_tile(p, index, t);
    for (;;) {
        make_tile(p, t);
        add_tile(p, t, context);
        if (++index == last)
            break;
        int k = __builtin_ctzll(index);
        flip_column(p, TILE_BITS + k, (index ^ index >> 1) >> k & 1, t);
        t->sign = -t->sign;
    }
}

#endif
