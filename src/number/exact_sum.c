/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/exact_sum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/dd.h"

enum { TOP = PM_EXACT_DIGITS - 1, MOST_ADDED = 1 << 29 };
#define LOW UINT64_C(0xFFFFFFFF)

void pm_exact_sum_carry(pm_exact_sum *s)
{
    int64_t carry = 0;
    for (int k = 0; k < TOP; ++k) {
        int64_t d = s->digit[k] + carry;
        s->digit[k] = (int64_t)((uint64_t)d & LOW);
        carry = (d - s->digit[k]) / (INT64_C(1) << 32);
    }
    s->digit[TOP] += carry;
    s->added = 0;
}

void pm_exact_sum_add(pm_exact_sum *s, double x)
{
    int exponent;
    if (!isfinite(x)) {
        s->special += x;
        return;
    }
    if (x == 0)
        return;
    /* x = mantissa * 2^place of the lowest digit */
    int64_t mantissa = (int64_t)ldexp(frexp(x, &exponent), 53);
    int place = exponent - 53 - PM_EXACT_LOWEST;
    if (place < 0) { /* subnormal: its lowest bits are 0 */
        mantissa /= INT64_C(1) << -place;
        place = 0;
    }
    int k = place / 32;
    uint64_t size = (uint64_t)(mantissa < 0 ? -mantissa : mantissa);
    unsigned __int128 shifted = (unsigned __int128)size << (place % 32);
    int64_t part[3] = {(int64_t)((uint64_t)shifted & LOW),
                       (int64_t)((uint64_t)(shifted >> 32) & LOW), (int64_t)(shifted >> 64)};
    for (int i = 0; i < 3; ++i)
        s->digit[k + i] += mantissa < 0 ? -part[i] : part[i];
    if (++s->added >= MOST_ADDED)
        pm_exact_sum_carry(s);
}

void pm_exact_sum_merge(pm_exact_sum *s, pm_exact_sum *other)
{
    pm_exact_sum_carry(s);
    pm_exact_sum_carry(other);
    for (int k = 0; k < PM_EXACT_DIGITS; ++k)
        s->digit[k] += other->digit[k];
    s->special += other->special;
    pm_exact_sum_carry(s);
}

/* From the highest digit, which has the sign, to the lowest one. */
static void scale_up(pm_exact_sum *s, int bits)
{
    s->digit[TOP] *= INT64_C(1) << bits;
    for (int k = TOP; k > 0; --k) {
        s->digit[k] += s->digit[k - 1] >> (32 - bits);
        s->digit[k - 1] = (int64_t)((uint64_t)s->digit[k - 1] << bits & LOW);
    }
}

/* Doubles are multiples of 2^-1074, so the lowest bits of the lowest digit are 0. */
static void scale_down(pm_exact_sum *s, int bits)
{
    const int64_t part = (INT64_C(1) << bits) - 1;
    for (int k = 0; k < TOP; ++k)
        s->digit[k] = s->digit[k] >> bits | (s->digit[k + 1] & part) << (32 - bits);
    s->digit[TOP] >>= bits;
}

void pm_exact_sum_scale(pm_exact_sum *s, int bits)
{
    pm_exact_sum_carry(s);
    if (bits > 0)
        scale_up(s, bits);
    else if (bits < 0)
        scale_down(s, -bits);
}

static int highest(const pm_exact_sum *s)
{
    int k = TOP;
    while (k > 0 && s->digit[k] == 0)
        --k;
    return k;
}

/* Makes all digits of a negative sum positive.  Returns its sign. */
static int take_sign(pm_exact_sum *s)
{
    pm_exact_sum_carry(s);
    if (s->digit[TOP] >= 0)
        return 1;
    for (int k = 0; k < PM_EXACT_DIGITS; ++k)
        s->digit[k] = -s->digit[k];
    pm_exact_sum_carry(s);
    return -1;
}

