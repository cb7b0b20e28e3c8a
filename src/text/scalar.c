/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text/scalar.h"

#include <string.h>

#include "text/root_read.h"

void pm_scalar_clear(pm_scalar *x)
{
    pm_dyadic_clear(&x->re);
    pm_dyadic_clear(&x->im);
}

bool pm_scalar_is_zero(const pm_scalar *x)
{
    return pm_dyadic_is_zero(&x->re) && pm_dyadic_is_zero(&x->im);
}

pm_field pm_scalar_narrowest(const pm_scalar *x)
{
    if (!pm_dyadic_is_zero(&x->im) || x->re.kind == PM_DYADIC_ROOTS)
        return PM_COMPLEX;
    if (pm_dyadic_is_zero(&x->re) || pm_dyadic_is_one(&x->re))
        return PM_PATTERN;
    return pm_dyadic_is_integer(&x->re) ? PM_INTEGER : PM_REAL;
}

/* ---- parts of a text ---- */

typedef struct {
    const char *at;
    int64_t length;
    bool exact; /* how its numbers are read */
} span;

static span part(span t, int64_t from, int64_t to)
{
    return (span){t.at + from, to - from, t.exact};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static span trimmed(span t)
{
    while (t.length > 0 && is_blank(t.at[0]))
        t = part(t, 1, t.length);
    while (t.length > 0 && is_blank(t.at[t.length - 1]))
        --t.length;
    return t;
}

static bool is_sign(char c)
{
    return c == '+' || c == '-';
}

/* ---- complex numbers ---- */

/* Where the imaginary part begins: the first sign that is neither the first byte nor that of an
 * exponent.  0 when there is none. */
static int64_t find_split(span t)
{
    int64_t k = t.length > 0 && is_sign(t.at[0]);
    bool is_hex = t.length - k >= 2 && t.at[k] == '0' && (t.at[k + 1] | 0x20) == 'x';
    char exponent = is_hex ? 'p' : 'e';
    for (k += k == 0; k < t.length; ++k)
        if (is_sign(t.at[k]) && (t.at[k - 1] | 0x20) != exponent)
            return k;
    return 0;
}

static pm_number_kind parse_real(span t, pm_dyadic *out)
{
    return pm_number_parse_as(t.at, t.length, t.exact, out);
}

/* The factor of the imaginary unit: "", "+" and "-" are 1, 1 and -1; "+-2" is -2. */
static pm_number_kind parse_factor(span t, pm_dyadic *out)
{
    if (t.length >= 2 && t.at[0] == '+' && t.at[1] == '-')
        t = part(t, 1, t.length);
    if (t.length > 0 && !(t.length == 1 && is_sign(t.at[0])))
        return parse_real(t, out);
    pm_dyadic_set_si(out, t.length && t.at[0] == '-' ? -1 : 1);
    return PM_NUMBER_INTEGER;
}

static bool is_good(pm_number_kind kind)
{
    return kind == PM_NUMBER_INTEGER || kind == PM_NUMBER_REAL;
}

/* PM_NUMBER_REAL when both kinds are good. */
static pm_number_kind both(pm_number_kind a, pm_number_kind b)
{
    return !is_good(a) ? a : !is_good(b) ? b : PM_NUMBER_REAL;
}

/* The text without the imaginary unit at its end. */
static pm_number_kind parse_sum(span t, pm_scalar *x)
{
    if (t.length > 1 && t.at[t.length - 1] == '*')
        --t.length;
    int64_t split = find_split(t);
    pm_number_kind kind = PM_NUMBER_INTEGER;
    if (split)
        kind = parse_real(part(t, 0, split), &x->re);
    return both(kind, parse_factor(part(t, split, t.length), &x->im));
}

static pm_number_kind parse_pair(span t, int64_t comma, pm_scalar *x)
{
    return both(parse_real(trimmed(part(t, 0, comma)), &x->re),
                parse_real(trimmed(part(t, comma + 1, t.length)), &x->im));
}

static pm_number_kind parse(span t, pm_scalar *x)
{
    const char *comma = NULL;
    if (t.length >= 2 && t.at[0] == '(' && t.at[t.length - 1] == ')') {
        t = trimmed(part(t, 1, t.length - 1));
        comma = memchr(t.at, ',', (size_t)t.length);
    }
    if (t.length == 0)
        return PM_NUMBER_BAD;
    x->field = PM_COMPLEX;
    if (pm_has_root(t.at, t.length))
        return pm_root_parse(t.at, t.length, t.exact, x);
    if (comma)
        return parse_pair(t, comma - t.at, x);
    char last = (char)(t.at[t.length - 1] | 0x20);
    if (last == 'i' || last == 'j')
        return parse_sum(part(t, 0, t.length - 1), x);
    pm_number_kind kind = parse_real(t, &x->re);
    x->field = kind == PM_NUMBER_INTEGER ? PM_INTEGER : PM_REAL;
    return kind;
}

pm_number_kind pm_scalar_parse_as(const char *text, int64_t length, bool exact, pm_scalar *out)
{
    pm_scalar x = {.field = PM_INTEGER};
    pm_number_kind kind = parse((span){text, length, exact}, &x);
    if (is_good(kind))
        *out = x;
    else
        pm_scalar_clear(&x);
    return kind;
}

pm_number_kind pm_scalar_parse(const char *text, int64_t length, pm_scalar *out)
{
    return pm_scalar_parse_as(text, length, false, out);
}
