/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/certify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/log_factorial.h"
#include "estimate/choose.h"
#include "estimate/estimation.h"
#include "estimate/guarantee.h"
#include "estimate/sampler_registry.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "sampler/weight.h"

typedef struct {
    pm_expression *x;
    const pm_estimate_options *o;
    const pm_run *run;
    pm_guarantee_plan *plan; /* of each sampled block */
    double epsilon, delta;   /* of each sampled block */
} work;

/* The number of factors among which epsilon is divided.  A block with power k counts as k factors.
 * The relative error of a sum whose terms have one sign is at most the largest of its terms. */
static int64_t count_parts(const pm_expression *x)
{
    double parts = 0;
    for (int64_t i = 0; i < x->nsampled; ++i)
        parts += x->sampled[i]->power;
    return parts < 0x1p62 ? (int64_t)parts : INT64_C(1) << 62;
}

/* known: "at least", "about" or "more than", for the message */
static pm_status check_cost(const work *w, double samples, double seconds, const char *known,
                            pm_error *err)
{
    if (!(w->run->max_cost > 0 && seconds > w->run->max_cost))
        return PM_OK;
    return pm_fail_cost(err, seconds,
                        "refused: the guarantee would take %s %.2g samples and %.2g seconds of one "
                        "core; allowed are %.6g seconds%s",
                        known, samples, seconds, w->run->max_cost, pm_hint_text(PM_HINT_COST));
}

/* log of Bregman's bound of a 0/1 matrix (bounds/bounds.h), not rounded upwards. */
static double log_bregman(const pm_matrix *a)
{
    double sum = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        double d = (double)(a->rowptr[i + 1] - a->rowptr[i]);
        sum += pm_log_factorial(d) / d;
    }
    return sum;
}

/* An upper bound of the mean of weight / bound. */
static double most_mean(const pm_approx_block *b)
{
    return fmin(exp(log_bregman(&b->a) - pm_weight_log2(b->samples->sampler.bound) * log(2)), 1);
}

/* Makes the samplers, and refuses when even the least possible cost is above the limit. */
static pm_status make_samplers(const work *w, pm_error *err)
{
    pm_status status = PM_OK;
    double least = pm_guarantee_least_samples(w->epsilon, w->delta), samples = 0, seconds = 0;
    const pm_sampler_method *method = pm_sampler_method_find("hub++");
    for (int64_t i = 0; i < w->x->nsampled; ++i) {
        pm_approx_block *b = w->x->sampled[i];
        if (b->general)
            return pm_fail(err, PM_UNABLE,
                           "a guarantee needs weights with a proved bound, which no method has for "
                           "graphs with odd cycles");
        status = pm_sampler_make(method, &b->a, &w->o->sampler, w->o->seed, b->index, w->run,
                                 &b->samples->sampler, err);
        if (status)
            return status;
        b->samples->sampler.scope = pm_estimation_scope(w->o->count.ledger, "guarantee", 0);
        samples += least / most_mean(b);
        seconds += least / most_mean(b) * b->samples->sampler.seconds;
    }
    return check_cost(w, samples, seconds, "at least", err);
}

static pm_status prepare(const work *w, pm_error *err)
{
    pm_status status = make_samplers(w, err);
    double samples = 0, seconds = 0;
    for (int64_t i = 0; i < w->x->nsampled && !status; ++i) {
        bool is_last = i == w->x->nsampled - 1;
        status = pm_guarantee_prepare(&w->x->sampled[i]->samples->sampler, w->epsilon, w->delta,
                                      w->run, &w->plan[i], err);
        samples += w->plan[i].samples;
        seconds += w->plan[i].seconds;
        if (!status)
            status = check_cost(w, samples, seconds, is_last ? "about" : "more than", err);
    }
    return status;
}

