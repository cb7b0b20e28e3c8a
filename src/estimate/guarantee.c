/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/guarantee.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "core/team.h"
#include "estimate/guarantee_stages.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "sampler/gsl_philox.h"
#include "sampler/moments.h"
#include "sampler/weight.h"

enum {
    CHUNK = 4096,      /* samples that are drawn together */
    OVERRUN_MOST = 100 /* times the predicted samples */
};

/* Random numbers of the coins; the sequences of samples do not have the top bit. */
static pm_random coins_of(const pm_sampler *s, pm_stage g)
{
    return (pm_random){.seed = s->seed,
                       .sequence = UINT64_C(1) << 63 | (uint64_t)s->block << 8 | (uint64_t)g};
}

/* ---- the stages ---- */

typedef struct {
    const pm_sampler *sampler;
    const pm_guarantee_plan *plan;
    const pm_run *run;
    pm_moments *moments;
    char *scratch; /* `stride` bytes for each thread */
    size_t stride;
    int threads;
    double x[CHUNK]; /* weights over the bound */
    double used;
} work;

/* Sets x for samples from .. from + count - 1; count is at most CHUNK. */
static pm_status draw_chunk(work *w, uint64_t from, int count, pm_error *err)
{
    const pm_sampler *s = w->sampler;
    double worst = 0;
    uint64_t none = 0;
    pm_status status = pm_run_stopped(w->run) ? pm_fail(err, PM_ESTOPPED, "stopped") : PM_OK;
    status = pm_ledger_agree(s->scope.ledger, "samples", status, &none, 1, err);
    if (status)
        return status;
#pragma omp parallel for num_threads(w->threads) schedule(dynamic, 64) reduction(max : worst)
    for (int i = 0; i < count; ++i) {
        void *scratch = w->scratch + (size_t)omp_get_thread_num() * w->stride;
        pm_weight weight = s->method->draw(s, scratch, from + (uint64_t)i);
        w->x[i] = weight.m > 0 ? pm_weight_to_double(pm_weight_ratio(weight, s->bound), 0) : 0;
        worst = fmax(worst, w->x[i]);
    }
    w->used += count;
    pm_run_progress(w->run, fmin(w->used / w->plan->samples, 1), "sampling");
    if (worst > 1)
        return pm_fail_internal(err, "a weight is %.17g times its upper bound", worst);
    if (w->used > OVERRUN_MOST * w->plan->samples + CHUNK)
        return pm_fail(err, PM_UNABLE,
                       "given up after %.3g samples, although the pilot samples predicted %.3g: "
                       "they were not typical%s",
                       w->used, w->plan->samples, pm_hint_text(PM_HINT_SEED));
    return PM_OK;
}

/* *time: that of the k-th head. */
static pm_status time_of_heads(work *w, double *time, pm_error *err)
{
    pm_random coin = coins_of(w->sampler, PM_STAGE_HEADS);
    double heads = 0, tosses = 0;
    while (heads < w->plan->heads) {
        double wanted = (w->plan->heads - heads) / w->plan->mean;
        int count = wanted > CHUNK ? CHUNK : wanted > 64 ? (int)wanted : 64;
        pm_status status =
            draw_chunk(w, pm_stage_first(PM_STAGE_HEADS) + (uint64_t)tosses, count, err);
        if (status)
            return status;
        for (int i = 0; i < count && heads < w->plan->heads; ++i) {
            heads += pm_random_unit(&coin) <= w->x[i];
            ++tosses;
        }
    }
    gsl_rng r = pm_gsl_random(&coin);
    *time = gsl_ran_gamma(&r, tosses, 1);
    return PM_OK;
}

/* *variance: an upper bound of v. */
static pm_status bound_variance(work *w, double *variance, pm_error *err)
{
    pm_random coin = coins_of(w->sampler, PM_STAGE_PAIRS);
    gsl_rng r = pm_gsl_random(&coin);
    double rate = w->plan->rate, seen = 0;
    if (rate > 0x1p31)
        return pm_fail(err, PM_UNABLE,
                       "refused: the guarantee would take %.3g pairs of samples, more than 2^31; a "
                       "larger error takes fewer",
                       rate);
    uint64_t left = 2 * (uint64_t)gsl_ran_poisson(&r, rate), from = pm_stage_first(PM_STAGE_PAIRS);
    while (left > 0) {
        int count = left < CHUNK ? (int)left : CHUNK;
        pm_status status = draw_chunk(w, from, count, err);
        if (status)
            return status;
        for (int i = 0; i < count; i += 2) {
            double d = w->x[i] - w->x[i + 1];
            seen += pm_random_unit(&coin) <= d * d;
        }
        from += (uint64_t)count;
        left -= (uint64_t)count;
    }
    *variance = pm_stage_upper_variance(seen, rate, w->plan->delta);
    return PM_OK;
}

static pm_status take_mean(work *w, double time, double variance, pm_certified *out, pm_error *err)
{
    const pm_guarantee_plan *p = w->plan;
    double n = pm_stage_samples(p->epsilon, p->delta, pm_stage_lower_mean(p->heads, time, p->delta),
                                variance);
    if (!(n < OVERRUN_MOST * p->samples))
        return pm_fail(err, PM_UNABLE,
                       "refused: the guarantee would take %.3g more samples, although the pilot "
                       "samples predicted %.3g in all%s",
                       n, p->samples, pm_hint_text(PM_HINT_SEED));
    pm_run_part part;
    const pm_run *rest = pm_run_part_of(&part, w->run, fmin(w->used / p->samples, 1),
                                        fmax(1 - w->used / p->samples, 0));
    pm_moments_clear(w->moments);
    pm_status status = pm_moments_draw(w->sampler, pm_stage_first(PM_STAGE_MEAN), (int64_t)n, rest,
                                       w->moments, err);
    w->used += (double)w->moments->count;
    if (status)
        return status;
    pm_sample_summary sum;
    pm_moments_summary(w->moments, &sum);
    out->estimate = sum.mean;
    return PM_OK;
}

static pm_status run_stages(work *w, pm_certified *out, pm_error *err)
{
    const pm_guarantee_plan *p = w->plan;
    double time = 1, variance = 0;
    pm_status status = time_of_heads(w, &time, err);
    if (!status && p->by_mean)
        status = bound_variance(w, &variance, err);
    if (!status && p->by_mean)
        status = take_mean(w, time, variance, out, err);
    else if (!status)
        out->estimate =
            pm_weight_product(w->sampler->bound, pm_weight_make((p->heads - 1) / time, 0));
    out->samples = (int64_t)w->used;
    return status;
}

pm_status pm_guarantee_run(const pm_sampler *s, const pm_guarantee_plan *plan, const pm_run *run,
                           pm_certified *out, pm_error *err)
{
    if (run && run->max_cost > 0 && plan->seconds > run->max_cost)
        return pm_fail(
            err, PM_UNABLE,
            "refused: an error of %g %% with probability %g would take about %.2g samples and %.2g "
            "seconds of one core: the upper bound is %.2g times the estimate",
            100 * plan->epsilon, 1 - plan->delta, plan->samples, plan->seconds, 1 / plan->mean);
    int threads = pm_team(run, pm_run_threads(run));
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
