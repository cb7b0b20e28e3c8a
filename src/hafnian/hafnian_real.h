/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_real.h: real numbers in two doubles, for hafnian_paths.h. */
#ifndef PM_HAFNIAN_REAL_H
#define PM_HAFNIAN_REAL_H

#include "hafnian/hafnian_double.h"

#define KIND(x) x##_real

typedef struct {
    vec high[PARTS], low[PARTS];
} row_real;

typedef struct {
    two_parts part[PARTS];
} total_real;

PM_BODY char *at_real(const void *p, int64_t i)
{
    return (char *)(uintptr_t)p + i * 2 * (int64_t)sizeof(double);
}

PM_BODY row_real zero_real(void)
{
    return (row_real){0};
}

PM_BODY row_real one_real(void)
{
    row_real x = {0};
    x.high[0][0] = 1;
    return x;
}

PM_BODY row_real load_real(const pm_hafnian_level *l, const char *p)
{
    row_real x;
    (void)l;
    load_doubles(x.high, p, PARTS);
    load_doubles(x.low, p + sizeof x.high, PARTS);
    return x;
}

PM_BODY void store_real(const pm_hafnian_level *l, char *p, row_real x)
{
    (void)l;
    store_doubles(p, x.high, PARTS);
    store_doubles(p + sizeof x.high, x.low, PARTS);
}

PM_BODY row_real plus_real(const pm_hafnian_level *l, row_real a, row_real b)
{
    (void)l;
    for (int i = 0; i < PARTS; ++i) {
        const two_parts s =
            plus((two_parts){a.high[i], a.low[i]}, (two_parts){b.high[i], b.low[i]});
        a.high[i] = s.high;
        a.low[i] = s.low;
    }
    return a;
}

PM_BODY row_real up_real(row_real x, int c)
{
    row_real y;
    for (int i = 0; i < PARTS; ++i) {
        y.high[i] = part_moved_up(x.high, i, c);
        y.low[i] = part_moved_up(x.low, i, c);
    }
    return y;
}

PM_BODY void dot_part_real(const pm_hafnian_level *l, const void *matrix, const int32_t *in,
                           const row_real *x, int m, const int32_t *out, int nout, row_real *y,
                           int part, bool is_plain)
{
    two_parts sum[4];
#pragma GCC unroll 4
    for (int j = 0; j < nout; ++j)
        sum[j] = (two_parts){{0}, {0}};
    for (int i = 0; i < m; ++i) {
        const double *c = (const double *)matrix + 2 * in[i] * l->stride;
#pragma GCC unroll 4
        for (int j = 0; j < nout; ++j)
            add_product(&sum[j], splat_parts(c + 2 * out[j]), x[i].high[part], x[i].low[part],
                        is_plain);
    }
#pragma GCC unroll 4
    for (int j = 0; j < nout; ++j) {
        normalise(&sum[j]);
        y[j].high[part] = sum[j].high;
        y[j].low[part] = sum[j].low;
    }
}

PM_BODY void dot_real(const pm_hafnian_level *l, const void *matrix, const int32_t *in,
                      const row_real *x, int m, const int32_t *out, int nout, row_real *y)
{
    for (int part = 0; part < PARTS; ++part)
        if (l->is_plain)
            dot_part_real(l, matrix, in, x, m, out, nout, y, part, true);
        else
            dot_part_real(l, matrix, in, x, m, out, nout, y, part, false);
}

PM_BODY void clear_real(total_real *t)
{
    *t = (total_real){0};
}

PM_BODY void add_products_real(const pm_hafnian_level *l, total_real *t, const char *p, row_real x)
{
    const double *h = (const double *)(const void *)p;
    (void)l;
#pragma GCC unroll 4
    for (int i = 0; i < PARTS; ++i) {
#pragma GCC unroll 8
        for (int c = 0; c < PM_HAFNIAN_LANES; ++c)
            add_product(&t->part[i], (two_parts){splat(h[c]), splat(h[PM_HAFNIAN_LANES + c])},
                        part_moved_up(x.high, i, c), part_moved_up(x.low, i, c), false);
        normalise(&t->part[i]);
    }
}

PM_BODY row_real rounded_real(const pm_hafnian_level *l, const total_real *t)
{
    row_real x;
    (void)l;
    for (int i = 0; i < PARTS; ++i) {
        x.high[i] = t->part[i].high;
        x.low[i] = t->part[i].low;
    }
    return x;
}

#include "hafnian/hafnian_paths.h"

#endif
