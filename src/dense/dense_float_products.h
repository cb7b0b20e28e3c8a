/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float_products.h: products of vectors of real and complex numbers, in double or
 * single precision and in double-double.
 *
 * Double-double: a number is high + low.  Products are compensated (Ogita, Rump and Oishi 2005,
 * section 2): the low part collects all first-order errors and is never moved to the high part. */
#ifndef PM_DENSE_FLOAT_PRODUCTS_H
#define PM_DENSE_FLOAT_PRODUCTS_H

#include "core/float_lanes.h"

enum { LANES = 64 / sizeof(element) }; /* with sums of their own: pm_dense_lanes */

PM_BODY void complex_multiply(vec *re, vec *im, vec x, vec y)
{
    vec r = *re * x - *im * y;
    *im = *re * y + *im * x;
    *re = r;
}

typedef struct {
    vec h, l;
} vec_dd;

PM_BODY void dd_multiply(vec *h, vec *l, vec_dd x)
{
    vec p = *h * x.h;
    vec e = add_by_multiplier(product_error(*h, x.h, p), *h * x.l);
    *l = *l * x.h + e;
    *h = p;
}

/* One part of a complex product: a x - b y. */
PM_BODY vec_dd dd_difference_of_products(vec_dd a, vec_dd x, vec_dd b, vec_dd y)
{
    vec p = a.h * x.h, q = b.h * y.h;
    vec e = product_error(a.h, x.h, p), f = product_error(b.h, y.h, q);
    vec_dd r;
    vec_two_sum(p, -q, &r.h, &r.l);
    vec from_x = a.h * x.l - b.h * y.l, from_p = a.l * x.h - b.l * y.h;
    r.l = add_by_multiplier(add_by_multiplier(e - f, r.l), add_by_multiplier(from_x, from_p));
    return r;
}

PM_BODY void complex_dd_multiply(vec *h, vec *l, vec *ih, vec *il, vec_dd x, vec_dd y)
{
    vec_dd re = {*h, *l}, im = {*ih, *il}, minus_y = {-y.h, -y.l};
    vec_dd r = dd_difference_of_products(re, x, im, y);
    vec_dd i = dd_difference_of_products(im, x, re, minus_y);
    *h = r.h, *l = r.l, *ih = i.h, *il = i.l;
}

#endif
