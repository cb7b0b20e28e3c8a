/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decimal is w * 10^e with w < 2^64.  With |e| <= 27, 5^|e| is below 2^63, so w * 5^e is one product or one quotient of
 * integers of 128 bits.  It is cut to 64 bits, of which the last one is set where something was cut off, and the
 * conversion of these to a double rounds as the whole number would. */
#include "config.h"

#include "text/short_decimal.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 uint128;

enum { MOST_DIGITS = 19, MOST_TENS = 27 };

/* x * 2^exp, x > 0. */
static double rounded(uint128 x, int exp)
{
    const int cut = x >> 64 ? 64 - __builtin_clzll((uint64_t)(x >> 64)) : 0;
    const uint128 rest = x & (((uint128)1 << cut) - 1);
    return ldexp((double)((uint64_t)(x >> cut) | (rest != 0)), exp + cut);
}

/* w / d, 0 < w, 0 < d < 2^63: the quotient has at least 65 bits before it is cut. */
static double divided(uint64_t w, uint64_t d, int exp)
{
    const int shift = 64 + __builtin_clzll(w);
    const uint128 n = (uint128)w << shift, q = n / d;
    return rounded(q | (n != q * d), exp - shift);
}

static uint64_t add_digits(uint64_t w, const char *digits, const char *end)
{
    for (const char *p = digits; p < end; ++p)
        w = 10 * w + (uint64_t)(*p - '0');
    return w;
}

static uint64_t power_of_five(int64_t exp)
{
    uint64_t power = 1;
    for (; exp > 2; exp -= 3)
        power *= 125;
    return exp == 2 ? 25 * power : exp == 1 ? 5 * power : power;
}

bool pm_short_decimal(const char *digits, const char *end, int64_t exp, double *out)
{
    const char *point = memchr(digits, '.', (size_t)(end - digits)), *first = digits;
    while (first < end && (*first == '0' || *first == '.'))
        ++first;
    if (end - first - (point && point >= first) > MOST_DIGITS)
        return false;
    if (point)
        exp -= end - point - 1;
    if (exp > MOST_TENS || exp < -MOST_TENS)
        return false;
    uint64_t w = add_digits(0, digits, point ? point : end);
    if (point)
        w = add_digits(w, point + 1, end);
    const uint64_t power = power_of_five(exp < 0 ? -exp : exp);
    *out = w == 0    ? 0
           : exp < 0 ? divided(w, power, (int)exp)
                     : rounded((uint128)w * power, (int)exp);
    return true;
}
