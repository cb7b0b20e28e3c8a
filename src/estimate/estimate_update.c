/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/estimation.h"

#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "pm/alloc.h"

bool pm_estimation_is_dead(const pm_approx_block *b)
{
    return b->samples->summary.mean.m == 0;
}

bool pm_estimation_any_is_dead(const pm_estimation *w)
{
    for (int64_t i = 0; i < w->x->nsampled; ++i)
        if (pm_estimation_is_dead(w->x->sampled[i]))
            return true;
    return false;
}

/* ---- the estimate so far ---- */

/* Sums over the blocks.  Returns true when a block has fewer samples than an interval needs. */
static bool count_samples(const pm_estimation *w)
{
    pm_estimate *e = w->out;
    bool is_early = false, on_cpu = false, on_gpu = false;
    e->samples = e->dead = 0;
    e->effective = INFINITY;
    for (int64_t i = 0; i < w->x->nsampled; ++i) {
        const pm_approx_block *b = w->x->sampled[i];
        is_early = is_early || b->samples->summary.count < b->samples->sampler.min_samples;
        on_gpu = on_gpu || b->samples->by_gpu;
        on_cpu = on_cpu || b->samples->by_cpu;
        e->samples += b->samples->summary.count;
        e->dead += b->samples->summary.dead;
        e->effective = fmin(e->effective, b->samples->summary.effective);
    }
    e->device = !on_gpu ? "cpu" : on_cpu ? "several" : "cuda";
    return is_early;
}

static void summarise(pm_estimation *w)
{
    pm_estimate *e = w->out;
    bool is_early = count_samples(w);
    e->seconds = pm_clock() - w->started;
    e->tail_k = w->spread.tail_k;
    e->relative_error = pm_spread_relative_error(w->spread);
    e->unit = w->x->node[0].unit;
    e->interval = pm_interval_of(w->spread, w->o->level);
    /* a wide interval from few samples is not reliable */
    e->interval.is_reliable = e->interval.is_reliable && !(is_early && e->interval.is_wide);
    pm_estimate_set_ends(e);
}

pm_status pm_estimation_update(pm_estimation *w, pm_error *err)
{
    pm_status status = pm_expression_evaluate(w->x, w->run, &w->out->value, err);
    if (status)
        return status;
    w->spread = pm_expression_spread(w->x);
    if (pm_estimation_any_is_dead(w)) {
        w->spread.variance = INFINITY;
        return PM_OK;
    }
    summarise(w);
    if (w->o->watch)
        w->o->watch(w->o->watcher, w->out);
    return PM_OK;
}

/* ---- reasons to stop ---- */

bool pm_estimation_has_all_samples(const pm_estimation *w)
{
    for (int64_t i = 0; i < w->x->nsampled; ++i)
        if (w->x->sampled[i]->samples->reached < w->o->samples)
            return false;
    return true;
}

pm_stop_reason pm_estimation_reason(const pm_estimation *w)
{
    const pm_estimate_options *o = w->o;
    if (w->ended_by != PM_STOP_NOTHING)
        return w->ended_by;
    bool is_exact = pm_spread_is_exact(w->spread); /* more samples would not change it */
    double wanted = o->rel_err > 0 ? o->rel_err : is_exact ? pm_estimate_defaults().rel_err : 0;
    if (wanted > 0 && pm_interval_is_within(w->spread, o->level, wanted))
        return PM_STOP_REL_ERR;
    if (is_exact || (o->samples && pm_estimation_has_all_samples(w)))
        return PM_STOP_SAMPLES;
    if (pm_run_is_late(w->run))
        return PM_STOP_TIME;
    return pm_run_stopped(w->run) ? PM_STOP_SIGNAL : PM_STOP_NOTHING;
}

pm_status pm_estimation_tail_free(pm_estimation *w, pm_error *err)
{
    double *low = pm_alloc_array(w->x->nblocks, sizeof *low);
    if (!low)
        return pm_fail_memory(err, "bounds");
    for (int64_t i = 0; i < w->x->nblocks; ++i) {
        const pm_approx_block *b = w->x->block[i];
        low[i] = pm_approx_block_log10(b);
        if (pm_approx_block_is_sampled(b))
            low[i] += log10(pm_tail_free_lower(&b->samples->summary,
                                               1 - (1 - w->o->level) / (double)w->x->nsampled));
    }
    pm_status status = pm_expression_log10(w->x, low, PM_LOG10_LOW, &w->out->tail_free, err);
    free(low);
    return status;
}
