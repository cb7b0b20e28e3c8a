/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/guarantee.h"
#include "estimate/guarantee_stages.h"
#include "pm/alloc.h"
#include "sampler/moments.h"
#include "sampler/weight.h"

#define PILOT_FIRST_SECONDS 1.0  /* nominal, of the first round */
#define PILOT_MOST_SECONDS  60.0 /* no round begins after this */
/* A pilot may estimate the mean too low by this factor; assumed, not proved. */
#define PILOT_DOUBT 1000
enum { PILOT_LEAST = 64, PILOT_FIRST = 4096, PILOT_MOST = 1 << 20 };

double pm_guarantee_share(double epsilon, int64_t parts)
{
    return parts > 1 ? expm1(log1p(epsilon) / (double)parts) : epsilon;
}

/* ---- the formulas of the stages ---- */

/* f(x, a, b), or NAN when it cannot be computed.  The error handler of GSL belongs to the program
 * and aborts by default, so it is switched off during the call. */
static double or_nan(double (*f)(double, double, double), double x, double a, double b)
{
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    double y = f(x, a, b);
    gsl_set_error_handler(handler);
    return y;
}

double pm_stage_lower_mean(double heads, double time, double delta)
{
    return or_nan(gsl_cdf_gamma_Pinv, delta / 3, heads, 1) / time;
}

double pm_stage_upper_variance(double seen, double rate, double delta)
{
    return or_nan(gsl_cdf_gamma_Qinv, delta / 3, seen + 1, 1) / (2 * rate);
}

double pm_stage_samples(double epsilon, double delta, double m, double variance)
{
    double t = epsilon * m;
    return ceil(2 * log(6 / delta) * (variance + t / 3) / (t * t));
}

/* ---- the plan ---- */

/* Probability that (k - 1)/T is farther than epsilon from mu, relatively. */
static double gamma_failure(double k, double epsilon)
{
    return or_nan(gsl_cdf_gamma_P, (k - 1) / (1 + epsilon), k, 1)
           + or_nan(gsl_cdf_gamma_Q, (k - 1) / (1 - epsilon), k, 1);
}

/* The least k for which this is at most delta; 0: beyond 2^50. */
static double heads_for(double epsilon, double delta)
{
    double low = 2, high = 4;
    while (!(gamma_failure(high, epsilon) <= delta)) {
        if (high > 0x1p50)
            return 0;
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        if (!(gamma_failure(middle, epsilon) <= delta))
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double predict_mean(const pm_guarantee_plan *p, double heads, double rate)
{
    double m = pm_stage_lower_mean(heads, heads / p->mean, p->delta);
    double v = pm_stage_upper_variance(2 * p->variance * rate, rate, p->delta);
    return heads / p->mean + 2 * rate + pm_stage_samples(p->epsilon, p->delta, m, v);
}

/* More samples than this cannot be drawn: plans are not compared there. */
#define MOST_PAIRS 0x1p60

static void optimise(pm_guarantee_plan *p)
{
    p->heads = heads_for(p->epsilon, p->delta);
    p->samples = p->heads > 0 ? p->heads / p->mean : INFINITY;
    p->by_mean = false;
    for (double heads = 16; heads < 1e6 && heads / p->mean < p->samples; heads *= 1.3)
        for (double pairs = 4; 2 * pairs / p->mean < p->samples && pairs < MOST_PAIRS;
             pairs *= 1.3) {
            double samples = predict_mean(p, floor(heads), pairs / p->mean);
            if (samples < p->samples) {
                p->by_mean = true;
                p->heads = floor(heads);
                p->rate = pairs / p->mean;
                p->samples = samples;
            }
        }
}

/* The plan for a mean and a variance of X. */
static pm_guarantee_plan plan_for(const pm_sampler *s, double epsilon, double delta, double mean,
                                  double variance)
{
    pm_guarantee_plan p = {.epsilon = epsilon, .delta = delta, .mean = mean, .variance = variance};
    p.samples = INFINITY;
    if (mean > 0x1p-50)
        optimise(&p);
    p.seconds = p.samples * s->seconds;
    return p;
}

double pm_guarantee_least_samples(double epsilon, double delta)
{
    pm_guarantee_plan p = {.epsilon = epsilon, .delta = delta, .mean = 1};
    optimise(&p);
    return p.samples;
}

/* ---- the pilot ---- */

static pm_guarantee_plan plan_after(const pm_sampler *s, const pm_sample_summary *sum,
                                    double epsilon, double delta)
{
    double mean = pm_weight_to_double(pm_weight_ratio(sum->mean, s->bound), 0);
    double variance = mean * mean * sum->relative_variance * (double)sum->count;
    return plan_for(s, epsilon, delta, mean, variance);
}

/* True when the cost is above the limit even if the pilot mean is too low by the factor
 * PILOT_DOUBT.  Without variance the number of samples is inversely proportional to the mean. */
static bool is_out_of_reach(const pm_sampler *s, const pm_sample_summary *sum, double least,
                            double most_seconds)
{
    double mean = pm_weight_to_double(pm_weight_ratio(sum->mean, s->bound), 0);
    return mean > 0 && most_seconds > 0
           && least * s->seconds / fmin(PILOT_DOUBT * mean, 1) > most_seconds;
}

static int64_t first_round(const pm_sampler *s)
{
    double affordable = PILOT_FIRST_SECONDS / s->seconds;
    return affordable > PILOT_FIRST   ? PILOT_FIRST
           : affordable < PILOT_LEAST ? PILOT_LEAST
                                      : (int64_t)affordable;
}

/* Draws rounds until the mean has a relative error of about a fifth, or is enough to refuse. */
static pm_status draw_pilot(const pm_sampler *s, double least, const pm_run *run,
                            pm_sample_summary *sum, pm_error *err)
{
    double most_seconds = run ? run->max_cost : 0;
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "the pilot");
    pm_moments_clear(m);
    pm_status status = PM_OK;
    for (int64_t more = first_round(s);
         !status && m->count < PILOT_MOST && (double)m->count * s->seconds < PILOT_MOST_SECONDS;
         more = m->count) {
        uint64_t from = pm_stage_first(PM_STAGE_PILOT) + (uint64_t)m->count;
        status = pm_moments_draw(s, from, more, run, m, err);
        pm_moments_summary(m, sum);
        if (sum->relative_variance < 0.05 || is_out_of_reach(s, sum, least, most_seconds))
            break;
    }
    free(m);
    return status;
}

pm_status pm_guarantee_prepare(const pm_sampler *s, double epsilon, double delta, const pm_run *run,
                               pm_guarantee_plan *out, pm_error *err)
{
    pm_sample_summary sum = {0};
    double least = pm_guarantee_least_samples(epsilon, delta);
    pm_status status = draw_pilot(s, least, run, &sum, err);
    if (status)
        return status;
    if (sum.mean.m == 0)
        return pm_fail(err, PM_UNABLE,
                       "refused: none of %lld samples found a perfect matching, so a guarantee "
                       "would take too long",
                       (long long)sum.count);
    pm_guarantee_plan p = plan_after(s, &sum, epsilon, delta);
    if (!(p.samples < 0x1p50))
        return pm_fail(err, PM_UNABLE,
                       "refused: a guarantee would take more than 2^50 samples: the upper bound is "
                       "2^%.0f times the estimate",
                       pm_weight_log2(s->bound) - pm_weight_log2(sum.mean));
    *out = p;
    return PM_OK;
}
