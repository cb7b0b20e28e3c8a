/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/guarantee.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "approx/gsl_philox.h"
#include "approx/moments.h"
#include "approx/weight.h"
#include "pm/alloc.h"

enum { CHUNK = 4096, PILOT_LEAST = 4096, PILOT_MOST = 1 << 20, PATIENCE = 100 };

/* Every stage has samples and coins of its own: those of a stage begin at sample stage 2^56. */
typedef enum { STAGE_HEADS = 1, STAGE_PAIRS, STAGE_MEAN, STAGE_PILOT } stage;

static uint64_t first_sample(stage g)
{
    return (uint64_t)g << 56;
}

/* No stream of a sample has this bit. */
static pm_random coins_of(const pm_sampler *s, stage g)
{
    return (pm_random){.seed = s->seed,
                       .stream = UINT64_C(1) << 63 | (uint64_t)s->block << 8 | (uint64_t)g};
}

double pm_guarantee_share(double epsilon, int64_t parts)
{
    return parts > 1 ? expm1(log1p(epsilon) / (double)parts) : epsilon;
}

/* ---- the plan ---- */

/* Probability that (k - 1)/T is farther than epsilon from mu, relatively. */
static double gamma_failure(double k, double epsilon)
{
    return gsl_cdf_gamma_P((k - 1) / (1 + epsilon), k, 1)
           + gsl_cdf_gamma_Q((k - 1) / (1 - epsilon), k, 1);
}

