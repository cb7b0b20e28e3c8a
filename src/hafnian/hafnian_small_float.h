/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_small_float.h: the small hafnians of hafnian_kernel.h, in double-double and in double. */
#ifndef PM_HAFNIAN_SMALL_FLOAT_H
#define PM_HAFNIAN_SMALL_FLOAT_H

#include "core/lanes.h"
#include "hafnian/hafnian_kernel.h"
#include "number/dd.h"

/* ---- real ---- */

typedef struct {
    double x[2];
} real_number;

#define WORD    real_number
#define MOST    PM_HAFNIAN_FEW
#define NAME(x) x##_few_real

PM_BODY real_number NAME(one)(void)
{
    return (real_number){{1, 0}};
}

PM_BODY void NAME(add)(real_number *sum, real_number x, real_number y)
{
    double z[2];
    pm_dd_mul(z, x.x, y.x);
    pm_dd_add(sum->x, z);
}

#include "hafnian/hafnian_small_body.h"

PM_BODY_TARGET static void few_real(const pm_hafnian_few *g, double *number)
{
    small_few_real s = {.n = g->n, .sheets = g->sheets};
    for (int i = 0; i < g->n; ++i)
        for (int j = 0; j < g->n; ++j)
            s.a[i][j].x[0] = g->a[i][j].re;
    const real_number h = count_few_real(&s);
    number[0] = h.x[0];
    number[1] = h.x[1];
}

/* ---- complex ---- */

typedef struct {
    real_number re, im;
} complex_number;

#define WORD    complex_number
#define MOST    PM_HAFNIAN_FEW
#define NAME(x) x##_few_complex

PM_BODY complex_number NAME(one)(void)
{
    return (complex_number){{{1, 0}}, {{0, 0}}};
}

PM_BODY void NAME(add)(complex_number *sum, complex_number x, complex_number y)
{
    const real_number minus = {{-x.im.x[0], -x.im.x[1]}};
    add_few_real(&sum->re, x.re, y.re);
    add_few_real(&sum->re, minus, y.im);
    add_few_real(&sum->im, x.re, y.im);
    add_few_real(&sum->im, x.im, y.re);
}

#include "hafnian/hafnian_small_body.h"

PM_BODY_TARGET static void few_complex(const pm_hafnian_few *g, double *number)
{
    small_few_complex s = {.n = g->n, .sheets = g->sheets};
    for (int i = 0; i < g->n; ++i)
        for (int j = 0; j < g->n; ++j) {
            s.a[i][j].re.x[0] = g->a[i][j].re;
            s.a[i][j].im.x[0] = g->a[i][j].im;
        }
    const complex_number h = count_few_complex(&s);
    number[0] = h.re.x[0];
    number[1] = h.re.x[1];
    number[2] = h.im.x[0];
    number[3] = h.im.x[1];
}

/* ---- absolute values ---- */

#define WORD    double
#define MOST    PM_HAFNIAN_FEW
#define NAME(x) x##_few_size
#define PLAIN
#include "hafnian/hafnian_small_body.h"

PM_BODY_TARGET static void few_size(const pm_hafnian_few *g, double *number)
{
    small_few_size s = {.n = g->n, .sheets = g->sheets};
    for (int i = 0; i < g->n; ++i)
        for (int j = 0; j < g->n; ++j)
            s.a[i][j] = sqrt(g->a[i][j].re * g->a[i][j].re + g->a[i][j].im * g->a[i][j].im);
    *number = count_few_size(&s);
}

#endif
