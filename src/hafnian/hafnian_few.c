/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "hafnian/hafnian_few.h"

#include <math.h>
#include <stdlib.h>

#include "hafnian/hafnian_levels.h"

/* The size of a sum is the same sum with absolute values.  It has at most 2^18 products of at most twelve numbers (all are loops), so it
 * is 0, or between 2^-732 and 2^738.  Nothing overflows, and what is lost where a low part underflows is below 2^-340 of the size. */
#define LARGEST 0x1p60

/* 0, or a single double of such a size.  A number below all doubles is not 0. */
static bool is_alike(const pm_dyadic *d)
{
    if (d->kind != PM_DYADIC_SMALL || llabs(d->m.small) >> 53 != 0)
        return false;
    const double size = fabs(pm_dyadic_get_d(d));
    return d->m.small == 0 || (size < LARGEST && size * LARGEST >= 0.5);
}

static bool are_few(const pm_dyadic *part, int64_t count)
{
    for (int64_t k = 0; part && k < count; ++k)
        if (!is_alike(&part[k]))
            return false;
    return true;
}

bool pm_hafnian_is_few(const pm_matrix *a)
{
    const int64_t count = pm_matrix_nnz(a);
    return a->nrows <= PM_HAFNIAN_FEW && are_few(a->re, count) && are_few(a->im, count);
}

/* An odd number of vertices gets one more, which is always alone.  *is_positive: no number is negative or complex. */
static void load(const pm_matrix *a, pm_hafnian_few *g, bool *is_positive)
{
    *g = (pm_hafnian_few){.n = (int)a->nrows + (int)(a->nrows & 1), .sheets = 1};
    *is_positive = !a->im;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const double re = pm_dyadic_get_d(&a->re[k]);
            g->a[i][a->colind[k]].re = re;
            if (a->im)
                g->a[i][a->colind[k]].im = pm_dyadic_get_d(&a->im[k]);
            if (re < 0)
                *is_positive = false;
            if (a->colind[k] == i)
                g->sheets = 2;
        }
    if (a->nrows < g->n)
        g->a[a->nrows][a->nrows].re = 1;
}

/* Relative to the hafnian of the absolute values.  One addition of a product to a sum has an error of at most 3 u^2 of the sum and
 * 10 u^2 of the product, u = 2^-53 (number/dd.h).  With complex numbers each part of the sum gets two products: at most twice the
 * error in each part, so less than three times for both together.
 *
 * With m pairs of vertices a matching is a product that goes through at most 2 m steps of paths and jumps, each of at most 2 m
 * additions.  Then it goes through at most 2^m additions where counts are summed: 2^(m-1) for the highest pair, and half as many for
 * each pair below. */
static double relative_error(int pairs, bool is_complex)
{
    const double additions = 4. * pairs * pairs + ldexp(1, pairs);
    return 0x1p-106 * 10.1 * additions * (is_complex ? 3 : 1);
}

void pm_hafnian_few_count(const pm_matrix *a, pm_value *out)
{
    const pm_hafnian_kernels *k = pm_hafnian_kernels_best();
    const bool is_complex = a->im != NULL;
    pm_hafnian_few g;
    bool is_positive;
    double x[4] = {0}, size = 0;
    load(a, &g, &is_positive);
    (is_complex ? k->few_complex : k->few_real)(&g, x);
    if (is_positive)
        size = x[0];
    else
        k->few_size(&g, &size);
    const double error = size * (1 + 0x1p-40) * relative_error(g.n / 2, is_complex);
    pm_value_set_real(out, a->field, pm_xreal_make(x[0], x[1], 0), pm_xreal_make(x[2], x[3], 0),
                      pm_xreal_make(error, 0, 0));
}
