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

#include "number/bits.h"
#include "number/dyadic_fraction.h"
#include "number/dyadic_roots.h"
#include "pm/alloc.h"

/* mpz_init and its like allocate through GMP's functions, which do not return on failure; the
 * struct comes from the same functions, so that no operation here can fail. */
static mpz_ptr new_mpz(void)
{
    void *(*gmp_alloc)(size_t);
    mp_get_memory_functions(&gmp_alloc, NULL, NULL);
    mpz_ptr z = gmp_alloc(sizeof *z);
    mpz_init(z);
    return z;
}

static void delete_mpz(mpz_ptr z)
{
    void (*gmp_free)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &gmp_free);
    mpz_clear(z);
    gmp_free(z, sizeof *z);
}

void pm_dyadic_clear(pm_dyadic *x)
{
    if (x->kind == PM_DYADIC_BIG)
        delete_mpz(x->m.big);
    else if (x->kind == PM_DYADIC_FRACTION)
        pm_dyadic_fraction_free(x);
    else if (x->kind == PM_DYADIC_ROOTS)
        pm_dyadic_roots_free(x);
    *x = (pm_dyadic){0};
}

/* x owns nothing when this is called. */
static void store_out_of_range(pm_dyadic *x)
{
    *x = (pm_dyadic){.kind = PM_DYADIC_OUT_OF_RANGE};
}

static bool fits_exponent(int64_t e)
{
    return e >= INT32_MIN && e <= INT32_MAX;
}

/* x = s * 2^e in normal form; x owns nothing when this is called. */
static void store_small(pm_dyadic *x, int64_t s, int64_t e)
{
    if (s == 0) {
        *x = (pm_dyadic){0};
        return;
    }
    int z = __builtin_ctzll((uint64_t)s);
    if (!fits_exponent(e + z)) {
        store_out_of_range(x);
        return;
    }
    /* INT64_MIN = -1 * 2^63 shifts to -1 */
    *x = (pm_dyadic){.m.small = s >> z, .exp = (int32_t)(e + z)};
}

/* x = z * 2^e in normal form.  Takes ownership of z; x owns nothing when this is called. */
static void store_big(pm_dyadic *x, mpz_ptr z, int64_t e)
{
    mp_bitcnt_t shift = mpz_sgn(z) ? mpz_scan1(z, 0) : 0;
    if (shift)
        mpz_tdiv_q_2exp(z, z, shift);
    if (mpz_sizeinbase(z, 2) <= 63) {
        int64_t s = mpz_get_si(z);
        delete_mpz(z);
        store_small(x, s, s ? e + (int64_t)shift : 0);
        return;
    }
    if (!fits_exponent(e + (int64_t)shift)) {
        delete_mpz(z);
        store_out_of_range(x);
        return;
    }
    *x = (pm_dyadic){.m.big = z, .exp = (int32_t)(e + (int64_t)shift), .kind = PM_DYADIC_BIG};
}

void pm_dyadic_set(pm_dyadic *x, const pm_dyadic *a)
{
    if (x == a)
        return;
    pm_dyadic_clear(x);
    *x = *a;
    if (a->kind == PM_DYADIC_BIG) {
        x->m.big = new_mpz();
        mpz_set(x->m.big, a->m.big);
    } else if (a->kind == PM_DYADIC_FRACTION) {
        pm_dyadic_fraction_copy(x, a);
    } else if (a->kind == PM_DYADIC_ROOTS) {
        pm_dyadic_roots_copy(x, a);
    }
}

void pm_dyadic_set_si(pm_dyadic *x, int64_t v)
{
    pm_dyadic_clear(x);
    *x = pm_dyadic_from_si(v);
}

