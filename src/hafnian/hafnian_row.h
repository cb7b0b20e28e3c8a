/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_row.h: eight numbers of 64 bits in the vectors of one vector unit. */
#ifndef PM_HAFNIAN_ROW_H
#define PM_HAFNIAN_ROW_H

#include <string.h>

#include "core/float_lanes.h"
#include "hafnian/hafnian_kernel.h"

enum { PARTS = PM_HAFNIAN_LANES / PM_LANES };

typedef int64_t signs __attribute__((vector_size(8 * PM_LANES), may_alias));

#if PM_LANES == 8

/* Part `part` of the row whose lane u is lane u ^ c of x where u contains c, and 0 elsewhere. */
PM_BODY words moved_up(const words x[PARTS], int part, int c)
{
    static const uint8_t with[PM_HAFNIAN_LANES] = {0xff, 0xaa, 0xcc, 0x88, 0xf0, 0xa0, 0xc0, 0x80};
    const __m512i lane = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    return (words)_mm512_maskz_permutexvar_epi64(
        with[c], _mm512_xor_si512(lane, _mm512_set1_epi64(c)), (__m512i)x[part]);
}

#else

/* Lane l of the result is lane l ^ by of x. */
PM_BODY words lanes_exchanged(words x, int by)
{
    words y = {0};
#ifdef __clang__
    for (int l = 0; l < PM_LANES; ++l)
        y[l] = x[l ^ by];
#else
    for (int l = 0; l < PM_LANES; ++l)
        y[l] = (uint64_t)(l ^ by);
    y = __builtin_shuffle(x, y);
#endif
    return y;
}

/* All bits of the lanes whose number, of eight, contains `bits`. */
PM_BODY words lanes_with(int part, int bits)
{
    words mask = {0};
    for (int l = 0; l < PM_LANES; ++l)
        mask[l] = ((part * PM_LANES + l) & bits) == bits ? UINT64_MAX : 0;
    return mask;
}

/* Part `part` of the row whose lane u is lane u ^ c of x where u contains c, and 0 elsewhere. */
PM_BODY words moved_up(const words x[PARTS], int part, int c)
{
    const int low = c & (PM_LANES - 1), high = c / PM_LANES;
    if ((part & high) != high)
        return (words){0};
    return lanes_exchanged(x[part ^ high], low) & lanes_with(part, c);
}

#endif
#endif
