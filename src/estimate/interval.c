/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Measured thresholds, see doc/measurements.md. */
static const double tail_is_heavy = 0.5, tail_is_hopeless = 0.7;
static const double width_is_skewed = 0.3, width_is_wide = 0.2;
enum { LEAST_FREEDOM = 4 };

/* Branches that n samples have not reached have, at 95 %, a probability of at most 3/n (the rule of
 * three).  UNSEEN / n is the standard error for which this is two standard errors. */
#define UNSEEN 1.5

/* ---- spreads ---- */

pm_spread pm_spread_of(const pm_sample_summary *s, int64_t branches)
{
    double n = (double)s->count, v = s->relative_variance, unseen = UNSEEN / (n * (double)branches);
    pm_spread out = {.variance = v + unseen * unseen, .freedom = n - 1, .tail_k = s->tail_k};
    if (isfinite(v))
        out.third = s->skewness * pow(v * n, 1.5) / (n * n);
    return out;
}

/* Parts that are exact have no tail. */
static double worst_tail(pm_spread a, pm_spread b)
{
    if (isinf(a.freedom))
        return b.tail_k;
    if (isinf(b.freedom))
        return a.tail_k;
    return isnan(a.tail_k) || isnan(b.tail_k) ? NAN : fmax(a.tail_k, b.tail_k);
}

/* Welch 1947, Satterthwaite 1946 */
static double freedom_of(double va, double fa, double vb, double fb)
{
    double v = va + vb;
    if (v == 0)
        return fmin(fa, fb);
    double a = va / v, b = vb / v;
    return 1 / ((a > 0 ? a * a / fa : 0) + (b > 0 ? b * b / fb : 0));
}

pm_spread pm_spread_sum(pm_spread a, double wa, pm_spread b, double wb)
{
    double va = wa * wa * a.variance, vb = wb * wb * b.variance;
    return (pm_spread){.variance = va + vb,
                       .third = wa * wa * wa * a.third + wb * wb * wb * b.third,
                       .freedom = freedom_of(va, a.freedom, vb, b.freedom),
                       .tail_k = worst_tail(a, b),
                       .rounding = fabs(wa) * a.rounding + fabs(wb) * b.rounding,
                       .has_both_signs = a.has_both_signs || b.has_both_signs,
                       .may_be_opposite = a.may_be_opposite || b.may_be_opposite,
                       .is_power = a.is_power || b.is_power,
                       .is_lost = a.is_lost || b.is_lost};
}

bool pm_spread_is_exact(pm_spread s)
{
    return s.variance == 0 && isinf(s.freedom) && !s.is_lost;
}

static double size_of(pm_spread s)
{
    return s.may_be_opposite ? fabs(s.centre) : 1;
}

double pm_spread_relative_error(pm_spread s)
{
    if (s.is_lost)
        return INFINITY;
    return s.variance == 0 ? 0 : sqrt(s.variance) / size_of(s);
}

/* ---- intervals ---- */

static double quantile(double level, double freedom)
{
    double p = 0.5 + level / 2;
    return isinf(freedom) ? pm_normal_quantile(level) : gsl_cdf_tdist_Pinv(p, freedom);
}

static double student(pm_spread s, double level)
{
    return quantile(level, s.freedom) * sqrt(s.variance);
}

static pm_interval log_t(pm_spread s, double level)
{
    double half = student(s, level);
    return (pm_interval){.low = exp(-half), .high = exp(half), .kind = PM_INTERVAL_LOG_T};
}

/* Solves T + a T^2/3 + a^2 T^3/27 + a/6 = x, a the skewness of the mean: the left side, of the
 * studentised mean T, is nearly normal (Hall 1992). */
static double inverse(double x, double a)
{
    return fabs(a) < 1e-8 ? x : 3 / a * (cbrt(1 + a * (x - a / 6)) - 1);
}

static pm_interval hall(pm_spread s, double level)
{
    double q = quantile(level, s.freedom), sd = sqrt(s.variance);
    double a = s.variance > 0 ? s.third / (s.variance * sd) : 0;
    return (pm_interval){.low = fmin(1 - sd * inverse(q, a), 1),
                         .high = fmax(1 - sd * inverse(-q, a), 1),
                         .kind = PM_INTERVAL_HALL};
}

/* Rare samples with large weights make the value larger, unless terms have both signs.  Sampling
 * that stops when the interval is narrow misses them most often. */
static pm_interval of_one_sign(pm_spread s, double level)
{
    const pm_interval h = hall(s, level), t = log_t(s, level);
    bool is_skewed = s.tail_k >= tail_is_heavy || t.high - 1 > width_is_skewed;
    pm_interval i = is_skewed && !s.is_power ? h : t;
    i.high = fmax(i.high, h.high) + s.rounding;
    i.low = s.has_both_signs && !s.is_power ? fmin(i.low, h.low) : i.low;
    i.low = fmax(i.low - s.rounding, 0);
    return i;
}

static pm_interval of_a_difference(pm_spread s, double level)
{
    double half = student(s, level);
    pm_interval i = hall(s, level);
    i.low = fmin(i.low, 1 - half) - s.rounding + s.centre - 1;
    i.high = fmax(i.high, 1 + half) + s.rounding + s.centre - 1;
    return i;
}

/* True when no interval can be given.  A difference may have any variance. */
static bool is_unknown(pm_spread s)
{
    bool is_known = s.may_be_opposite ? isfinite(s.variance) : s.variance < 1e6;
    return !is_known || s.is_lost || !(s.freedom >= 1);
}

/* The wider side, divided by the estimate. */
static double reach_of(pm_interval i, pm_spread s)
{
    double centre = s.may_be_opposite ? s.centre : 1;
    return fmax(i.high - centre, centre - i.low) / fabs(centre);
}

static bool is_reliable(pm_spread s, bool is_wide)
{
    if (pm_spread_is_exact(s))
        return true;
    if (s.freedom < LEAST_FREEDOM)
        return false;
    return isnan(s.tail_k) ? !is_wide : s.tail_k <= tail_is_hopeless;
}

pm_interval pm_interval_of(pm_spread s, double level)
{
    if (is_unknown(s))
        return (pm_interval){.low = s.has_both_signs ? -INFINITY : 0,
                             .high = INFINITY,
                             .kind = PM_INTERVAL_LOG_T,
                             .is_wide = true,
                             .is_lost = s.is_lost};
    pm_interval i = s.may_be_opposite ? of_a_difference(s, level) : of_one_sign(s, level);
    double reach = reach_of(i, s);
    i.is_wide = !(reach <= width_is_wide);
    i.has_tail = s.tail_k > tail_is_hopeless;
    i.is_reliable = is_reliable(s, !(reach <= width_is_skewed));
    return i;
}

bool pm_interval_is_within(pm_spread s, double level, double half_width)
{
    if (is_unknown(s))
        return false;
    if (s.may_be_opposite)
        return reach_of(of_a_difference(s, level), s) <= half_width;
    double t = log_t(s, level).high - 1, h = hall(s, level).high - 1;
    return fmax(t, h) + s.rounding <= half_width;
}

/* For independent unbiased B_1 .. B_k >= 0, by Markov: P(min B >= x perm) <= x^-k. */
double pm_tail_free_lower(const pm_sample_summary *s, double level)
{
    return s->batches > 0 ? s->least_batch * pow(1 - level, 1.0 / s->batches) : 0;
}

double pm_normal_quantile(double level)
{
    return gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
}
