/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/decimal_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pm/alloc.h"

#define PLAIN_LOWEST (-5)
#define PLAIN_MOST   20

int pm_decimal_digits(unsigned __int128 n, char *out)
{
    const uint64_t chunk = UINT64_C(10000000000000000000); /* 10^19 */
    uint64_t part[2] = {(uint64_t)n, 0};
    char digit[40];
    int length = 0, end;
    if (n >= chunk) {
        part[0] = (uint64_t)(n % chunk);
        part[1] = (uint64_t)(n / chunk);
    }
    for (int k = 0; k < 2; ++k)
        for (int i = 0; part[k] || (k == 0 && part[1] && i < 19); ++i, part[k] /= 10)
            digit[length++] = (char)('0' + part[k] % 10);
    for (int i = 0; i < length; ++i)
        out[i] = digit[length - 1 - i];
    for (end = length; end > 1 && out[end - 1] == '0'; --end)
        ;
    out[end] = '\0';
    return length;
}

static char *put(char *to, const char *from, int64_t length)
{
    memcpy(to, from, (size_t)length);
    return to + length;
}

static char *put_zeros(char *to, int64_t count)
{
    memset(to, '0', (size_t)count);
    return to + count;
}

static char *put_exponent(char *to, int64_t k)
{
    if (k > -100 && k < 100) { /* nearly always, and without the cost of snprintf */
        int64_t size = k < 0 ? -k : k;
        *to++ = 'e';
        *to++ = k < 0 ? '-' : '+';
        *to++ = (char)('0' + size / 10);
        *to++ = (char)('0' + size % 10);
        return to;
    }
    return to + snprintf(to, 24, "e%+03" PRId64, k);
}

char *pm_decimal_layout(bool is_negative, const char *digit, int64_t digits, int64_t decade)
{
    enum { MORE = 64 }; /* sign, point, zeros of plain notation, exponent */
    int64_t k = decade, length = (int64_t)strlen(digit);
    char *text = pm_alloc_array(length + MORE, 1), *to = text;
    if (!text)
        return NULL;
    bool is_plain = k >= PLAIN_LOWEST && k <= PLAIN_MOST && k < digits;
    int64_t whole = !is_plain ? 1 : k < 0 ? 0 : k + 1; /* digits before the point */
    int64_t given = whole < length ? whole : length;
    if (is_negative)
        *to++ = '-';
    if (whole == 0)
        *to++ = '0';
    to = put(to, digit, given);
    to = put_zeros(to, whole - given);
    if (length > whole) {
        *to++ = '.';
        if (whole == 0)
            to = put_zeros(to, -k - 1);
        to = put(to, digit + given, length - given);
    }
    if (!is_plain)
        to = put_exponent(to, k);
    *to = '\0';
    return text;
}