void pm_dyadic_set_d(pm_dyadic *x, double v)
{
    assert(isfinite(v));
    pm_dyadic_clear(x);
    *x = pm_dyadic_from_d(v);
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

static bool are_small(const pm_dyadic *a, const pm_dyadic *b)
{
    return a->kind == PM_DYADIC_SMALL && b->kind == PM_DYADIC_SMALL;
}

static bool are_in_range(const pm_dyadic *a, const pm_dyadic *b)
{
    return pm_dyadic_is_in_range(a) && pm_dyadic_is_in_range(b);
}

/* x = how(a, b), out of range where the order of the roots is too large. */
static void combine_roots(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b,
                          bool (*how)(pm_dyadic *, const pm_dyadic *, const pm_dyadic *))
{
    if (how(x, a, b))
        return;
    pm_dyadic_clear(x);
    store_out_of_range(x);
}

void pm_dyadic_mul(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b)
{
    int64_t e = (int64_t)a->exp + b->exp, s;
    if (are_small(a, b) && !__builtin_mul_overflow(a->m.small, b->m.small, &s) && s != INT64_MIN) {
        pm_dyadic_clear(x);
        store_small(x, s, s ? e : 0);
        return;
    }
    if (pm_dyadic_is_zero(a) || pm_dyadic_is_zero(b)) {
        pm_dyadic_clear(x);
        return;
    }
    if (!are_in_range(a, b) || !pm_bits_fit(pm_dyadic_bits(a) + pm_dyadic_bits(b))) {
        pm_dyadic_clear(x);
        store_out_of_range(x);
        return;
    }
    if (pm_dyadic_are_roots(a, b)) {
        combine_roots(x, a, b, pm_dyadic_roots_mul);
        return;
    }
    if (pm_dyadic_are_fractions(a, b)) {
        pm_dyadic_fraction_mul(x, a, b);
        return;
    }
    mpz_ptr z = new_mpz();
    if (a->kind == PM_DYADIC_BIG && b->kind == PM_DYADIC_BIG)
        mpz_mul(z, a->m.big, b->m.big);
    else if (a->kind == PM_DYADIC_BIG)
        mpz_mul_si(z, a->m.big, b->m.small);
    else if (b->kind == PM_DYADIC_BIG)
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
    if (!are_in_range(a, b)) {
        pm_dyadic_clear(x);
        store_out_of_range(x);
        return;
    }
    if (pm_dyadic_are_roots(a, b)) {
        combine_roots(x, a, b, pm_dyadic_roots_add);
        return;
    }
    if (a->exp < b->exp) {
        const pm_dyadic *t = a;
        a = b;
        b = t;
    }
    int64_t shift = (int64_t)a->exp - b->exp, e = b->exp, s;
    if (are_small(a, b) && shift < 62 && a->m.small <= INT64_MAX >> shift
        && a->m.small >= -(INT64_MAX >> shift)
        && !__builtin_add_overflow(a->m.small * (INT64_C(1) << shift), b->m.small, &s)
        && s != INT64_MIN) {
        pm_dyadic_clear(x);
        store_small(x, s, s ? e : 0);
        return;
    }
    if (!pm_bits_fit(pm_dyadic_bits(a) + shift)) {
        pm_dyadic_clear(x);
        store_out_of_range(x);
        return;
    }
    if (pm_dyadic_are_fractions(a, b)) {
        pm_dyadic_fraction_add(x, a, b);
        return;
    }
    mpz_ptr z = new_mpz();
    if (a->kind == PM_DYADIC_BIG)
        mpz_set(z, a->m.big);
    else
        mpz_set_si(z, a->m.small);
    mpz_mul_2exp(z, z, (mp_bitcnt_t)shift);
    if (b->kind == PM_DYADIC_BIG)
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
    if (x->kind == PM_DYADIC_BIG)
        mpz_neg(x->m.big, x->m.big);
    else if (x->kind == PM_DYADIC_FRACTION)
        mpq_neg(x->m.fraction, x->m.fraction);
    else if (x->kind == PM_DYADIC_ROOTS)
        pm_root_sum_neg(x->m.roots);
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
    if (pm_dyadic_is_zero(x) || !pm_dyadic_is_in_range(x))
        return;
    if (x->kind == PM_DYADIC_ROOTS) {
        const pm_dyadic power = {.m.small = 1, .exp = (int32_t)e};
        if (fits_exponent(e)) {
            pm_dyadic_mul(x, x, &power);
            return;
        }
    } else if (fits_exponent(x->exp + e)) {
        x->exp = (int32_t)(x->exp + e);
        return;
    }
    pm_dyadic_clear(x);
    store_out_of_range(x);
}

bool pm_dyadic_equal(const pm_dyadic *a, const pm_dyadic *b)
{
    if (a->exp != b->exp || a->kind != b->kind || !pm_dyadic_is_in_range(a))
        return false;
    if (a->kind == PM_DYADIC_FRACTION)
        return mpq_equal(a->m.fraction, b->m.fraction) != 0;
    if (a->kind == PM_DYADIC_ROOTS)
        return pm_root_sum_equal(a->m.roots, b->m.roots);
    return a->kind == PM_DYADIC_BIG ? mpz_cmp(a->m.big, b->m.big) == 0 : a->m.small == b->m.small;
}

int pm_dyadic_sign(const pm_dyadic *a)
{
    if (a->kind == PM_DYADIC_FRACTION)
        return mpq_sgn(a->m.fraction);
    if (a->kind == PM_DYADIC_ROOTS)
        return 0;
    return a->kind == PM_DYADIC_BIG ? mpz_sgn(a->m.big) : (a->m.small > 0) - (a->m.small < 0);
}

bool pm_dyadic_is_integer(const pm_dyadic *a)
{
    return pm_dyadic_is_in_range(a) && a->kind != PM_DYADIC_FRACTION && a->kind != PM_DYADIC_ROOTS
           && a->exp >= 0;
}

int64_t pm_dyadic_bits(const pm_dyadic *a)
{
    if (a->kind == PM_DYADIC_BIG)
        return (int64_t)mpz_sizeinbase(a->m.big, 2);
    if (a->kind == PM_DYADIC_FRACTION)
        return pm_dyadic_fraction_bits(a);
    if (a->kind == PM_DYADIC_ROOTS)
        return pm_root_sum_bits(a->m.roots);
    if (a->m.small == 0)
        return 0;
    return 64 - __builtin_clzll((uint64_t)llabs(a->m.small));
}

void pm_dyadic_get_mpz_2exp(mpz_t z, int64_t *e, const pm_dyadic *a)
{
    assert(pm_dyadic_is_in_range(a) && a->kind != PM_DYADIC_FRACTION);
    if (a->kind == PM_DYADIC_BIG)
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
    assert(pm_dyadic_is_in_range(a) && a->kind != PM_DYADIC_FRACTION);
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
    if (a->kind == PM_DYADIC_BIG) {
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

/* The number of digits of "D.DDDDe+XX" without zeros at the end. */
static int digits_of(const char *text)
{
    int digits = (int)strcspn(text, "e") - (text[0] == '-') - 1; /* without the point */
    for (const char *p = strchr(text, 'e'); digits > 1 && *--p == '0';)
        --digits;
    return digits;
}

/* The fewest digits that read back as d; 17 for a subnormal, because some C libraries round those
 * wrongly when they read fewer.  A decimal of at most 15 digits is the one that its double is rounded
 * to, so that shorter texts need not be tried. */
static char *double_text(double d)
{
    enum { ROOM = 320, SURE = 15, ALL = 17 }; /* the compiler cannot see that 32 bytes would do */
    char *text = pm_alloc_array(ROOM, 1);
    if (!text)
        return NULL;
    int digits = ALL;
    if (d == 0 || fabs(d) >= DBL_MIN) {
        snprintf(text, ROOM, "%.*e", SURE - 1, d);
        if (strtod(text, NULL) == d) {
            digits = digits_of(text);
        } else {
            snprintf(text, ROOM, "%.*e", SURE, d);
            digits = strtod(text, NULL) == d ? SURE + 1 : ALL;
        }
    }
    snprintf(text, ROOM, "%.*g", digits, d);
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

/* The numerator with the exponent, and the denominator: 0x3p-1/7. */
static char *fraction_text(const pm_dyadic *a)
{
    mpq_t q;
    int64_t e;
    mpq_init(q);
    pm_dyadic_get_mpq_2exp(q, &e, a);
    char *above = hex_text(mpq_numref(q), e), *below = integer_text(mpq_denref(q));
    const size_t room = above && below ? strlen(above) + strlen(below) + 2 : 0;
    char *text = room ? pm_alloc_array((int64_t)room, 1) : NULL;
    if (text)
        snprintf(text, room, "%s/%s", above, below);
    free(above);
    free(below);
    mpq_clear(q);
    return text;
}

char *pm_dyadic_text(const pm_dyadic *a, bool as_integer)
{
    assert(pm_dyadic_is_in_range(a));
    if (a->kind == PM_DYADIC_FRACTION)
        return fraction_text(a);
    if (a->kind == PM_DYADIC_ROOTS)
        return pm_root_sum_short_text(a->m.roots);
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
