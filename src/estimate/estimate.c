/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "estimate/choose.h"
#include "estimate/estimation.h"
#include "pm/settings.h"

pm_estimate_options pm_estimate_defaults(void)
{
    pm_estimate_options o = {
        .sampler = {.scale_interval = 1, .complete = -1},
        .level = 0.95,
        .rel_err = 0.01,
        .seconds = 60,
        .exact_seconds = 2,
        .planar_seconds = 7.5,
        .count = pm_count_defaults(),
    };
    o.count.cost_of_one_core = true;
    return o;
}

void pm_estimate_init(pm_estimate *e)
{
    *e = (pm_estimate){.method = "exact", .device = "cpu", .tail_k = NAN, .tail_free = NAN};
    pm_value_init(&e->value);
}

void pm_estimate_clear(pm_estimate *e)
{
    pm_value_clear(&e->value);
}

static pm_xreal end(pm_xreal unit, double units, bool *is_finite)
{
    pm_xreal x = pm_xreal_mul(unit, pm_xreal_make(isfinite(units) ? units : 0, 0, 0));
    *is_finite = isfinite(units) && pm_xreal_is_in_range(x);
    return *is_finite ? x : (pm_xreal){0};
}

void pm_estimate_set_ends(pm_estimate *e)
{
    const pm_interval i = e->interval;
    bool is_negative = e->unit.hi < 0;
    e->low = end(e->unit, is_negative ? i.high : i.low, &e->has_low);
    e->high = end(e->unit, is_negative ? i.low : i.high, &e->has_high);
}

/* ---- the first samples ---- */

/* The relative variance that each sampled block may have at the end. */
static double variance_of_each(const pm_estimation *w)
{
    double rel_err = w->o->rel_err > 0 ? w->o->rel_err : pm_estimate_defaults().rel_err;
    return pow(rel_err / pm_normal_quantile(w->o->level), 2) / (double)w->x->nsampled;
}

/* out->method: the name of the method when all blocks have the same. */
static void name_method(pm_estimation *w, const char *name)
{
    bool is_first = strcmp(w->out->method, "exact") == 0;
    w->out->method = is_first || strcmp(w->out->method, name) == 0 ? name : "several";
}

static pm_status choose(pm_estimation *w, pm_error *err)
{
    pm_status status = PM_OK;
    const pm_run pilots = pm_run_within(w->run, w->o->seconds / 4);
    double variance = variance_of_each(w);
    for (int64_t i = 0; i < w->x->nsampled && !status; ++i) {
        pm_approx_block *b = w->x->sampled[i];
        status = pm_choose_sampler(b, w->o, variance, &pilots, w->run, err);
        if (!status)
            name_method(w, b->samples->sampler.method->name);
    }
    return status;
}

static bool all_have_samples(const pm_estimation *w)
{
    for (int64_t i = 0; i < w->x->nsampled; ++i)
        if (w->x->sampled[i]->samples->summary.count == 0)
            return false;
    return true;
}

/* ---- more samples ---- */

static void report(const pm_estimation *w, double fraction)
{
    char line[64];
    char *text = pm_xreal_text(w->out->value.re, 6);
    if (!text)
        return;
    snprintf(line, sizeof line, "%.30s, standard error %.2g %%", text,
             100 * pm_spread_relative_error(w->spread));
    free(text);
    pm_run_progress(w->run, fmin(fraction, 1), line);
    pm_run_note(w->run, 2, "%s", line);
}

/* In a part the numbers of samples depend on nothing else: all of them are asked for. */
static pm_status draw_part(const pm_estimation *w, pm_error *err)
{
    pm_status status = PM_OK;
    while (!status && !pm_estimation_has_all_samples(w))
        status = pm_estimation_draw(w, 0, err);
    return status ? status : pm_fail(err, PM_PARTIAL, "the other parts are missing");
}

/* The reason to stop, the same on all ranks.  is_cut: the last samples were not all drawn. */
static pm_status find_reason(pm_estimation *w, bool is_cut, pm_error *err)
{
    pm_stop_reason here = pm_estimation_reason(w);
    uint64_t reason = is_cut && here == PM_STOP_NOTHING ? PM_STOP_TIME : here;
    pm_status stopped = reason == PM_STOP_SIGNAL ? pm_fail(err, PM_ESTOPPED, "stopped") : PM_OK;
    pm_status status =
        pm_ledger_agree(w->o->count.ledger, "reason to stop", stopped, &reason, 1, err);
    w->out->stopped_by = status == PM_ESTOPPED ? PM_STOP_SIGNAL : (pm_stop_reason)reason;
    return status == PM_ESTOPPED ? PM_OK : status;
}

