/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text/number.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/long_step.h"
#include "number/bits.h"
#include "number/rational_text.h"
#include "text/short_decimal.h"

/* Exponents of hex floats stay below 2^30 in size: sums of two of them fit pm_dyadic. */
#define HEX_EXPONENT_MAX (INT64_C(1) << 30)

enum { SMALL_DIGITS = 18 }; /* decimal digits that always fit an int64_t */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex_digit(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* ---- big mantissas ---- */

/* x = (-1)^negative * digits * 2^exp, the digits in the given base.  The copy is allocated by GMP,
 * whose allocation never fails.  Returns false when the digits do not fit into memory. */
static bool set_digits(pm_dyadic *x, const char *digits, int64_t length, int base, int64_t exp,
                       bool negative)
{
    int64_t bits = 4 * length; /* at most */
    if (!pm_bits_fit(bits))
        return false;
    void *(*gmp_alloc)(size_t);
    void (*gmp_free)(void *, size_t);
    mp_get_memory_functions(&gmp_alloc, NULL, &gmp_free);
    char *copy = gmp_alloc((size_t)length + 1);
    int64_t n = 0;
    for (int64_t k = 0; k < length; ++k)
        if (digits[k] != '.')
            copy[n++] = digits[k];
    copy[n] = '\0';
    mpz_t z;
    mpz_init(z);
    pm_long_step_begin(bits);
    mpz_set_str(z, copy, base);
    pm_long_step_end(bits);
    gmp_free(copy, (size_t)length + 1);
    if (negative)
        mpz_neg(z, z);
    pm_dyadic_set_mpz_2exp(x, z, mpz_sgn(z) ? exp : 0);
    mpz_clear(z);
    return true;
}

/* ---- integers, hex floats, decimals ---- */

static pm_number_kind parse_integer(const char *p, int64_t length, bool negative, pm_dyadic *out)
{
    if (length > SMALL_DIGITS)
        return set_digits(out, p, length, 10, 0, negative) ? PM_NUMBER_INTEGER : PM_NUMBER_LONG;
    int64_t v = 0;
    for (int64_t k = 0; k < length; ++k)
        v = 10 * v + (p[k] - '0');
    pm_dyadic_set_si(out, negative ? -v : v);
    return PM_NUMBER_INTEGER;
}

/* The exponent after 'e' or 'p', limited to HEX_EXPONENT_MAX or a little more.  Returns false when
 * it is not an integer. */
static bool parse_exponent(const char *p, const char *end, int64_t *out)
{
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        ++p;
    if (p == end)
        return false;
    int64_t v = 0;
    for (; p < end; ++p) {
        if (!is_digit(*p))
            return false;
        if (v < HEX_EXPONENT_MAX)
            v = 10 * v + (*p - '0');
    }
    *out = negative ? -v : v;
    return true;
}

/* The digits that follow "0x". */
static pm_number_kind parse_hex(const char *p, const char *end, bool negative, bool exact,
                                pm_dyadic *out)
{
    const char *first = p, *point = NULL;
    while (p < end && (is_hex_digit(*p) || (*p == '.' && !point))) {
        if (*p == '.')
            point = p;
        ++p;
    }
    const char *stop = p;
    int64_t exp = 0;
    if (stop - first == (point != NULL))
        return PM_NUMBER_BAD;
    if (p < end && ((*p != 'p' && *p != 'P') || !parse_exponent(p + 1, end, &exp)))
        return PM_NUMBER_BAD;
    if (exact && (exp > PM_HEX_EXPONENT_MAX || exp < -PM_HEX_EXPONENT_MAX))
        return PM_NUMBER_FAR;
    if (point)
        exp -= 4 * (stop - point - 1);
    if (exp >= HEX_EXPONENT_MAX || exp <= -HEX_EXPONENT_MAX)
        return PM_NUMBER_RANGE;
    return set_digits(out, first, stop - first, 16, exp, negative) ? PM_NUMBER_REAL
                                                                   : PM_NUMBER_LONG;
}

/* The whole text is a decimal with a point or an exponent.  strtod rounds to nearest and needs the
 * C locale. */
static pm_number_kind parse_long_decimal(const char *text, int64_t length, bool zero,
                                         pm_dyadic *out)
{
    char small[64];
    void *(*gmp_alloc)(size_t);
    void (*gmp_free)(void *, size_t);
    mp_get_memory_functions(&gmp_alloc, NULL, &gmp_free);
    size_t room = (size_t)length + 1;
    char *copy = room <= sizeof small ? small : gmp_alloc(room);
    memcpy(copy, text, (size_t)length);
    copy[length] = '\0';
    double v = strtod(copy, NULL);
    if (copy != small)
        gmp_free(copy, room);
    if (!isfinite(v) || (v == 0 && !zero))
        return PM_NUMBER_RANGE;
    pm_dyadic_set_d(out, v);
    return PM_NUMBER_REAL;
}

/* digits: with or without a point. */
static pm_number_kind parse_exact_decimal(const char *digits, const char *end, int64_t exp,
                                          bool negative, pm_dyadic *out)
{
    const char *point = memchr(digits, '.', (size_t)(end - digits));
    pm_dyadic whole = {0};
    mpq_t x;
    if (exp > PM_DECIMAL_EXPONENT_MAX || exp < -PM_DECIMAL_EXPONENT_MAX)
        return PM_NUMBER_FAR;
    exp -= point ? end - point - 1 : 0;
    if (!set_digits(&whole, digits, end - digits, 10, 0, negative)
        || !pm_bits_fit(4 * (end - digits) + 4 * llabs(exp))) {
        pm_dyadic_clear(&whole);
        return PM_NUMBER_LONG;
    }
    mpq_init(x);
    pm_dyadic_get_mpz(mpq_numref(x), &whole);
    pm_rational_scale_by_ten(x, exp);
    pm_dyadic_set_mpq_2exp(out, x, 0);
    mpq_clear(x);
    pm_dyadic_clear(&whole);
    return PM_NUMBER_REAL;
}

static pm_number_kind parse_number(const char *text, int64_t length, bool exact, pm_dyadic *out)
{
    const char *p = text, *end = text + length;
    bool negative = length > 0 && *p == '-';
    if (length > 0 && (*p == '-' || *p == '+'))
        ++p;
    if (end - p >= 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
        return parse_hex(p + 2, end, negative, exact, out);

    const char *first = p;
    bool point = false, zero = true;
    while (p < end && (is_digit(*p) || (*p == '.' && !point))) {
        point = point || *p == '.';
        zero = zero && (*p == '0' || *p == '.');
        ++p;
    }
    if (p - first == point)
        return PM_NUMBER_BAD;
    if (p == end && !point)
        return parse_integer(first, end - first, negative, out);
    int64_t exp = 0;
    if (p < end && ((*p != 'e' && *p != 'E') || !parse_exponent(p + 1, end, &exp)))
        return PM_NUMBER_BAD;
    double v;
    if (exact)
        return parse_exact_decimal(first, p, exp, negative, out);
    if (!pm_short_decimal(first, p, exp, &v))
        return parse_long_decimal(text, length, zero, out);
    pm_dyadic_set_d(out, negative ? -v : v);
    return PM_NUMBER_REAL;
}

/* The number before the / is in *out. */
static pm_number_kind divide(const char *digits, const char *end, pm_dyadic *out)
{
    pm_dyadic divisor = {0};
    for (const char *p = digits; p < end; ++p)
        if (!is_digit(*p))
            return PM_NUMBER_BAD;
    if (digits == end)
        return PM_NUMBER_BAD;
    pm_number_kind kind = parse_integer(digits, end - digits, false, &divisor);
    if (kind == PM_NUMBER_INTEGER && pm_dyadic_is_zero(&divisor))
        kind = PM_NUMBER_BAD;
    if (kind == PM_NUMBER_INTEGER) {
        int64_t e, e_divisor;
        mpq_t q, d;
        mpq_inits(q, d, NULL);
        pm_dyadic_get_mpq_2exp(q, &e, out);
        pm_dyadic_get_mpq_2exp(d, &e_divisor, &divisor);
        mpq_div(q, q, d);
        pm_dyadic_set_mpq_2exp(out, q, e - e_divisor);
        mpq_clears(q, d, NULL);
    }
    pm_dyadic_clear(&divisor);
    return kind == PM_NUMBER_INTEGER ? PM_NUMBER_REAL : kind;
}

pm_number_kind pm_number_parse_as(const char *text, int64_t length, bool exact, pm_dyadic *out)
{
    const char *slash = exact ? memchr(text, '/', (size_t)length) : NULL;
    if (!slash)
        return parse_number(text, length, exact, out);
    pm_dyadic x = {0};
    pm_number_kind kind = parse_number(text, slash - text, true, &x);
    if (kind <= PM_NUMBER_REAL)
        kind = divide(slash + 1, text + length, &x);
    if (kind <= PM_NUMBER_REAL) {
        pm_dyadic_clear(out);
        *out = x;
        return kind;
    }
    pm_dyadic_clear(&x);
    return kind;
}

pm_number_kind pm_number_parse(const char *text, int64_t length, pm_dyadic *out)
{
    return parse_number(text, length, false, out);
}

bool pm_size_parse(const char *text, int64_t length, int64_t *out)
{
    int64_t v = 0;
    for (int64_t k = 0; k < length; ++k)
        if (!is_digit(text[k]) || __builtin_mul_overflow(v, 10, &v)
            || __builtin_add_overflow(v, text[k] - '0', &v))
            return false;
    *out = v;
    return length > 0;
}

/* At most nine digits. */
static const char *parse_digits(const char *p, int64_t *out)
{
    const char *first = p;
    int32_t v = 0;
    while (is_digit(*p) && p - first < 9)
        v = 10 * v + (*p++ - '0');
    *out = v;
    return p > first ? p : NULL;
}

bool pm_size_pair_parse(const char *line, int64_t *first, int64_t *second)
{
    const char *p = parse_digits(line, first);
    if (!p || !pm_is_blank(*p))
        return false;
    while (pm_is_blank(*p))
        ++p;
    p = parse_digits(p, second);
    return p && !*p;
}

bool pm_field_is(const char *field, int64_t length, const char *word)
{
    return length == (int64_t)strlen(word) && memcmp(field, word, (size_t)length) == 0;
}

bool pm_field_next(char **s, char **field, int64_t *length)
{
    char *p = *s;
    while (pm_is_blank(*p))
        ++p;
    *field = p;
    while (*p && !pm_is_blank(*p))
        ++p;
    *length = p - *field;
    *s = p;
    return *length > 0;
}
