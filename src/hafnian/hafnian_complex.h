/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_complex.h: complex numbers in four doubles, for hafnian_paths.h. */
#ifndef PM_HAFNIAN_COMPLEX_H
#define PM_HAFNIAN_COMPLEX_H

#include "hafnian/hafnian_double.h"

#define KIND(x) x##_complex

enum { RE_HIGH, RE_LOW, IM_HIGH, IM_LOW, COMPLEX_PARTS };

typedef struct {
    vec part[COMPLEX_PARTS][PARTS];
} row_complex;

typedef struct {
    two_parts re, im;
} complex_parts;

typedef struct {
    complex_parts part[PARTS];
} total_complex;

PM_BODY char *at_complex(const void *p, int64_t i)
{
    return (char *)(uintptr_t)p + i * COMPLEX_PARTS * (int64_t)sizeof(double);
}

PM_BODY row_complex zero_complex(void)
{
    return (row_complex){0};
}

PM_BODY row_complex one_complex(void)
{
    row_complex x = {0};
    x.part[RE_HIGH][0][0] = 1;
    return x;
}

PM_BODY row_complex load_complex(const pm_hafnian_level *l, const char *p)
{
    row_complex x;
    (void)l;
    load_doubles(x.part[0], p, COMPLEX_PARTS * PARTS);
    return x;
}

PM_BODY void store_complex(const pm_hafnian_level *l, char *p, row_complex x)
{
    (void)l;
    store_doubles(p, x.part[0], COMPLEX_PARTS * PARTS);
}

PM_BODY void set_part_complex(row_complex *x, int part, complex_parts s)
{
    x->part[RE_HIGH][part] = s.re.high;
    x->part[RE_LOW][part] = s.re.low;
    x->part[IM_HIGH][part] = s.im.high;
    x->part[IM_LOW][part] = s.im.low;
}

PM_BODY complex_parts part_complex(const row_complex *x, int part)
{
    return (complex_parts){{x->part[RE_HIGH][part], x->part[RE_LOW][part]},
                           {x->part[IM_HIGH][part], x->part[IM_LOW][part]}};
}

PM_BODY row_complex plus_complex(const pm_hafnian_level *l, row_complex a, row_complex b)
{
    (void)l;
    for (int i = 0; i < PARTS; ++i) {
        const complex_parts x = part_complex(&a, i), y = part_complex(&b, i);
        set_part_complex(&a, i, (complex_parts){plus(x.re, y.re), plus(x.im, y.im)});
    }
    return a;
}

PM_BODY row_complex up_complex(row_complex x, int c)
{
    row_complex y;
    for (int k = 0; k < COMPLEX_PARTS; ++k)
        for (int i = 0; i < PARTS; ++i)
            y.part[k][i] = part_moved_up(x.part[k], i, c);
    return y;
}

PM_BODY void add_complex(complex_parts *s, two_parts a, two_parts b, complex_parts x, bool is_plain)
{
    add_product(&s->re, a, x.re.high, x.re.low, is_plain);
    add_product(&s->im, a, x.im.high, x.im.low, is_plain);
    add_product(&s->re, minus(b), x.im.high, x.im.low, is_plain);
    add_product(&s->im, b, x.re.high, x.re.low, is_plain);
}

PM_BODY void dot_part_complex(const pm_hafnian_level *l, const void *matrix, const int32_t *in,
                              const row_complex *x, int m, const int32_t *out, int nout,
                              row_complex *y, int part, bool is_plain)
{
    complex_parts sum[4];
#pragma GCC unroll 4
    for (int j = 0; j < nout; ++j)
        sum[j] = (complex_parts){{{0}, {0}}, {{0}, {0}}};
    for (int i = 0; i < m; ++i) {
        const double *c = (const double *)matrix + COMPLEX_PARTS * in[i] * l->stride;
        const complex_parts here = part_complex(&x[i], part);
#pragma GCC unroll 4
        for (int j = 0; j < nout; ++j) {
            const double *a = c + COMPLEX_PARTS * out[j];
            add_complex(&sum[j], splat_parts(a), splat_parts(a + IM_HIGH), here, is_plain);
        }
    }
#pragma GCC unroll 4
    for (int j = 0; j < nout; ++j) {
        normalise(&sum[j].re);
        normalise(&sum[j].im);
        set_part_complex(&y[j], part, sum[j]);
    }
}

PM_BODY void dot_complex(const pm_hafnian_level *l, const void *matrix, const int32_t *in,
                         const row_complex *x, int m, const int32_t *out, int nout, row_complex *y)
{
    for (int part = 0; part < PARTS; ++part)
        if (l->is_plain)
            dot_part_complex(l, matrix, in, x, m, out, nout, y, part, true);
        else
            dot_part_complex(l, matrix, in, x, m, out, nout, y, part, false);
}

PM_BODY void clear_complex(total_complex *t)
{
    *t = (total_complex){0};
}

PM_BODY void add_products_complex(const pm_hafnian_level *l, total_complex *t, const char *p,
                                  row_complex x)
{
    const double *h = (const double *)(const void *)p;
    (void)l;
#pragma GCC unroll 4
    for (int i = 0; i < PARTS; ++i) {
#pragma GCC unroll 8
        for (int c = 0; c < PM_HAFNIAN_LANES; ++c) {
            const double re[2] = {h[c], h[PM_HAFNIAN_LANES + c]};
            const double im[2] = {h[2 * PM_HAFNIAN_LANES + c], h[3 * PM_HAFNIAN_LANES + c]};
            const complex_parts moved = {
                {part_moved_up(x.part[RE_HIGH], i, c), part_moved_up(x.part[RE_LOW], i, c)},
                {part_moved_up(x.part[IM_HIGH], i, c), part_moved_up(x.part[IM_LOW], i, c)}};
            add_complex(&t->part[i], splat_parts(re), splat_parts(im), moved, false);
        }
        normalise(&t->part[i].re);
        normalise(&t->part[i].im);
    }
}

PM_BODY row_complex rounded_complex(const pm_hafnian_level *l, const total_complex *t)
{
    row_complex x;
    (void)l;
    for (int i = 0; i < PARTS; ++i)
        set_part_complex(&x, i, t->part[i]);
    return x;
}

#include "hafnian/hafnian_paths.h"

#endif
