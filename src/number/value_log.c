/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log10 |v| to a few units of the last place of a double, for values of any size.  With |x| = m 2^e
 * it is log10(m) + e log10(2), except near 1, where the two terms would cancel: there it is
 * log1p(|x| - 1), with a difference that is exact but for one rounding. */
#include "config.h"

#include "pm/value.h"

#include <math.h>

#include "number/value_roots.h"

#define LOG10_OF_2 0.30102999566398119521
#define LOG10_OF_E 0.43429448190325182765

/* |x| is between 1/2 and 2. */
static double log10_near_1(pm_xreal x)
{
    double high = ldexp(x.hi, (int)x.exp), low = ldexp(x.lo, (int)x.exp);
    return LOG10_OF_E * log1p((high - 1) + low);
}

double pm_xreal_log10_abs(pm_xreal a)
{
    pm_xreal x = pm_xreal_abs(a);
    if (!pm_xreal_is_in_range(x))
        return NAN;
    if (x.hi == 0)
        return -INFINITY;
    if (x.exp == 0 || x.exp == 1)
        return log10_near_1(x);
    return log10(x.hi) + (double)x.exp * LOG10_OF_2;
}

/* |q| near 1, but not an integer: from |q| - 1, which is exact. */
static double log10_of_rational(const mpq_t q)
{
    mpq_t one, apart;
    mpq_inits(one, apart, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_abs(apart, q);
    mpq_sub(apart, apart, one);
    double x = mpq_get_d(apart);
    mpq_clears(one, apart, NULL);
    return fabs(x) < 0.5 ? LOG10_OF_E * log1p(x) : pm_xreal_log10_abs(pm_xreal_from_mpq(q));
}

/* (x 2^-shift)^2; 0 where that does not matter beside a number with the exponent `largest`. */
static pm_xreal scaled_square(pm_xreal x, int64_t largest, int64_t shift)
{
    enum { FAR = 1000 };
    if (x.hi == 0 || x.exp < largest - FAR)
        return (pm_xreal){0};
    x.exp -= shift;
    return pm_xreal_mul(x, x);
}

/* Half of log10(re^2 + im^2), with both parts brought near 1 where a square would be out of range.
 */
static double log10_of_complex(pm_xreal re, pm_xreal im)
{
    const int64_t far = INT64_C(1) << 60;
    int64_t largest = pm_xreal_cmpabs(re, im) > 0 ? re.exp : im.exp;
    int64_t shift = largest > -far && largest < far ? 0 : largest;
    pm_xreal square =
        pm_xreal_add(scaled_square(re, largest, shift), scaled_square(im, largest, shift));
    return 0.5 * pm_xreal_log10_abs(square) + (double)shift * LOG10_OF_2;
}

double pm_value_log10_abs(const pm_value *v)
{
    if (v->roots) {
        pm_value rounded;
        pm_value_init(&rounded);
        pm_value_set(&rounded, v);
        pm_value_round_roots(&rounded);
        const double log10 = log10_of_complex(rounded.re, rounded.im);
        pm_value_clear(&rounded);
        return log10;
    }
    if (v->has_exact_im && mpq_sgn(v->exact_im) != 0)
        return log10_of_complex(pm_xreal_from_mpq(v->exact), pm_xreal_from_mpq(v->exact_im));
    if (pm_value_is_exact(v))
        return mpz_cmp_ui(mpq_denref(v->exact), 1) == 0
                   ? pm_xreal_log10_abs(pm_xreal_from_mpq(v->exact))
                   : log10_of_rational(v->exact);
    if (v->field == PM_REAL)
        return pm_xreal_log10_abs(v->re);
    return pm_value_is_in_range(v) ? log10_of_complex(v->re, v->im) : NAN;
}
