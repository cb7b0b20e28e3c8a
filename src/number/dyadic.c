/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/dyadic.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pm/alloc.h"
#include "pm/status.h"

static int32_t checked_exponent(int64_t e)
{
    if (e > INT32_MAX || e < INT32_MIN) {
        fputs("pmkit: internal error: the exponent of an exact number exceeds 31 bits\n", stderr);
        _exit(pm_exit_status(PM_EINTERNAL));
    }
    return (int32_t)e;
}

/* mpz_init and friends allocate through GMP's functions, which do not return on failure; so must
 * the struct itself. */
static mpz_ptr new_mpz(void)
{
    void *(*gmp_alloc)(size_t);
    mp_get_memory_functions(&gmp_alloc, NULL, NULL);
    mpz_ptr z = gmp_alloc(sizeof *z);
    mpz_init(z);
    return z;
}

void pm_dyadic_clear(pm_dyadic *x)
{
    if (x->is_big) {
        mpz_clear(x->m.big);
        free(x->m.big);
    }
    *x = (pm_dyadic){0};
}

/* x = s * 2^e in normal form; x holds nothing big. */
static void store_small(pm_dyadic *x, int64_t s, int64_t e)
{
    if (s == 0) {
        *x = (pm_dyadic){0};
        return;
    }
    int z = __builtin_ctzll((uint64_t)s);
    /* INT64_MIN = -1 * 2^63 shifts to -1 */
    x->m.small = s >> z;
    x->exp = checked_exponent(e + z);
    x->is_big = 0;
}

/* Takes over z. */
static void store_big(pm_dyadic *x, mpz_ptr z, int64_t e)
{
    mp_bitcnt_t shift = mpz_sgn(z) ? mpz_scan1(z, 0) : 0;
    if (shift)
        mpz_tdiv_q_2exp(z, z, shift);
    if (mpz_sizeinbase(z, 2) <= 63) {
        int64_t s = mpz_get_si(z);
        mpz_clear(z);
        free(z);
        store_small(x, s, s ? e + (int64_t)shift : 0);
        return;
    }
    x->m.big = z;
    x->exp = checked_exponent(e + (int64_t)shift);
    x->is_big = 1;
}

void pm_dyadic_set(pm_dyadic *x, const pm_dyadic *a)
{
    if (x == a)
        return;
    pm_dyadic_clear(x);
    *x = *a;
    if (a->is_big) {
        x->m.big = new_mpz();
        mpz_set(x->m.big, a->m.big);
    }
}

void pm_dyadic_set_si(pm_dyadic *x, int64_t v)
{
    pm_dyadic_clear(x);
    store_small(x, v, 0);
}

void pm_dyadic_set_d(pm_dyadic *x, double v)
{
    int e;
    assert(isfinite(v));
    double f = frexp(v, &e);
    pm_dyadic_clear(x);
    store_small(x, (int64_t)ldexp(f, 53), (int64_t)e - 53);
}

void pm_dyadic_set_mpz_2exp(pm_dyadic *x, const mpz_t m, int64_t e)
{
    mpz_ptr z = new_mpz();
    mpz_set(z, m);
    pm_dyadic_clear(x);
    store_big(x, z, e);
}

void pm_dyadic_set_mpz(pm_dyadic *x, const mpz_t v)
{
    pm_dyadic_set_mpz_2exp(x, v, 0);
}

void pm_dyadic_mul(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b)
{
    int64_t e = (int64_t)a->exp + b->exp, s;
    if (!a->is_big && !b->is_big && !__builtin_mul_overflow(a->m.small, b->m.small, &s)
        && s != INT64_MIN) {
        pm_dyadic_clear(x);
        store_small(x, s, s ? e : 0);
        return;
    }
    mpz_ptr z = new_mpz();
    if (a->is_big && b->is_big)
        mpz_mul(z, a->m.big, b->m.big);
    else if (a->is_big)
        mpz_mul_si(z, a->m.big, b->m.small);
    else if (b->is_big)
        mpz_mul_si(z, b->m.big, a->m.small);
    else {
        mpz_set_si(z, a->m.small);
        mpz_mul_si(z, z, b->m.small);
    }
    pm_dyadic_clear(x);
    store_big(x, z, e);
}

