/* SPDX-License-Identifier: GPL-3.0-or-later */
/* z = |x| * 10^s is the exact sum of two doubles, p and e, while 10^|s| is a double, or (s < 0) p is
 * the nearest double and the sign of e is right.  So every comparison with an integer or a half of
 * one is exact. */
#include "config.h"

#include "number/decimal_double.h"

#include <math.h>
#include <string.h>

#include "number/dd.h"
#include "number/decimal_layout.h"

enum { MOST_DIGITS = 17, MOST_POWER = 22, MOST_EXPONENT = 900 };

static const double power[MOST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                             1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool get_size(pm_xreal x, double *size)
{
    if (x.exp < -MOST_EXPONENT || x.exp > MOST_EXPONENT)
        return false;
    *size = ldexp(fabs(x.hi), (int)x.exp);
    return true;
}

/* whole + high + low, where 0 <= high < 1, and low is small beside the last place of high; but
 * high = 0 and low >= 0 where the sum is next to a whole number. */
typedef struct {
    int64_t whole;
    double high, low;
} split_number;

/* size * 10^s < 2^62; |s| <= MOST_POWER */
static split_number scaled(double size, int s)
{
    double p, e, sum, rest;
    if (s >= 0) {
        p = size * power[s];
        e = fma(size, power[s], -p);
    } else {
        p = size / power[-s];
        e = fma(-p, power[-s], size) / power[-s];
    }
    split_number z = {.whole = (int64_t)p};
    pm_two_sum(p - (double)z.whole, e, &sum, &rest);
    double below = floor(sum);
    if (sum == below && rest < 0)
        --below;
    z.whole += (int64_t)below;
    z.high = sum - below;
    z.low = rest;
    return z;
}

/* The decade of size > 0, or one less, since log2 is concave: log2(m 2^e) >= e + m - 1 for 1 <= m < 2. */
static int decade_below(double size)
{
    int e;
    double m = 2 * frexp(size, &e);
    double k = (e - 1 + (m - 1)) * 0.30102999566398120 - 1e-9;
    return (int)k - (k < 0);
}

/* The decade of size, and size * 10^(digits - 1 - decade). */
static bool set_leading(double size, int digits, int *k, split_number *z)
{
    double least = power[digits - 1];
    *k = decade_below(size);
    for (;; ++*k) {
        int s = digits - 1 - *k;
        if (s > MOST_POWER || s < -MOST_POWER)
            return false;
        *z = scaled(size, s);
        if ((double)z->whole < 10 * least)
            return (double)z->whole >= least;
    }
}

bool pm_decimal_decade_double(pm_xreal x, int64_t *k)
{
    double size;
    split_number z;
    int decade;
    if (!get_size(x, &size) || !set_leading(size, 1, &decade, &z))
        return false;
    bool is_at_power = (z.whole == 1 && z.high < 0x1p-40) || (z.whole == 9 && z.high > 1 - 0x1p-40);
    if (x.lo != 0 && is_at_power) /* the low part may matter */
        return false;
    *k = decade;
    return true;
}

static bool goes_up(const split_number *z, pm_rounding how)
{
    if (how == PM_ROUND_AWAY)
        return z->high != 0 || z->low != 0;
    if (z->high != 0.5)
        return z->high > 0.5;
    return z->low > 0 || (z->low == 0 && (z->whole & 1));
}

bool pm_decimal_round_double(pm_xreal x, int digits, pm_rounding how, pm_decimal *out)
{
    double size;
    split_number z;
    int k;
    if (digits > MOST_DIGITS || x.lo != 0 || !get_size(x, &size)
        || !set_leading(size, digits, &k, &z))
        return false;
    *out = (pm_decimal){.is_negative = x.hi < 0, .digits = digits};
    bool up = goes_up(&z, how);
    double residue = up ? (1 - z.high) - z.low : z.high + z.low;
    int length = pm_decimal_digits((uint64_t)(z.whole + up), out->digit);
    out->decade = k + length - digits; /* 9.99 may have become 10.00 */
    if (residue != 0) {
        int s = digits - 1 - k;
        residue = s >= 0 ? residue / power[s] : residue * power[-s];
        out->residue = pm_xreal_make(residue, residue * 0x1p-40, 0);
    }
    return true;
}