/* s, which is not negative, nearly rounded: from its four highest digits. */
static double leading(const pm_exact_sum *s)
{
    int k = highest(s), low = k < 3 ? 0 : k - 3;
    double x = 0;
    for (int i = low; i <= k; ++i) /* the lowest first */
        x += ldexp((double)s->digit[i], 32 * (i - low));
    return ldexp(x, 32 * low + PM_EXACT_LOWEST);
}

void pm_exact_sum_round(const pm_exact_sum *s, double out[2])
{
    pm_exact_sum rest = *s;
    if (s->special != 0) {
        out[0] = s->special;
        out[1] = 0;
        return;
    }
    double part[3];
    for (int i = 0; i < 3; ++i) {
        int sign = take_sign(&rest);
        double x = leading(&rest);
        part[i] = sign * x;
        pm_exact_sum_add(&rest, -x);
        if (sign < 0)
            for (int k = 0; k < PM_EXACT_DIGITS; ++k)
                rest.digit[k] = -rest.digit[k];
    }
    if (isinf(part[0])) {
        out[0] = part[0];
        out[1] = 0;
        return;
    }
    pm_fast_two_sum(part[0], part[1] + part[2], &out[0], &out[1]);
}

void pm_exact_sum_text(const pm_exact_sum *s, char text[PM_EXACT_TEXT])
{
    pm_exact_sum x = *s;
    if (s->special != 0) {
        snprintf(text, PM_EXACT_TEXT, "%s",
                 isnan(s->special) ? "nan"
                 : s->special < 0  ? "-inf"
                                   : "inf");
        return;
    }
    int sign = take_sign(&x), k = highest(&x), low = 0;
    while (low < k && x.digit[low] == 0)
        ++low;
    int used = snprintf(text, PM_EXACT_TEXT, "%s%llx", sign < 0 ? "-" : "",
                        (unsigned long long)x.digit[k]);
    for (int i = k - 1; i >= low; --i)
        used += snprintf(text + used, (size_t)(PM_EXACT_TEXT - used), "%08llx",
                         (unsigned long long)x.digit[i]);
    snprintf(text + used, (size_t)(PM_EXACT_TEXT - used), "p%d",
             k == 0 && x.digit[0] == 0 ? 0 : 32 * low + PM_EXACT_LOWEST);
}

static int hexadecimal(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_special(const char *text, pm_exact_sum *s)
{
    bool is_infinite = strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0;
    if (strcmp(text, "nan") != 0 && !is_infinite)
        return false;
    s->special = !is_infinite ? (double)NAN : *text == '-' ? -(double)INFINITY : (double)INFINITY;
    return true;
}

bool pm_exact_sum_read(const char *text, pm_exact_sum *s)
{
    *s = (pm_exact_sum){0};
    if (read_special(text, s))
        return true;
    bool is_negative = *text == '-';
    const char *first = text + is_negative, *p = strchr(first, 'p');
    char *end;
    if (!p || p == first || (p[1] != '-' && hexadecimal(p[1]) < 0))
        return false;
    long exponent = strtol(p + 1, &end, 10), most = 32 * PM_EXACT_DIGITS;
    bool is_zero = p == first + 1 && *first == '0';
    if (end == p + 1 || *end)
        return false;
    if (is_zero)
        return exponent == 0 && !is_negative;
    if (exponent < PM_EXACT_LOWEST || exponent > most || (exponent - PM_EXACT_LOWEST) % 32 != 0)
        return false;
    long digit = (exponent - PM_EXACT_LOWEST) / 32;
    int shift = 0;
    for (const char *c = p; c > first; --c) {
        int h = hexadecimal(c[-1]);
        if (h < 0 || digit >= PM_EXACT_DIGITS)
            return false;
        s->digit[digit] |= (int64_t)h << shift;
        shift += 4;
        if (shift == 32) {
            shift = 0;
            ++digit;
        }
    }
    for (int k = 0; k < PM_EXACT_DIGITS && is_negative; ++k)
        s->digit[k] = -s->digit[k];
    pm_exact_sum_carry(s);
    return true;
}
