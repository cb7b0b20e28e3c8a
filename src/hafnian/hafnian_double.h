/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_double.h: sums of products of numbers in two doubles.  Products of high parts are exact, those of low parts are
 * left out, and all low parts are added up in double. */
#ifndef PM_HAFNIAN_DOUBLE_H
#define PM_HAFNIAN_DOUBLE_H

#include "hafnian/hafnian_row.h"

typedef struct {
    vec high, low;
} two_parts;

/* s += a x; is_plain: a.low is 0. */
PM_BODY void add_product(two_parts *s, two_parts a, vec x_high, vec x_low, bool is_plain)
{
    const vec p = a.high * x_high;
    vec rest = product_error(a.high, x_high, p) + a.high * x_low, sum, error;
    if (!is_plain)
        rest += a.low * x_high;
    vec_two_sum(s->high, p, &sum, &error);
    s->high = sum;
    s->low += error + rest;
}

PM_BODY void normalise(two_parts *s)
{
    vec high, low;
    vec_two_sum(s->high, s->low, &high, &low);
    *s = (two_parts){high, low};
}

PM_BODY two_parts splat_parts(const double *c)
{
    return (two_parts){splat(c[0]), splat(c[1])};
}

PM_BODY two_parts minus(two_parts a)
{
    return (two_parts){-a.high, -a.low};
}

PM_BODY two_parts plus(two_parts a, two_parts b)
{
    vec s, e, t, f;
    vec_two_sum(a.high, b.high, &s, &e);
    vec_two_sum(a.low, b.low, &t, &f);
    vec_fast_two_sum(s, e + t, &s, &e);
    vec_fast_two_sum(s, e + f, &s, &e);
    return (two_parts){s, e};
}

/* Vectors number part, PARTS + part, ... of a row of so many numbers of doubles. */
PM_BODY vec part_moved_up(const vec *x, int part, int c)
{
    return (vec)moved_up((const words *)x, part, c);
}

PM_BODY void load_doubles(vec *x, const char *p, int vectors)
{
    for (int i = 0; i < vectors; ++i)
        x[i] = load((const double *)(const void *)(p + i * (int)sizeof(vec)));
}

PM_BODY void store_doubles(char *p, const vec *x, int vectors)
{
    for (int i = 0; i < vectors; ++i)
        store((double *)(void *)(p + i * (int)sizeof(vec)), x[i]);
}

#endif