/* Draws samples until there is a reason to stop. */
static pm_status refine(pm_estimation *w, pm_error *err)
{
    const pm_estimate_options *o = w->o;
    /* the variance of a normal interval of this half-width; heavy tails need more rounds */
    double goal = o->rel_err > 0 ? pow(o->rel_err / pm_normal_quantile(o->level), 2) : 0;
    bool is_cut = false;
    for (;;) {
        if (pm_expression_is_partial(w->x))
            return draw_part(w, err);
        pm_status status = pm_estimation_update(w, err);
        if (!status)
            status = find_reason(w, is_cut, err);
        if (status || w->out->stopped_by == PM_STOP_SIGNAL)
            return status; /* in the middle of a round */
        status = pm_estimation_keep_round(w, w->out->stopped_by, err);
        if (status || w->out->stopped_by != PM_STOP_NOTHING)
            return status;
        double v = pow(pm_spread_relative_error(w->spread), 2);
        report(w, goal > 0         ? goal / v
                  : o->seconds > 0 ? (pm_clock() - w->started) / o->seconds
                                   : 0);
        status = pm_estimation_draw(w, goal > 0 ? goal : o->samples ? 0 : v / 2, err);
        if (status && status != PM_ESTOPPED)
            return status;
        is_cut = status == PM_ESTOPPED;
    }
}

/* ---- an item ---- */

static pm_status fail_dead(const pm_estimation *w, pm_error *err)
{
    if (w->out->stopped_by == PM_STOP_SIGNAL)
        return pm_fail(err, PM_ESTOPPED, "stopped");
    return pm_fail(
        err, PM_UNABLE,
        "no sample of a block has a value above 0, although there are perfect matchings: "
        "they are rare, or their weights are too small beside the others; take another "
        "method%s%s",
        pm_hint_text(PM_HINT_ALGORITHM), pm_hint_text(PM_HINT_EXACT));
}

static pm_status sample(pm_estimation *w, pm_error *err)
{
    bool is_found = false;
    pm_status status = choose(w, err);
    if (!status)
        status = pm_estimation_resume(w, &is_found, err);
    if (!status && !is_found)
        status = pm_estimation_begin(w, err);
    if (!status || (status == PM_ESTOPPED && all_have_samples(w)))
        status = refine(w, err);
    if (status)
        return status;
    if (w->out->value.field == PM_COMPLEX)
        return pm_fail(err, PM_UNABLE,
                       "expected a real value for an estimate, found a complex one%s",
                       pm_hint_text(PM_HINT_EXACT));
    return pm_estimation_any_is_dead(w) ? fail_dead(w, err) : pm_estimation_tail_free(w, err);
}

/* Counts the cheap blocks exactly and samples the others. */
static pm_status estimate(pm_expression *x, const pm_estimate_options *o, const pm_run *run,
                          pm_estimate *out, pm_error *err)
{
    pm_status status = pm_choose_exact(x, o, run, err);
    pm_estimation w = {.x = x, .o = o, .run = run, .out = out, .started = pm_clock()};
    if (!status && x->nsampled > 0)
        return sample(&w, err);
    if (!status && pm_expression_is_partial(x))
        return pm_fail(err, PM_PARTIAL, "the other parts are missing");
    if (!status)
        status = pm_expression_evaluate(x, run, &out->value, err);
    out->is_exact = !status;
    return status;
}

pm_status pm_estimate_item(pm_expression *x, const pm_estimate_options *o, const pm_run *run,
                           pm_estimate *out, pm_error *err)
{
    const pm_run limited = pm_run_within(run, o->seconds);
    pm_status status = estimate(x, o, &limited, out, err);
    if (status == PM_ESTOPPED && pm_run_is_late(&limited))
        return pm_fail(err, status, "the time limit came before the first estimate");
    return status == PM_ESTOPPED ? pm_fail(err, status, "stopped before the first estimate")
                                 : status;
}