static pm_status draw(work *w, pm_estimate *out, pm_error *err)
{
    pm_status status = PM_OK;
    pm_run_note(w->run, 2, "about to draw for %" PRId64 " blocks", w->x->nsampled);
    for (int64_t i = 0; i < w->x->nsampled && !status; ++i) {
        pm_approx_block *b = w->x->sampled[i];
        pm_certified c = {0};
        status = pm_guarantee_run(&b->samples->sampler, &w->plan[i], w->run, &c, err);
        out->samples += c.samples;
        if (status)
            break;
        pm_value_set_real(b->value, PM_REAL, pm_weight_xreal(c.estimate), (pm_xreal){0},
                          (pm_xreal){0});
    }
    return status;
}

static void set_interval(pm_estimate *out, double epsilon)
{
    out->interval =
        (pm_interval){.low = 1 / (1 + epsilon), .high = 1 / (1 - epsilon), .is_reliable = true};
    out->unit = out->value.re;
    pm_estimate_set_ends(out);
    out->is_certified = true;
    out->method = "hub++";
    out->stopped_by = PM_STOP_REL_ERR;
    out->relative_error = NAN;
    out->effective = NAN;
}

/* A sum is within epsilon when its terms are and have one sign. */
static pm_status check_signs(const work *w, pm_estimate *out, pm_error *err)
{
    pm_status status = pm_expression_evaluate(w->x, w->run, &out->value, err);
    if (status)
        return status;
    if (out->value.field == PM_COMPLEX)
        return pm_fail(err, PM_UNABLE,
                       "expected a real value for a guarantee, found a complex one");
    if (pm_expression_spread(w->x).has_both_signs)
        return pm_fail(err, PM_UNABLE, "a guarantee needs sums whose terms all have the same sign");
    return PM_OK;
}

/* Estimates every sampled block by itself, then evaluates the item. */
static pm_status certify(work *w, double epsilon, double delta, pm_estimate *out, pm_error *err)
{
    pm_status status = check_signs(w, out, err);
    if (status)
        return status;
    w->epsilon = pm_guarantee_share(epsilon, count_parts(w->x));
    w->delta = delta / (double)w->x->nsampled;
    w->plan = pm_calloc_array(w->x->nsampled, sizeof *w->plan);
    if (!w->plan)
        return pm_fail_memory(err, "the plan of a guarantee");
    double begun = pm_clock();
    status = prepare(w, err);
    if (!status)
        status = draw(w, out, err);
    out->seconds = pm_clock() - begun;
    if (!status)
        status = pm_expression_evaluate(w->x, w->run, &out->value, err);
    if (!status)
        set_interval(out, epsilon);
    free(w->plan);
    return status;
}

/* Counts the cheap blocks exactly and estimates the others. */
static pm_status count_or_certify(work *w, double epsilon, double delta, pm_estimate *out,
                                  pm_error *err)
{
    pm_status status = pm_choose_exact(w->x, w->o, w->run, err);
    if (!status && w->x->nsampled > 0 && w->o->most_seconds > 0)
        return pm_fail(err, PM_UNABLE, "pilot samples take too long");
    if (!status && w->x->nsampled > 0)
        return certify(w, epsilon, delta, out, err);
    if (!status)
        status = pm_expression_evaluate(w->x, w->run, &out->value, err);
    out->is_exact = !status;
    return status;
}

pm_status pm_certify_item(pm_expression *x, double epsilon, double delta,
                          const pm_estimate_options *o, const pm_run *run, pm_estimate *out,
                          pm_error *err)
{
    const pm_run limited = pm_run_within(run, o->seconds);
    work w = {.x = x, .o = o, .run = &limited};
    pm_status status = count_or_certify(&w, epsilon, delta, out, err);
    if (status != PM_ESTOPPED)
        return status;
    const char *why = pm_run_is_late(&limited) ? "the time limit came" : "stopped";
    if (out->samples == 0)
        return pm_fail(err, status, "%s before the first sample of the guarantee", why);
    return pm_fail(err, status, "%s before the guarantee held, after %" PRId64 " samples", why,
                   out->samples);
}
