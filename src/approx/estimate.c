/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples go where they lower the variance of the whole most for their time: with shares s, squared
 * variations c^2 and times t a sample, n_i is proportional to |s_i| c_i / sqrt(t_i) (Neyman).
 * Counts are functions of weights and nominal times alone, so only a limit of time, or a signal,
 * makes a result depend on the machine. */
#include "config.h"

#include "approx/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "approx/choose.h"
#include "core/clock.h"
#include "pm/alloc.h"

#define SLICE 0.2 /* seconds of drawing between looks at the clock */

pm_estimate_options pm_estimate_defaults(void)
{
    return (pm_estimate_options){
        .sampler = {.scale_interval = 1, .complete = -1},
        .level = 0.95,
        .rel_err = 0.01,
        .seconds = 60,
        .exact_seconds = 2,
        .count = pm_count_defaults(),
    };
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

/* One item while it is estimated. */
typedef struct {
    pm_expression *x;
    const pm_estimate_options *o;
    const pm_run *run;
    pm_estimate *out;
    double started;
    pm_spread spread;
} work;

/* ---- what is known so far ---- */

/* No sample has reached a perfect matching yet, though there are some. */
static bool is_dead(const pm_approx_block *b)
{
    return pm_approx_block_is_sampled(b) && b->summary.mean.m == 0;
}

static bool any_is_dead(const work *w)
{
    for (int64_t i = 0; i < w->x->nblocks; ++i)
        if (is_dead(w->x->block[i]))
            return true;
    return false;
}

static void summarise(work *w)
{
    pm_estimate *e = w->out;
    e->samples = e->dead = 0;
    e->effective = INFINITY;
    bool is_early = false, on_cpu = false, on_gpu = false;
    for (int64_t i = 0; i < w->x->nblocks; ++i) {
        const pm_approx_block *b = w->x->block[i];
        if (!pm_approx_block_is_sampled(b))
            continue;
        is_early = is_early || b->summary.count < b->sampler.least;
        on_gpu = on_gpu || b->sampler.gpu;
        on_cpu = on_cpu || !b->sampler.gpu;
        e->samples += b->summary.count;
        e->dead += b->summary.dead;
        e->effective = fmin(e->effective, b->summary.effective);
    }
    e->device = !on_gpu ? "cpu" : on_cpu ? "several" : "cuda";
    e->seconds = pm_clock() - w->started;
    e->tail_k = w->spread.tail_k;
    e->relative_error = sqrt(w->spread.variance);
    e->interval = pm_interval_of(w->spread, w->o->level);
    /* a wide interval from few samples: too early to tell */
    e->interval.is_reliable = e->interval.is_reliable && !(is_early && e->interval.is_wide);
    bool has_end = isfinite(e->interval.high);
    pm_xreal low = pm_xreal_mul(e->value.re, pm_xreal_make(e->interval.low, 0, 0));
    pm_xreal high = pm_xreal_mul(e->value.re, pm_xreal_make(has_end ? e->interval.high : 0, 0, 0));
    e->low = e->value.re.hi < 0 ? high : low;
    e->high = e->value.re.hi < 0 ? low : high;
}

static pm_status look(work *w, pm_error *err)
{
    w->spread = (pm_spread){.freedom = INFINITY, .tail_k = NAN};
    pm_status s = pm_expression_evaluate(w->x, &w->out->value, err);
    if (s != PM_OK)
        return s;
    for (int64_t i = 0; i < w->x->nblocks; ++i)
        if (pm_approx_block_is_sampled(w->x->block[i]))
            w->spread = pm_spread_sum(w->spread, 1, w->x->block[i]->spread, w->x->block[i]->share);
    if (any_is_dead(w))
        w->spread.variance = INFINITY;
    else
        summarise(w);
    if (w->o->watch && isfinite(w->spread.variance))
        w->o->watch(w->o->watcher, w->out);
    return PM_OK;
}

static void report(const work *w, double fraction)
{
    char line[64];
    char *text = pm_xreal_text(w->out->value.re, 6);
    if (!text)
        return;
    snprintf(line, sizeof line, "%.30s, standard error %.2g %%", text,
             100 * sqrt(w->spread.variance));
    free(text);
    pm_run_progress(w->run, fmin(fraction, 1), line);
}

/* ---- drawing ---- */

static int64_t rounded(const pm_approx_block *b, double count)
{
    double batch = b->sampler.batch, most = 0x1p62;
    return (int64_t)(fmin(ceil(count / batch), most / batch) * batch);
}

static bool is_late(const work *w)
{
    return w->o->seconds > 0 && pm_clock() - w->started >= w->o->seconds;
}

/* In slices, so that a limit of time holds; a cut changes no sample. */
static pm_status draw(work *w, pm_approx_block *b, double count, pm_error *err)
{
    int64_t to = w->o->samples ? (int64_t)fmin(count, (double)w->o->samples) : rounded(b, count);
    double more = (double)(to - (b->moments ? b->moments->count : 0));
    pm_status s = pm_sampler_place_for(&b->sampler, &w->o->place, more, w->run, err);
    int64_t step = (int64_t)b->sampler.batch * pm_run_threads(w->run);
    while (s == PM_OK && (!b->moments || b->moments->count < to)) {
        int64_t done = b->moments ? b->moments->count : 0;
        double begun = pm_clock();
        s = pm_approx_block_draw(b, to - done < step ? to : done + step, w->run, err);
        double took = pm_clock() - begun;
        if (w->o->seconds > 0 && is_late(w))
            break;
        step = took < SLICE / 2 ? 2 * step : step;
    }
    return s;
}

static double first_count(const work *w, const pm_approx_block *b)
{
    double least = b->sampler.least;
    return w->o->samples ? fmin(least, (double)w->o->samples) : least;
}

static double cost_share(const pm_approx_block *b, double power)
{
    double cv = sqrt(b->spread.variance * (double)b->summary.count);
    return is_dead(b) ? 0 : fabs(b->share) * cv * pow(b->sampler.seconds, power);
}

/* The next count of a block: what the wanted variance takes, at most twice what there is, but some
 * more where no block would get any. */
static double next_count(const work *w, const pm_approx_block *b, double goal, bool more)
{
    double have = (double)b->moments->count, need = 2 * have;
    if (more)
        need = 1.25 * have;
    else if (goal > 0 && !is_dead(b))
        need = fmin(need, cost_share(b, -0.5) * goal);
    return w->o->samples ? fmin(need, (double)w->o->samples) : need;
}

/* wanted: the variance of the whole, or 0: as fast as blocks can grow. */
static pm_status draw_more(work *w, double wanted, pm_error *err)
{
    pm_status s = PM_OK;
    double sum = 0;
    bool any = false;
    for (int64_t i = 0; i < w->x->nblocks; ++i)
        if (pm_approx_block_is_sampled(w->x->block[i]))
            sum += cost_share(w->x->block[i], 0.5);
    for (int pass = 0; pass < 2 && !any && s == PM_OK; ++pass)
        for (int64_t i = 0; i < w->x->nblocks && s == PM_OK; ++i) {
            pm_approx_block *b = w->x->block[i];
            if (!pm_approx_block_is_sampled(b))
                continue;
            double need = next_count(w, b, wanted > 0 ? sum / wanted : 0, pass > 0);
            if (need <= (double)b->moments->count)
                continue;
            any = true;
            s = draw(w, b, need, err);
            if (is_late(w))
                return s;
        }
    return s;
}

static bool has_all_samples(const work *w)
{
    for (int64_t i = 0; i < w->x->nblocks; ++i)
        if (pm_approx_block_is_sampled(w->x->block[i])
            && w->x->block[i]->moments->count < w->o->samples)
            return false;
    return true;
}

/* Which of the reasons to stop holds? */
static pm_stop_reason reason(const work *w)
{
    const pm_estimate_options *o = w->o;
    if ((w->spread.variance == 0 && isinf(w->spread.freedom))
        || (o->rel_err > 0 && isfinite(w->spread.variance)
            && pm_interval_is_within(w->spread, o->level, o->rel_err)))
        return PM_STOP_REL_ERR;
    if (o->samples && has_all_samples(w))
        return PM_STOP_SAMPLES;
    if (pm_run_stopped(w->run))
        return PM_STOP_SIGNAL;
    return is_late(w) ? PM_STOP_TIME : PM_STOP_NOTHING;
}

static pm_status refine(work *w, pm_error *err)
{
    const pm_estimate_options *o = w->o;
    /* a normal interval of this half-width; what tails take more is drawn afterwards */
    double goal = o->rel_err > 0 ? pow(o->rel_err / pm_normal_quantile(o->level), 2) : 0;
    for (;;) {
        pm_status s = look(w, err);
        if (s != PM_OK || (w->out->stopped_by = reason(w)) != PM_STOP_NOTHING)
            return s;
        double v = w->spread.variance;
        report(w, goal > 0         ? goal / v
                  : o->seconds > 0 ? (pm_clock() - w->started) / o->seconds
                                   : 0);
        s = draw_more(w, goal > 0 ? goal : o->samples ? 0 : v / 2, err);
        if (s == PM_ESTOPPED) {
            w->out->stopped_by = PM_STOP_SIGNAL;
            return look(w, err);
        }
        if (s != PM_OK)
            return s;
    }
}

/* ---- an item ---- */

/* Relative variance that each of the sampled blocks may have at the end. */
static double variance_of_each(const work *w)
{
    double rel_err = w->o->rel_err > 0 ? w->o->rel_err : pm_estimate_defaults().rel_err;
    double blocks = 0;
    for (int64_t i = 0; i < w->x->nblocks; ++i)
        blocks += pm_approx_block_is_sampled(w->x->block[i]);
    return pow(rel_err / pm_normal_quantile(w->o->level), 2) / fmax(blocks, 1);
}

/* One name where all blocks have the same method. */
static void name_method(work *w, const char *name)
{
    bool is_first = strcmp(w->out->method, "exact") == 0;
    w->out->method = is_first || strcmp(w->out->method, name) == 0 ? name : "several";
}

static pm_status first_samples(work *w, pm_error *err)
{
    pm_status s = PM_OK;
    double variance = variance_of_each(w);
    for (int64_t i = 0; i < w->x->nblocks && s == PM_OK; ++i) {
        pm_approx_block *b = w->x->block[i];
        if (!pm_approx_block_is_sampled(b))
            continue;
        s = pm_choose_sampler(b, w->o, variance, w->run, err);
        if (s == PM_OK)
            s = draw(w, b, first_count(w, b), err);
        if (s == PM_OK)
            name_method(w, b->sampler.method->name);
    }
    return s;
}

/* A lower bound of the whole from those of the blocks, which all hold at the level together. */
static pm_status tail_free(work *w, pm_error *err)
{
    double blocks = 0;
    double *low = pm_alloc_array(w->x->nblocks, sizeof *low);
    if (!low)
        return pm_fail_memory(err, "bounds");
    for (int64_t i = 0; i < w->x->nblocks; ++i)
        blocks += pm_approx_block_is_sampled(w->x->block[i]);
    for (int64_t i = 0; i < w->x->nblocks; ++i) {
        const pm_approx_block *b = w->x->block[i];
        low[i] = pm_approx_block_log10(b);
        if (pm_approx_block_is_sampled(b))
            low[i] += log10(pm_tail_free_lower(&b->summary, 1 - (1 - w->o->level) / blocks));
    }
    pm_status s = pm_expression_log10(w->x, low, &w->out->tail_free, err);
    free(low);
    return s;
}

static bool needs_samples(const work *w)
{
    for (int64_t i = 0; i < w->x->nblocks; ++i)
        if (pm_approx_block_is_sampled(w->x->block[i]))
            return true;
    return false;
}

static bool all_have_samples(const work *w)
{
    for (int64_t i = 0; i < w->x->nblocks; ++i)
        if (pm_approx_block_is_sampled(w->x->block[i]) && w->x->block[i]->summary.count < 2)
            return false;
    return true;
}

static pm_status sample(work *w, pm_error *err)
{
    pm_status s = first_samples(w, err);
    if (s == PM_ESTOPPED && all_have_samples(w)) {
        w->out->stopped_by = PM_STOP_SIGNAL;
        s = look(w, err);
    } else if (s == PM_OK) {
        s = refine(w, err);
    }
    if (s != PM_OK)
        return s;
    if (w->out->value.field == PM_COMPLEX)
        return pm_fail(err, PM_UNABLE, "a complex value is not estimated (see pm-count)");
    if (any_is_dead(w))
        return pm_fail(err, PM_UNABLE,
                       "all samples of a block were dead ends, and the block has perfect matchings:"
                       " take another method");
    return tail_free(w, err);
}

pm_status pm_estimate_item(pm_expression *x, const pm_estimate_options *o, const pm_run *run,
                           pm_estimate *out, pm_error *err)
{
    work w = {.x = x, .o = o, .run = run, .out = out, .started = pm_clock()};
    pm_status s = pm_choose_exact(x, o, run, err);
    w.started = pm_clock();
    if (s == PM_OK && needs_samples(&w))
        return sample(&w, err);
    if (s == PM_OK)
        s = pm_expression_evaluate(x, &out->value, err);
    out->is_exact = s == PM_OK;
    return s;
}
