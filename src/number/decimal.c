/* SPDX-License-Identifier: GPL-3.0-or-later */
/* |x| * 10^s is formed in floating point of 1280 bits.  x itself fits them (hi and lo are 1074
 * bits apart at most), and so does x * 10^s wherever it is an integer or half of one with at most
 * 100 digits, or within reach of them; so ties and exact decimals are seen as such.  Elsewhere the
 * relative error is below 2^-1200, far less than the distance to the next tie. */
#include "config.h"

#include "number/decimal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "number/decimal_double.h"
#include "number/decimal_layout.h"
#include "number/decimal_wide.h"

#define PRECISION  1280
#define LOG10_OF_2 0.301029995663981195214

/* z *= 10^s */
static void scale_by_ten(mpf_t z, int64_t s)
{
    mpf_t power;
    mpf_init2(power, PRECISION);
    mpf_set_ui(power, 10);
    mpf_pow_ui(power, power, (unsigned long)(s < 0 ? -s : s));
    if (s < 0)
        mpf_div(z, z, power);
    else
        mpf_mul(z, z, power);
    mpf_clear(power);
}

/* z = |x| * 10^s */
static void set_scaled(mpf_t z, pm_xreal x, int64_t s)
{
    mpf_t lo;
    mpf_init2(lo, PRECISION);
    x = pm_xreal_abs(x);
    mpf_set_d(z, x.hi);
    mpf_set_d(lo, x.lo);
    mpf_add(z, z, lo);
    if (x.exp < 0)
        mpf_div_2exp(z, z, (mp_bitcnt_t)-x.exp);
    else
        mpf_mul_2exp(z, z, (mp_bitcnt_t)x.exp);
    scale_by_ten(z, s);
    mpf_clear(lo);
}

/* Decade k of x != 0, and z = |x| * 10^(digits - 1 - k), in 10^(digits-1) .. 10^digits. */
static int64_t set_leading(mpf_t z, pm_xreal x, int digits)
{
    mpz_t n, least, beyond;
    mpz_inits(n, least, beyond, NULL);
    mpz_ui_pow_ui(least, 10, (unsigned long)digits - 1);
    mpz_mul_ui(beyond, least, 10);
    /* right but for exponents of more than 50 bits and powers of ten: then the loop corrects it */
    int64_t k = (int64_t)floor(((double)x.exp + log2(fabs(x.hi))) * LOG10_OF_2);
    for (;;) {
        set_scaled(z, x, digits - 1 - k);
        mpz_set_f(n, z);
        /* the true length or one more */
        int64_t excess = (int64_t)mpz_sizeinbase(n, 10) - digits;
        if (mpz_cmp(n, beyond) >= 0)
            k += excess > 2 ? excess - 1 : 1;
        else if (mpz_sgn(n) == 0)
            k -= digits;
        else if (mpz_cmp(n, least) < 0)
            k -= excess < -1 ? -excess : 1;
        else
            break;
    }
    mpz_clears(n, least, beyond, NULL);
    return k;
}

int64_t pm_decimal_decade(pm_xreal x)
{
    int64_t k;
    if (pm_decimal_decade_double(x, &k) || pm_decimal_decade_wide(x, &k))
        return k;
    mpf_t z;
    mpf_init2(z, PRECISION);
    k = set_leading(z, x, 1);
    mpf_clear(z);
    return k;
}

/* n = z rounded; z = |z - n|. */
static void round_off(mpf_t z, mpz_t n, pm_rounding how)
{
    mpf_t whole;
    mpf_init2(whole, PRECISION);
    mpz_set_f(n, z);
    mpf_set_z(whole, n);
    mpf_sub(z, z, whole);
    int against_half = mpf_cmp_d(z, 0.5);
    bool up = how == PM_ROUND_AWAY ? mpf_sgn(z) != 0
                                   : against_half > 0 || (against_half == 0 && mpz_odd_p(n));
    if (up) {
        mpz_add_ui(n, n, 1);
        mpf_ui_sub(z, 1, z);
    }
    mpf_clear(whole);
}

/* A bound of z > 0 a little above it. */
static pm_xreal bound_of(const mpf_t z)
{
    long e;
    double d = mpf_get_d_2exp(&e, z);
    return pm_xreal_make(d, d * 0x1p-40, e);
}

void pm_decimal_round(pm_xreal x, int digits, pm_rounding how, pm_decimal *out)
{
    assert(digits >= 1 && digits <= PM_DECIMAL_DIGITS && pm_xreal_is_in_range(x));
    if (x.hi != 0
        && (pm_decimal_round_double(x, digits, how, out)
            || pm_decimal_round_wide(x, digits, how, out)))
        return;
    *out = (pm_decimal){.is_negative = x.hi < 0, .digits = digits, .digit = "0"};
    if (x.hi == 0)
        return;
    mpf_t z;
    mpz_t n;
    mpf_init2(z, PRECISION);
    mpz_init(n);
    int64_t k = set_leading(z, x, digits);
    round_off(z, n, how);
    mpz_get_str(out->digit, 10, n);
    /* 9.99 may have become 10.00 */
    out->decade = k + (int64_t)strlen(out->digit) - digits;
    for (size_t end = strlen(out->digit); end > 1 && out->digit[end - 1] == '0'; --end)
        out->digit[end - 1] = '\0';
    if (mpf_sgn(z)) {
        scale_by_ten(z, k + 1 - digits);
        out->residue = bound_of(z);
    }
    mpz_clear(n);
    mpf_clear(z);
}

char *pm_decimal_text(const pm_decimal *d)
{
    return pm_decimal_layout(d->is_negative, d->digit, d->digits, d->decade);
}

char *pm_xreal_text(pm_xreal x, int digits)
{
    pm_decimal d;
    pm_decimal_round(x, digits, PM_ROUND_NEAREST, &d);
    return pm_decimal_text(&d);
}