void pm_dyadic_add(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b)
{
    if (pm_dyadic_is_zero(a)) {
        pm_dyadic_set(x, b);
        return;
    }
    if (pm_dyadic_is_zero(b)) {
        pm_dyadic_set(x, a);
        return;
    }
    if (a->exp < b->exp) {
        const pm_dyadic *t = a;
        a = b;
        b = t;
    }
    int64_t shift = (int64_t)a->exp - b->exp, e = b->exp, s;
    if (!a->is_big && !b->is_big && shift < 62 && a->m.small <= INT64_MAX >> shift
        && a->m.small >= -(INT64_MAX >> shift)
        && !__builtin_add_overflow(a->m.small * (INT64_C(1) << shift), b->m.small, &s)
        && s != INT64_MIN) {
        pm_dyadic_clear(x);
        store_small(x, s, s ? e : 0);
        return;
    }
    mpz_ptr z = new_mpz();
    if (a->is_big)
        mpz_set(z, a->m.big);
    else
        mpz_set_si(z, a->m.small);
    mpz_mul_2exp(z, z, (mp_bitcnt_t)shift);
    if (b->is_big)
        mpz_add(z, z, b->m.big);
    else if (b->m.small >= 0)
        mpz_add_ui(z, z, (unsigned long)b->m.small);
    else
        mpz_sub_ui(z, z, -(unsigned long)b->m.small);
    pm_dyadic_clear(x);
    store_big(x, z, e);
}

void pm_dyadic_neg(pm_dyadic *x)
{
    if (x->is_big)
        mpz_neg(x->m.big, x->m.big);
    else
        x->m.small = -x->m.small;
}

void pm_dyadic_abs(pm_dyadic *x)
{
    if (pm_dyadic_sign(x) < 0)
        pm_dyadic_neg(x);
}

void pm_dyadic_mul_2exp(pm_dyadic *x, int64_t e)
{
    if (!pm_dyadic_is_zero(x))
        x->exp = checked_exponent(x->exp + e);
}

bool pm_dyadic_equal(const pm_dyadic *a, const pm_dyadic *b)
{
    if (a->exp != b->exp || a->is_big != b->is_big)
        return false;
    return a->is_big ? mpz_cmp(a->m.big, b->m.big) == 0 : a->m.small == b->m.small;
}

int pm_dyadic_sign(const pm_dyadic *a)
{
    return a->is_big ? mpz_sgn(a->m.big) : (a->m.small > 0) - (a->m.small < 0);
}

bool pm_dyadic_is_integer(const pm_dyadic *a)
{
    return a->exp >= 0;
}

int64_t pm_dyadic_bits(const pm_dyadic *a)
{
    if (a->is_big)
        return (int64_t)mpz_sizeinbase(a->m.big, 2);
    if (a->m.small == 0)
        return 0;
    return 64 - __builtin_clzll((uint64_t)llabs(a->m.small));
}

void pm_dyadic_get_mpz_2exp(mpz_t z, int64_t *e, const pm_dyadic *a)
{
    if (a->is_big)
        mpz_set(z, a->m.big);
    else
        mpz_set_si(z, a->m.small);
    *e = a->exp;
}

void pm_dyadic_get_mpz(mpz_t z, const pm_dyadic *a)
{
    int64_t e;
    assert(pm_dyadic_is_integer(a));
    pm_dyadic_get_mpz_2exp(z, &e, a);
    mpz_mul_2exp(z, z, (mp_bitcnt_t)e);
}

/* z / 2^drop, ties to even; drop > 0. */
static void round_off_bits(mpz_t z, mp_bitcnt_t drop)
{
    int negative = mpz_sgn(z) < 0;
    mpz_abs(z, z);
    int half = mpz_tstbit(z, drop - 1);
    int below = mpz_scan1(z, 0) < drop - 1;
    mpz_tdiv_q_2exp(z, z, drop);
    if (half && (below || mpz_odd_p(z)))
        mpz_add_ui(z, z, 1);
    if (negative)
        mpz_neg(z, z);
}

