/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matrix/exponents.h"

#include <stddef.h>

static void widen(pm_exponents *s, const pm_dyadic *x, int64_t n)
{
    for (int64_t k = 0; x && k < n; ++k) {
        if (x[k].exp >= s->low && x[k].exp <= s->high)
            continue;
        if (pm_dyadic_is_zero(&x[k]))
            continue;
        if (x[k].exp < s->low) {
            s->low = x[k].exp;
            s->at_low = k;
        }
        if (x[k].exp > s->high) {
            s->high = x[k].exp;
            s->at_high = k;
        }
    }
}

pm_exponents pm_exponents_of(const pm_dyadic *re, const pm_dyadic *im, int64_t n)
{
    pm_exponents s = {INT64_MAX, INT64_MIN, -1, -1};
    widen(&s, re, n);
    widen(&s, im, n);
    return s;
}
