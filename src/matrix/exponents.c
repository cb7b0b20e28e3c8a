/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matrix/exponents.h"

#include <stddef.h>

static void widen(pm_exponents *s, const pm_dyadic *x, int64_t n)
{
    int64_t low = s->low, high = s->high;
    for (int64_t k = 0; x && k < n; ++k) {
        int64_t e = x[k].exp;
        if ((e >= low && e <= high) || pm_dyadic_is_zero(&x[k]))
            continue;
        if (e < low) {
            low = e;
            s->at_low = k;
        }
        if (e > high) {
            high = e;
            s->at_high = k;
        }
    }
    s->low = low;
    s->high = high;
}

pm_exponents pm_exponents_of(const pm_dyadic *re, const pm_dyadic *im, int64_t n)
{
    pm_exponents s = {INT64_MAX, INT64_MIN, -1, -1};
    widen(&s, re, n);
    widen(&s, im, n);
    return s;
}
