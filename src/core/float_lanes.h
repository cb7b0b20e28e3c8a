/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/float_lanes.h: arithmetic of vectors of doubles or floats (core/lanes.h) for one vector unit.
 * Every operation gives the same digits on all vector units; fused operations are used only where the
 * product is exact. */
#ifndef PM_FLOAT_LANES_H
#define PM_FLOAT_LANES_H

#include <math.h>

#include "core/lanes.h"

/* An instruction of AVX-512 or AVX2 for these vectors. */
#if PM_LANES == 8 && defined PM_IN_SINGLE
#define PM_OF_VECTORS(name) _mm512_##name##_ps
#elif PM_LANES == 8
#define PM_OF_VECTORS(name) _mm512_##name##_pd
#elif PM_LANES == 4 && defined PM_IN_SINGLE
#define PM_OF_VECTORS(name) _mm256_##name##_ps
#elif PM_LANES == 4
#define PM_OF_VECTORS(name) _mm256_##name##_pd
#endif

/* A float is x rounded. */
PM_BODY vec splat(double x)
{
    return (element)x - (vec){0};
}

/* p: aligned to the size of a vector. */
PM_BODY vec load(const element *p)
{
    return *(const vec *)p;
}

PM_BODY void store(element *p, vec x)
{
    *(vec *)p = x;
}

PM_BODY vec magnitude(vec x)
{
    return (vec)((words)x & ~(element_word)0 >> 1);
}

/* a * b + c where a * b is exact. */
PM_BODY vec plus_exact_product(vec a, vec b, vec c)
{
#if PM_LANES == 2
    return a * b + c;
#else
    return PM_OF_VECTORS(fmadd)(a, b, c);
#endif
}

/* a + b by the multiplier, to use the multipliers as well as the adders of the processor. */
PM_BODY vec add_by_multiplier(vec a, vec b)
{
#if PM_LANES == 2
    return a + b;
#else
    return plus_exact_product(a, splat(1), b);
#endif
}

#if PM_LANES == 2
/* Veltkamp: a = high + low, where products of such halves are exact; |a| <= 1. */
PM_BODY void split(vec a, vec *high, vec *low)
{
    vec c = splat(sizeof(element) == sizeof(float) ? 0x1001p0 : 0x8000001p0) * a;
    *high = c - (c - a);
    *low = a - *high;
}
#endif

/* a * b - p, where p is a * b rounded; exact unless the result underflows. */
PM_BODY vec product_error(vec a, vec b, vec p)
{
#if PM_LANES != 2
    return PM_OF_VECTORS(fmsub)(a, b, p);
#else
    vec ah, al, bh, bl;
    split(a, &ah, &al);
    split(b, &bh, &bl);
    return (((ah * bh - p) + ah * bl) + al * bh) + al * bl;
#endif
}

PM_BODY vec root(vec x)
{
#if PM_LANES != 2
    return PM_OF_VECTORS(sqrt)(x);
#else
    for (int i = 0; i < PM_ELEMENTS; ++i)
        x[i] = (element)sqrt(x[i]);
    return x;
#endif
}

/* a + b = s + e exactly */
PM_BODY void vec_two_sum(vec a, vec b, vec *s, vec *e)
{
    vec sum = a + b, t = sum - a;
    *e = (a - (sum - t)) + (b - t);
    *s = sum;
}

/* The same if a is a multiple of the last place of b, which holds when |a| >= |b|. */
PM_BODY void vec_fast_two_sum(vec a, vec b, vec *s, vec *e)
{
    vec sum = a + b;
    *e = b - (sum - a);
    *s = sum;
}

#endif
