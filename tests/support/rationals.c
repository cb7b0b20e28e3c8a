/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/rationals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/testing.h"

void q_mul_2exp(mpq_t q, int64_t e)
{
    if (e < 0)
        mpq_div_2exp(q, q, (mp_bitcnt_t)-e);
    else
        mpq_mul_2exp(q, q, (mp_bitcnt_t)e);
}

void q_from_xreal(mpq_t q, pm_xreal x)
{
    mpq_t lo;
    mpq_init(lo);
    mpq_set_d(q, x.hi);
    mpq_set_d(lo, x.lo);
    mpq_add(q, q, lo);
    q_mul_2exp(q, x.exp);
    mpq_clear(lo);
}

void assert_normal(pm_xreal x)
{
    if (x.hi == 0) {
        assert_true(x.lo == 0 && x.exp == 0);
    } else {
        assert_true(fabs(x.hi) >= 0.5 && fabs(x.hi) < 1);
        assert_true(x.hi + x.lo == x.hi);
    }
}

void q_from_decimal(mpq_t q, const char *text)
{
    char digits[1024];
    size_t n = 0;
    int64_t exponent = 0;
    bool point = false;
    mpz_t ten;
    for (; *text && *text != 'e' && *text != '\t'; ++text) {
        assert_true(n + 1 < sizeof digits && strchr("-.0123456789", *text));
        if (*text == '.') {
            point = true;
            continue;
        }
        digits[n++] = *text;
        exponent -= point;
    }
    digits[n] = '\0';
    assert_int_equal(mpq_set_str(q, digits, 10), 0);
    if (*text == 'e')
        exponent += strtoll(text + 1, NULL, 10);
    mpz_init(ten);
    mpz_ui_pow_ui(ten, 10, (unsigned long)llabs(exponent));
    if (exponent < 0)
        mpz_mul(mpq_denref(q), mpq_denref(q), ten);
    else
        mpz_mul(mpq_numref(q), mpq_numref(q), ten);
    mpq_canonicalize(q);
    mpz_clear(ten);
}

double random_part(uint64_t *rng)
{
    double d = pm_rng_unit(rng) * 2 - 1;
    switch (pm_rng_below(rng, 4)) {
    case 0: return rint(d * 8);
    case 1: return copysign(1 - pm_rng_unit(rng) * 0x1p-50, d);
    default: return d;
    }
}

pm_xreal random_xreal(uint64_t *rng, uint32_t exponents)
{
    double hi = random_part(rng), lo = random_part(rng);
    int gap = pm_rng_below(rng, 4) ? 53 : (int)pm_rng_below(rng, 120);
    if (pm_rng_below(rng, 8) == 0)
        lo = 0;
    return pm_xreal_make(hi, ldexp(lo, -gap),
                         (int64_t)pm_rng_below(rng, exponents) - exponents / 2);
}
