/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text/root_read.h"

#include <string.h>

#include "number/dyadic_roots.h"

enum { ENTRY_BITS = 128 }; /* of a rounded part */

static const char word[] = "root(";
enum { WORD = sizeof word - 1 };

bool pm_has_root(const char *text, int64_t length)
{
    for (const char *p = text, *end = text + length; (p = memchr(p, 'r', (size_t)(end - p))); ++p)
        if (end - p >= WORD && memcmp(p, word, WORD) == 0)
            return true;
    return false;
}

/* ---- terms ---- */

/* The first sign behind `from` that begins a term. */
static const char *term_end(const char *from, const char *end)
{
    const bool is_hex = end - from >= 3 && memchr(from, 'x', 3);
    const char *p = from + 1;
    while (p < end
           && !((*p == '+' || *p == '-') && p[-1] != '^' && (p[-1] | 0x20) != (is_hex ? 'p' : 'e')))
        ++p;
    return p;
}

/* text: a number with a sign or without, and perhaps a *; or a sign, or nothing. */
static pm_number_kind parse_factor(const char *text, const char *end, bool exact, pm_dyadic *out)
{
    if (end - text > 1 && end[-1] == '*' && end[-2] != '+' && end[-2] != '-')
        --end;
    if (end == text || (end - text == 1 && (*text == '+' || *text == '-'))) {
        pm_dyadic_set_si(out, end > text && *text == '-' ? -1 : 1);
        return PM_NUMBER_INTEGER;
    }
    return pm_number_parse_as(text, end - text, exact, out);
}

/* The text after "root(": an order, ) and perhaps ^ and an exponent. */
static pm_number_kind parse_root(const char *p, const char *end, int64_t *order, int64_t *power)
{
    const char *close = memchr(p, ')', (size_t)(end - p));
    *power = 1;
    if (!close || !pm_size_parse(p, close - p, order))
        return PM_NUMBER_BAD;
    if (++close < end) {
        const bool negative = end - close > 2 && close[1] == '-';
        if (*close != '^'
            || !pm_size_parse(close + 1 + negative, end - close - 1 - negative, power))
            return PM_NUMBER_BAD;
        *power = negative ? -*power : *power;
    }
    return *order >= 1 && *order <= PM_ROOT_ORDER_MAX ? PM_NUMBER_REAL : PM_NUMBER_ORDER;
}

/* x = c root(order)^power */
static pm_number_kind set_term(const pm_dyadic *c, int64_t order, int64_t power, pm_dyadic *x)
{
    mpq_t one;
    pm_root_sum root;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pm_root_sum_init(&root);
    pm_root_sum_set_power(&root, one, order, power);
    pm_dyadic_set_roots(x, &root);
    pm_dyadic_mul(x, x, c);
    pm_root_sum_clear(&root);
    mpq_clear(one);
    return PM_NUMBER_REAL;
}

static pm_number_kind parse_term(const char *text, const char *end, bool exact, pm_dyadic *x)
{
    const char *p = text;
    pm_dyadic c = {0};
    int64_t order = 1, power = 0;
    pm_number_kind kind = PM_NUMBER_REAL;
    while (end - p >= WORD && memcmp(p, word, WORD) != 0)
        ++p;
    const bool has_root = end - p >= WORD;
    const char *stop = has_root ? p : end;
    if (has_root) {
        kind = parse_root(p + WORD, end, &order, &power);
    } else if (end > text && ((end[-1] | 0x20) == 'i' || (end[-1] | 0x20) == 'j')) {
        order = 4;
        power = 1;
        --stop;
    }
    if (kind == PM_NUMBER_REAL)
        kind = stop < end ? parse_factor(text, stop, exact, &c)
                          : pm_number_parse_as(text, end - text, exact, &c);
    if (kind <= PM_NUMBER_REAL)
        kind = set_term(&c, order, power, x);
    pm_dyadic_clear(&c);
    return kind;
}

/* ---- sums ---- */

/* e, so that the largest coefficient is 2^(e-1) to 2^e in size. */
static int64_t exponent_of(const pm_root_sum *r)
{
    int64_t most = INT64_MIN;
    for (int32_t k = 0; k < r->count; ++k) {
        const int64_t e = (int64_t)mpz_sizeinbase(mpq_numref(r->c[k]), 2)
                          - (int64_t)mpz_sizeinbase(mpq_denref(r->c[k]), 2);
        most = e > most ? e : most;
    }
    return most;
}

/* x = the multiple of 2^-bits that is nearest to q, which is never half of one between two of them. */
static void set_nearest(pm_dyadic *x, const mpq_t q, int64_t bits)
{
    mpz_t z;
    mpq_t scaled;
    mpz_init(z);
    mpq_init(scaled);
    mpq_mul_2exp(scaled, q, bits > 0 ? (mp_bitcnt_t)bits + 1 : 1);
    mpq_div_2exp(scaled, scaled, bits < 0 ? (mp_bitcnt_t)-bits : 0);
    mpz_fdiv_q(z, mpq_numref(scaled), mpq_denref(scaled));
    mpz_add_ui(z, z, 1);
    mpz_fdiv_q_2exp(z, z, 1);
    pm_dyadic_set_mpz_2exp(x, z, mpz_sgn(z) ? -bits : 0);
    mpz_clear(z);
    mpq_clear(scaled);
}

static void round_sum(const pm_dyadic *sum, pm_scalar *out)
{
    mpq_t re, im;
    pm_root_sum r;
    mpq_inits(re, im, NULL);
    pm_root_sum_init(&r);
    pm_dyadic_get_roots(&r, sum);
    const int64_t bits = ENTRY_BITS - exponent_of(&r);
    pm_root_sum_parts(&r, bits + ENTRY_BITS, re, im);
    set_nearest(&out->re, re, bits);
    set_nearest(&out->im, im, bits);
    pm_root_sum_clear(&r);
    mpq_clears(re, im, NULL);
}

/* a + b i, where the sum is one with fractions a and b. */
static bool set_gaussian(const pm_dyadic *sum, pm_scalar *out)
{
    const pm_root_sum *r = sum->m.roots;
    if (sum->kind != PM_DYADIC_ROOTS) {
        pm_dyadic_set(&out->re, sum);
        return true;
    }
    for (int32_t k = 0; r->order == 4 && k < r->count; ++k)
        pm_dyadic_set_mpq_2exp(r->power[k] ? &out->im : &out->re, r->c[k], 0);
    return r->order == 4;
}

pm_number_kind pm_root_parse(const char *text, int64_t length, bool exact, pm_scalar *out)
{
    const char *p = text, *end = text + length;
    pm_dyadic sum = {0}, term = {0};
    pm_number_kind kind = PM_NUMBER_REAL;
    while (p < end && kind == PM_NUMBER_REAL) {
        const char *next = term_end(p, end);
        kind = parse_term(p, next, exact, &term);
        if (kind == PM_NUMBER_REAL)
            pm_dyadic_add(&sum, &sum, &term);
        p = next;
    }
    if (kind == PM_NUMBER_REAL && !pm_dyadic_is_in_range(&sum))
        kind = PM_NUMBER_ORDER;
    if (kind == PM_NUMBER_REAL) {
        out->field = PM_COMPLEX;
        if (!set_gaussian(&sum, out) && exact)
            pm_dyadic_set(&out->re, &sum);
        else if (sum.kind == PM_DYADIC_ROOTS && sum.m.roots->order != 4)
            round_sum(&sum, out);
    }
    pm_dyadic_clear(&sum);
    pm_dyadic_clear(&term);
    return kind;
}
