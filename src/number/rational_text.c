/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/rational_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/long_step.h"
#include "number/bits.h"
#include "number/decimal_layout.h"
#include "pm/alloc.h"
#include "pm/value.h"

void pm_rational_scale_by_ten(mpq_t q, int64_t e)
{
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)llabs(e));
    if (e >= 0)
        mpz_mul(mpq_numref(q), mpq_numref(q), power);
    else
        mpz_mul(mpq_denref(q), mpq_denref(q), power);
    mpz_clear(power);
    mpq_canonicalize(q);
}

/* n = q >= 0 to nearest, ties to even. */
static void round_off(const mpq_t q, mpz_t n)
{
    mpz_t rest;
    mpz_init(rest);
    mpz_fdiv_qr(n, rest, mpq_numref(q), mpq_denref(q));
    mpz_mul_2exp(rest, rest, 1);
    int against_half = mpz_cmp(rest, mpq_denref(q));
    if (against_half > 0 || (against_half == 0 && mpz_odd_p(n)))
        mpz_add_ui(n, n, 1);
    mpz_clear(rest);
}

/* floor(log10 q), q > 0, or one off. */
static int64_t decade_near(const mpq_t q)
{
    return (int64_t)floor(pm_xreal_log10_abs(pm_xreal_from_mpq(q)));
}

/* The decade k of q > 0; *scaled = q * 10^(digits - 1 - k), in 10^(digits-1) .. 10^digits. */
static int64_t set_leading(const mpq_t q, int64_t digits, mpq_t scaled)
{
    int64_t k = decade_near(q);
    mpz_t least, beyond;
    mpz_inits(least, beyond, NULL);
    mpz_ui_pow_ui(least, 10, (unsigned long)digits - 1);
    mpz_mul_ui(beyond, least, 10);
    mpq_set(scaled, q);
    pm_rational_scale_by_ten(scaled, digits - 1 - k);
    for (; mpq_cmp_z(scaled, beyond) >= 0; ++k)
        pm_rational_scale_by_ten(scaled, -1);
    for (; mpq_cmp_z(scaled, least) < 0; --k)
        pm_rational_scale_by_ten(scaled, 1);
    mpz_clears(least, beyond, NULL);
    return k;
}

static char *digits_of(const mpz_t n)
{
    char *text = pm_alloc_array((int64_t)mpz_sizeinbase(n, 10) + 2, 1);
    return text ? mpz_get_str(text, 10, n) : NULL;
}

/* The text of a number that is not 0.  scaled: as set_leading leaves it; it becomes the number of the text. */
static char *rounded(mpq_t scaled, int64_t k, int64_t digits, bool is_negative)
{
    mpz_t n;
    mpz_init(n);
    round_off(scaled, n);
    char *digit = digits_of(n);
    mpq_set_z(scaled, n);
    pm_rational_scale_by_ten(scaled, k + 1 - digits);
    mpz_clear(n);
    if (!digit)
        return NULL;
    int64_t length = (int64_t)strlen(digit);
    const int64_t decade = k + length - digits; /* 9.99 may have become 10.00 */
    while (length > 1 && digit[length - 1] == '0')
        digit[--length] = '\0';
    char *text = pm_decimal_layout(is_negative, digit, digits, decade);
    free(digit);
    return text;
}

char *pm_rational_text(const mpq_t q, int64_t digits, mpq_t residue)
{
    mpq_t size, scaled;
    const int64_t bits =
        (int64_t)(mpz_sizeinbase(mpq_numref(q), 2) + mpz_sizeinbase(mpq_denref(q), 2));
    mpq_set_ui(residue, 0, 1);
    if (mpq_sgn(q) == 0)
        return pm_copy_text("0");
    if (digits > PM_BITS_MAX / 4 || !pm_bits_fit(bits + 4 * digits))
        return NULL;
    mpq_inits(size, scaled, NULL);
    mpq_abs(size, q);
    pm_long_step_begin(bits + 4 * digits);
    int64_t k = set_leading(size, digits, scaled);
    char *text = rounded(scaled, k, digits, mpq_sgn(q) < 0);
    mpq_sub(residue, size, scaled);
    mpq_abs(residue, residue);
    pm_long_step_end(bits + 4 * digits);
    mpq_clears(size, scaled, NULL);
    return text;
}