/* The least k for that; 0: beyond 2^50. */
static double heads_for(double epsilon, double delta)
{
    double low = 2, high = 4;
    while (gamma_failure(high, epsilon) > delta) {
        if (high > 0x1p50)
            return 0;
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        if (gamma_failure(middle, epsilon) > delta)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* m of stage 1, where the k-th head came at time t */
static double lower_mean(double heads, double t, double delta)
{
    return gsl_cdf_gamma_Pinv(delta / 3, heads, 1) / t;
}

/* V of stage 2, where `seen` coins showed heads */
static double upper_variance(double seen, double rate, double delta)
{
    return gsl_cdf_gamma_Qinv(delta / 3, seen + 1, 1) / (2 * rate);
}

/* n of stage 3 */
static double samples_for_mean(double epsilon, double delta, double m, double variance)
{
    double t = epsilon * m;
    return ceil(2 * log(6 / delta) * (variance + t / 3) / (t * t));
}

static double predict_mean(const pm_guarantee_plan *p, double heads, double rate)
{
    double m = lower_mean(heads, heads / p->mean, p->delta);
    double v = upper_variance(2 * p->variance * rate, rate, p->delta);
    return heads / p->mean + 2 * rate + samples_for_mean(p->epsilon, p->delta, m, v);
}

static void optimise(pm_guarantee_plan *p)
{
    p->heads = heads_for(p->epsilon, p->delta);
    p->samples = p->heads > 0 ? p->heads / p->mean : INFINITY;
    p->by_mean = false;
    for (double heads = 16; heads < 1e6 && heads / p->mean < p->samples; heads *= 1.3)
        for (double pairs = 4; 2 * pairs / p->mean < p->samples; pairs *= 1.3) {
            double samples = predict_mean(p, floor(heads), pairs / p->mean);
            if (samples < p->samples) {
                p->by_mean = true;
                p->heads = floor(heads);
                p->rate = pairs / p->mean;
                p->samples = samples;
            }
        }
}

/* Until the mean is known to a fifth or so. */
static pm_status draw_pilot(const pm_sampler *s, const pm_run *run, pm_sample_summary *sum,
                            pm_error *err)
{
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "the pilot");
    pm_moments_clear(m);
    pm_status status = PM_OK;
    for (int64_t more = PILOT_LEAST; status == PM_OK && m->count < PILOT_MOST; more = m->count) {
        uint64_t from = first_sample(STAGE_PILOT) + (uint64_t)m->count;
        status = pm_moments_draw(s, from, more, run, m, err);
        pm_moments_summary(m, sum);
        if (sum->relative_variance < 0.05)
            break;
    }
    free(m);
    return status;
}

pm_status pm_guarantee_prepare(const pm_sampler *s, double epsilon, double delta, const pm_run *run,
                               pm_guarantee_plan *out, pm_error *err)
{
    pm_sample_summary sum = {0};
    gsl_set_error_handler_off(); /* what cannot be computed is a NAN, and no reason to abort */
    pm_status status = draw_pilot(s, run, &sum, err);
    if (status != PM_OK)
        return status;
    if (sum.mean.m == 0)
        return pm_fail(err, PM_UNABLE,
                       "refused: none of %lld samples reached a perfect matching, so a guarantee "
                       "is out of reach",
                       (long long)sum.count);
    pm_guarantee_plan p = {.epsilon = epsilon, .delta = delta};
    p.mean = pm_weight_in(pm_weight_ratio(sum.mean, s->bound), 0);
    p.variance = p.mean * p.mean * sum.relative_variance * (double)sum.count;
    if (p.mean > 0x1p-50)
        optimise(&p);
    p.seconds = p.samples * s->seconds;
    if (!(p.mean > 0x1p-50 && p.samples < 0x1p50))
        return pm_fail(err, PM_UNABLE,
                       "refused: a guarantee would take more than 2^50 samples: the upper bound is "
                       "2^%.0f times the estimate",
                       pm_weight_log2(s->bound) - pm_weight_log2(sum.mean));
    *out = p;
    return PM_OK;
}

/* ---- the stages ---- */

typedef struct {
    const pm_sampler *sampler;
    const pm_guarantee_plan *plan;
    const pm_run *run;
    pm_moments *moments;
    char *scratch; /* one a thread, `stride` bytes each */
    size_t stride;
    int threads;
    double x[CHUNK]; /* weights over the bound */
    double used;
} work;

/* x of so many samples, at most CHUNK. */
static pm_status draw_chunk(work *w, uint64_t from, int count, pm_error *err)
{
    const pm_sampler *s = w->sampler;
    double worst = 0;
    if (pm_run_stopped(w->run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
#pragma omp parallel for num_threads(w->threads) schedule(dynamic, 64) reduction(max : worst)
    for (int i = 0; i < count; ++i) {
        void *scratch = w->scratch + (size_t)omp_get_thread_num() * w->stride;
        pm_weight weight = s->method->draw(s, scratch, from + (uint64_t)i);
        w->x[i] = weight.m > 0 ? pm_weight_in(pm_weight_ratio(weight, s->bound), 0) : 0;
        worst = fmax(worst, w->x[i]);
    }
    w->used += count;
    pm_run_progress(w->run, fmin(w->used / w->plan->samples, 1), "sampling");
    if (worst > 1)
        return pm_fail(err, PM_EINTERNAL, "a weight is %.17g times its upper bound", worst);
    if (w->used > PATIENCE * w->plan->samples + CHUNK)
        return pm_fail(err, PM_UNABLE,
                       "given up after %.3g samples where the pilot predicted %.3g: its weights "
                       "were not typical",
                       w->used, w->plan->samples);
    return PM_OK;
}

/* Time of the k-th head. */
static pm_status time_of_heads(work *w, double *time, pm_error *err)
{
    pm_random coin = coins_of(w->sampler, STAGE_HEADS);
    double heads = 0, tosses = 0;
    while (heads < w->plan->heads) {
        double wanted = (w->plan->heads - heads) / w->plan->mean;
        int count = wanted > CHUNK ? CHUNK : wanted > 64 ? (int)wanted : 64;
        pm_status s = draw_chunk(w, first_sample(STAGE_HEADS) + (uint64_t)tosses, count, err);
        if (s != PM_OK)
            return s;
        for (int i = 0; i < count && heads < w->plan->heads; ++i) {
            heads += pm_random_unit(&coin) <= w->x[i];
            ++tosses;
        }
    }
    gsl_rng r = pm_gsl_random(&coin);
    *time = gsl_ran_gamma(&r, tosses, 1);
    return PM_OK;
}

/* An upper bound of the variance. */
static pm_status bound_variance(work *w, double *variance, pm_error *err)
{
    pm_random coin = coins_of(w->sampler, STAGE_PAIRS);
    gsl_rng r = pm_gsl_random(&coin);
    double rate = w->plan->rate, seen = 0;
    if (rate > 0x1p31)
        return pm_fail(err, PM_UNABLE, "refused: %.3g pairs of samples", rate);
    uint64_t left = 2 * (uint64_t)gsl_ran_poisson(&r, rate), from = first_sample(STAGE_PAIRS);
    while (left > 0) {
        int count = left < CHUNK ? (int)left : CHUNK;
        pm_status s = draw_chunk(w, from, count, err);
        if (s != PM_OK)
            return s;
        for (int i = 0; i < count; i += 2) {
            double d = w->x[i] - w->x[i + 1];
            seen += pm_random_unit(&coin) <= d * d;
        }
        from += (uint64_t)count;
        left -= (uint64_t)count;
    }
    *variance = upper_variance(seen, rate, w->plan->delta);
    return PM_OK;
}

static pm_status take_mean(work *w, double time, double variance, pm_certified *out, pm_error *err)
{
    const pm_guarantee_plan *p = w->plan;
    double n =
        samples_for_mean(p->epsilon, p->delta, lower_mean(p->heads, time, p->delta), variance);
    if (!(n < PATIENCE * p->samples))
        return pm_fail(err, PM_UNABLE,
                       "refused: %.3g samples more where the pilot predicted %.3g in all", n,
                       p->samples);
    pm_run_part part;
    const pm_run *rest = pm_run_part_of(&part, w->run, fmin(w->used / p->samples, 1),
                                        fmax(1 - w->used / p->samples, 0));
    pm_moments_clear(w->moments);
    pm_status s =
        pm_moments_draw(w->sampler, first_sample(STAGE_MEAN), (int64_t)n, rest, w->moments, err);
    if (s != PM_OK)
        return s;
    pm_sample_summary sum;
    pm_moments_summary(w->moments, &sum);
    w->used += n;
    out->estimate = sum.mean;
    return PM_OK;
}

static pm_status run_stages(work *w, pm_certified *out, pm_error *err)
{
    const pm_guarantee_plan *p = w->plan;
    double time = 1, variance = 0;
    pm_status s = time_of_heads(w, &time, err);
    if (s == PM_OK && p->by_mean)
        s = bound_variance(w, &variance, err);
    if (s == PM_OK && p->by_mean)
        s = take_mean(w, time, variance, out, err);
    else if (s == PM_OK)
        out->estimate =
            pm_weight_product(w->sampler->bound, pm_weight_make((p->heads - 1) / time, 0));
    out->samples = (int64_t)w->used;
    return s;
}

pm_status pm_guarantee_run(const pm_sampler *s, const pm_guarantee_plan *plan, const pm_run *run,
                           pm_certified *out, pm_error *err)
{
    if (run && run->max_cost > 0 && plan->seconds > run->max_cost)
        return pm_fail(err, PM_UNABLE,
                       "refused: %g %% with probability %g would take about %.2g samples, %.2g "
                       "seconds of one core: the upper bound is %.2g times the estimate",
                       100 * plan->epsilon, 1 - plan->delta, plan->samples, plan->seconds,
                       1 / plan->mean);
    int threads = pm_run_threads(run);
    work *w = pm_calloc_array(1, sizeof *w);
    size_t stride = (s->scratch + 63) / 64 * 64;
    void *room = pm_alloc_array(threads * (int64_t)stride + 64, 1);
    pm_moments *moments = pm_alloc_array(1, sizeof *moments);
    pm_status status = PM_OK;
    if (w && room && moments) {
        w->sampler = s;
        w->plan = plan;
        w->run = run;
        w->moments = moments;
        w->stride = stride;
        w->threads = threads;
        w->scratch = (char *)room + (64 - (uintptr_t)room % 64);
        *out = (pm_certified){0};
        status = run_stages(w, out, err);
    } else
        status = pm_fail_memory(err, "the samples");
    free(w);
    free(room);
    free(moments);
    return status;
}
