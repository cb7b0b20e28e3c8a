/* SPDX-License-Identifier: GPL-3.0-or-later */
/* |x| = m * 2^-shift with m < 2^126, and 10^s < 2^127, so m * 10^s is an integer of 256 bits: the digits are above bit
 * `shift` of it, and what is below is exact. */
#include "config.h"

#include "number/decimal_wide.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/decimal_layout.h"

typedef unsigned __int128 uint128;

enum { MOST_DIGITS = 34, MOST_POWER = 38, LIMBS = 4, BITS = 64 * LIMBS, MOST_GAP = 72 };

static uint128 power_of_ten(int s)
{
    uint128 power = 1;
    for (; s >= 16; s -= 16)
        power *= UINT64_C(10000000000000000);
    for (; s >= 4; s -= 4)
        power *= 10000;
    for (; s > 0; --s)
        power *= 10;
    return power;
}

/* |x| = *m * 2^-*shift. */
static bool get_integer(pm_xreal x, uint128 *m, int *shift)
{
    int high, low;
    const int64_t hi = (int64_t)(frexp(x.hi, &high) * 0x1p53);
    int64_t lo = (int64_t)(frexp(x.lo, &low) * 0x1p53);
    if (x.exp < -BITS || x.exp > BITS || abs(high) > BITS)
        return false;
    if (lo == 0)
        low = high;
    while (lo && high - low > MOST_GAP && lo % 2 == 0) {
        lo /= 2;
        ++low;
    }
    if (high - low > MOST_GAP)
        return false;
    const __int128 sum = (__int128)hi * ((__int128)1 << (high - low)) + lo;
    *m = (uint128)(sum < 0 ? -sum : sum);
    *shift = 53 - low - (int)x.exp;
    return true;
}

/* m * 10^s, s >= 0. */
static void scale(uint128 m, int s, mp_limb_t out[LIMBS])
{
    const uint128 power = power_of_ten(s);
    const mp_limb_t a[2] = {(mp_limb_t)m, (mp_limb_t)(m >> 64)},
                    b[2] = {(mp_limb_t)power, (mp_limb_t)(power >> 64)};
    mpn_mul_n(out, a, b, 2);
}

/* z / 2^shift, rounded down; 0 <= shift < BITS.  False: it has more than 128 bits. */
static bool whole_part(const mp_limb_t z[LIMBS], int shift, uint128 *out)
{
    const int from = shift / 64, bits = shift % 64;
    mp_limb_t whole[LIMBS + 1] = {0};
    memcpy(whole, z + from, (size_t)(LIMBS - from) * sizeof *z);
    if (bits)
        mpn_rshift(whole, whole, LIMBS, (unsigned)bits);
    *out = (uint128)whole[1] << 64 | whole[0];
    return whole[2] == 0 && whole[3] == 0;
}

/* The part of z below 2^shift, in *z. */
static void keep_rest(mp_limb_t z[LIMBS], int shift)
{
    const int from = shift / 64;
    z[from] &= ((mp_limb_t)1 << shift % 64) - 1;
    for (int k = from + 1; k < LIMBS; ++k)
        z[k] = 0;
}

/* z = 2^shift - z */
static void complement(mp_limb_t z[LIMBS], int shift)
{
    mp_limb_t one[LIMBS] = {0};
    one[shift / 64] = (mp_limb_t)1 << shift % 64;
    mpn_sub_n(z, one, z, LIMBS);
}

/* About z / 2^shift: its relative error is below 2^-50. */
static double share_of(const mp_limb_t z[LIMBS], int shift)
{
    double sum = 0;
    for (int k = LIMBS - 1; k >= 0; --k)
        sum += ldexp((double)z[k], 64 * k - shift);
    return sum;
}

/* Compares z with 2^(shift - 1). */
static int compare_half(const mp_limb_t z[LIMBS], int shift)
{
    mp_limb_t half[LIMBS] = {0};
    if (shift == 0)
        return -1; /* z is 0 */
    half[(shift - 1) / 64] = (mp_limb_t)1 << (shift - 1) % 64;
    return mpn_cmp(z, half, LIMBS);
}

/* The decade of |x|, and |x| * 10^(digits - 1 - decade) = *whole + *z / 2^shift. */
static bool set_leading(pm_xreal x, int digits, int *k, uint128 *whole, mp_limb_t z[LIMBS],
                        int *shift)
{
    uint128 m;
    if (!get_integer(x, &m, shift) || *shift < 0 || *shift >= BITS)
        return false;
    const uint128 least = power_of_ten(digits - 1);
    *k = (int)floor(((double)x.exp + ilogb(x.hi) - 1) * 0.30103);
    for (;; ++*k) {
        const int s = digits - 1 - *k;
        if (s < 0 || s > MOST_POWER)
            return false;
        scale(m, s, z);
        if (!whole_part(z, *shift, whole))
            return false;
        if (*whole < 10 * least)
            break;
    }
    keep_rest(z, *shift);
    return *whole >= least;
}

bool pm_decimal_decade_wide(pm_xreal x, int64_t *k)
{
    mp_limb_t z[LIMBS];
    uint128 whole;
    int decade, shift;
    if (GMP_NUMB_BITS != 64 || !set_leading(x, 1, &decade, &whole, z, &shift))
        return false;
    *k = decade;
    return true;
}

bool pm_decimal_round_wide(pm_xreal x, int digits, pm_rounding how, pm_decimal *out)
{
    mp_limb_t z[LIMBS];
    uint128 whole;
    int k, shift;
    if (GMP_NUMB_BITS != 64 || digits > MOST_DIGITS
        || !set_leading(x, digits, &k, &whole, z, &shift))
        return false;
    *out = (pm_decimal){.is_negative = x.hi < 0, .digits = digits};
    const bool has_rest = !mpn_zero_p(z, LIMBS);
    const int against_half = compare_half(z, shift);
    const bool up = how == PM_ROUND_AWAY
                        ? has_rest
                        : against_half > 0 || (against_half == 0 && has_rest && (whole & 1));
    if (up)
        complement(z, shift);
    const int length = pm_decimal_digits(whole + up, out->digit);
    out->decade = k + length - digits; /* 9.99 may have become 10.00 */
    if (has_rest) {
        const double residue = share_of(z, shift) / (double)power_of_ten(digits - 1 - k);
        out->residue = pm_xreal_make(residue, residue * 0x1p-40, 0);
    }
    return true;
}