double pm_dyadic_get_d(const pm_dyadic *a)
{
    int64_t bits = pm_dyadic_bits(a);
    if (bits <= 53)
        return ldexp((double)a->m.small, a->exp);
    /* one rounding only, to the bits that the result has: fewer than 53 among the subnormals, and
     * none for what is nearer to 0 than to any of them */
    int64_t top = bits + a->exp; /* 2^(top-1) <= |a| < 2^top */
    int64_t keep = top < -1021 ? 53 - (-1021 - top) : 53;
    if (keep < 0)
        return 0;
    mpz_t z;
    int64_t e;
    mpz_init(z);
    pm_dyadic_get_mpz_2exp(z, &e, a);
    round_off_bits(z, (mp_bitcnt_t)(bits - keep));
    e += bits - keep;
    /* |z| <= 2^53: an exponent cut off here is beyond every double */
    double d = ldexp(mpz_get_d(z), e > 4000 ? 4000 : (int)e);
    mpz_clear(z);
    return d;
}

uint64_t pm_dyadic_mod(const pm_dyadic *a, uint64_t p)
{
    assert(pm_dyadic_is_integer(a) && p > 1);
    uint64_t r;
    if (a->is_big) {
        r = mpz_fdiv_ui(a->m.big, p);
    } else {
        int64_t s = a->m.small;
        r = s >= 0 ? (uint64_t)s % p : p - 1 - (uint64_t)(-(s + 1)) % p;
    }
    uint64_t base = 2 % p;
    for (uint32_t e = (uint32_t)a->exp; e; e >>= 1) {
        if (e & 1)
            r = (uint64_t)((unsigned __int128)r * base % p);
        base = (uint64_t)((unsigned __int128)base * base % p);
    }
    return r;
}

/* The fewest digits that read back as d; 17 for a subnormal, because some C libraries round those
 * wrongly when they read fewer. */
static char *double_text(double d)
{
    enum { ROOM = 32 };
    char *text = pm_alloc_array(ROOM, 1);
    for (int digits = d != 0 && fabs(d) < DBL_MIN ? 17 : 1; text && digits <= 17; ++digits) {
        snprintf(text, ROOM, "%.*g", digits, d);
        if (strtod(text, NULL) == d)
            break;
    }
    return text;
}

static char *integer_text(const mpz_t z)
{
    char *text = pm_alloc_array((int64_t)mpz_sizeinbase(z, 10) + 2, 1);
    return text ? mpz_get_str(text, 10, z) : NULL;
}

static char *hex_text(mpz_t z, int64_t e)
{
    int64_t room = (int64_t)mpz_sizeinbase(z, 16) + 32;
    char *text = pm_alloc_array(room, 1);
    if (!text)
        return NULL;
    char *end = stpcpy(text, mpz_sgn(z) < 0 ? "-0x" : "0x");
    mpz_abs(z, z);
    mpz_get_str(end, 16, z);
    end += strlen(end);
    snprintf(end, (size_t)(text + room - end), "p%+" PRId64, e);
    return text;
}

char *pm_dyadic_text(const pm_dyadic *a, bool as_integer)
{
    double d = as_integer ? 0 : pm_dyadic_get_d(a);
    pm_dyadic back = {0};
    if (!as_integer && isfinite(d)) {
        pm_dyadic_set_d(&back, d);
        if (pm_dyadic_equal(&back, a))
            return double_text(d);
    }
    mpz_t z;
    int64_t e;
    char *text;
    mpz_init(z);
    if (as_integer) {
        pm_dyadic_get_mpz(z, a);
        text = integer_text(z);
    } else {
        pm_dyadic_get_mpz_2exp(z, &e, a);
        text = hex_text(z, e);
    }
    mpz_clear(z);
    return text;
}
