/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_size.h: numbers that are not negative, in double, for hafnian_paths.h: the hafnian of the absolute
 * values, from which the errors of real and complex numbers are known. */
#ifndef PM_HAFNIAN_SIZE_H
#define PM_HAFNIAN_SIZE_H

#include "hafnian/hafnian_double.h"

#define KIND(x) x##_size

typedef struct {
    vec part[PARTS];
} row_size, total_size;

PM_BODY char *at_size(const void *p, int64_t i)
{
    return (char *)(uintptr_t)p + i * (int64_t)sizeof(double);
}

PM_BODY row_size zero_size(void)
{
    return (row_size){0};
}

PM_BODY row_size one_size(void)
{
    row_size x = {0};
    x.part[0][0] = 1;
    return x;
}

PM_BODY row_size load_size(const pm_hafnian_level *l, const char *p)
{
    row_size x;
    (void)l;
    load_doubles(x.part, p, PARTS);
    return x;
}

PM_BODY void store_size(const pm_hafnian_level *l, char *p, row_size x)
{
    (void)l;
    store_doubles(p, x.part, PARTS);
}

PM_BODY row_size plus_size(const pm_hafnian_level *l, row_size a, row_size b)
{
    (void)l;
    for (int i = 0; i < PARTS; ++i)
        a.part[i] += b.part[i];
    return a;
}

PM_BODY row_size up_size(row_size x, int c)
{
    row_size y;
    for (int i = 0; i < PARTS; ++i)
        y.part[i] = part_moved_up(x.part, i, c);
    return y;
}

PM_BODY void dot_size(const pm_hafnian_level *l, const void *matrix, const int32_t *in,
                      const row_size *x, int m, const int32_t *out, int nout, row_size *y)
{
    for (int part = 0; part < PARTS; ++part) {
        vec sum[4];
#pragma GCC unroll 4
        for (int j = 0; j < nout; ++j)
            sum[j] = (vec){0};
        for (int i = 0; i < m; ++i) {
            const double *c = (const double *)matrix + in[i] * l->stride;
#pragma GCC unroll 4
            for (int j = 0; j < nout; ++j)
                sum[j] += splat(c[out[j]]) * x[i].part[part];
        }
#pragma GCC unroll 4
        for (int j = 0; j < nout; ++j)
            y[j].part[part] = sum[j];
    }
}

PM_BODY void clear_size(total_size *t)
{
    *t = (total_size){0};
}

PM_BODY void add_products_size(const pm_hafnian_level *l, total_size *t, const char *p, row_size x)
{
    const double *h = (const double *)(const void *)p;
    (void)l;
#pragma GCC unroll 4
    for (int i = 0; i < PARTS; ++i)
#pragma GCC unroll 8
        for (int c = 0; c < PM_HAFNIAN_LANES; ++c)
            t->part[i] += splat(h[c]) * part_moved_up(x.part, i, c);
}

PM_BODY row_size rounded_size(const pm_hafnian_level *l, const total_size *t)
{
    (void)l;
    return *t;
}

#include "hafnian/hafnian_paths.h"

#endif
