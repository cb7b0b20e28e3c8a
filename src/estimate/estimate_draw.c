/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples go where they lower the variance of the whole most for their time: with shares s, squared
 * variations c^2 and times t a sample, n_i is proportional to |s_i| c_i / sqrt(t_i) (Neyman).
 * Counts are functions of weights and nominal times alone, so only a limit of time, or a signal,
 * makes a result depend on the machine. */
#include "config.h"

#include "estimate/estimation.h"

#include <math.h>

/* ---- one block ---- */

/* Whole batches: a cut anywhere else would change the bits of the sums. */
static int64_t rounded(const pm_approx_block *b, double count)
{
    double batch = b->sampler.batch, most = 0x1p62;
    return (int64_t)(fmin(ceil(count / batch), most / batch) * batch);
}

/* What a GPU drew before it failed, whole batches, counts. */
static pm_status draw(const pm_estimation *w, pm_approx_block *b, double count, pm_error *err)
{
    pm_error why;
    int64_t to = w->o->samples ? (int64_t)fmin(count, (double)w->o->samples) : rounded(b, count);
    double more = (double)(to - (b->moments ? b->moments->count : 0));
    pm_status s = pm_sampler_choose_backend(&b->sampler, &w->o->place, more, w->run, err);
    if (s != PM_OK)
        return s;
    s = pm_approx_block_draw(b, to, w->run, &why);
    if (s == PM_OK)
        return s;
    s = pm_sampler_fall_back(&b->sampler, &w->o->place, s, &why, w->run, err);
    return s == PM_OK ? pm_approx_block_draw(b, to, w->run, err) : s;
}

/* ---- all of them ---- */

/* A batch of each first: what has samples of all blocks can be told when it is stopped. */
pm_status pm_estimation_begin(const pm_estimation *w, pm_error *err)
{
    pm_status s = PM_OK;
    for (int pass = 0; pass < 2; ++pass)
        for (int64_t i = 0; i < w->x->nsampled && s == PM_OK; ++i) {
            pm_approx_block *b = w->x->sampled[i];
            double least = b->sampler.min_samples;
            s = draw(w, b, pass == 0 ? fmin(least, b->sampler.batch) : least, err);
        }
    return s;
}

static double cost_share(const pm_approx_block *b, double power)
{
    double cv = sqrt(b->spread.variance * (double)b->summary.count);
    return pm_estimation_is_dead(b) ? 0 : fabs(b->share) * cv * pow(b->sampler.seconds, power);
}

/* The next count of a block: what the wanted variance takes, at most twice what there is, but some
 * more where no block would get any. */
static double next_count(const pm_estimation *w, const pm_approx_block *b, double goal, bool more)
{
    double have = (double)b->moments->count, need = 2 * have;
    if (more)
        need = 1.25 * have;
    else if (goal > 0 && !pm_estimation_is_dead(b))
        need = fmin(need, cost_share(b, -0.5) * goal);
    return w->o->samples ? fmin(need, (double)w->o->samples) : need;
}

pm_status pm_estimation_draw(const pm_estimation *w, double wanted, pm_error *err)
{
    pm_status s = PM_OK;
    double sum = 0;
    bool any = false;
    for (int64_t i = 0; i < w->x->nsampled; ++i)
        sum += cost_share(w->x->sampled[i], 0.5);
    for (int pass = 0; pass < 2 && !any && s == PM_OK; ++pass)
        for (int64_t i = 0; i < w->x->nsampled && s == PM_OK; ++i) {
            pm_approx_block *b = w->x->sampled[i];
            double need = next_count(w, b, wanted > 0 ? sum / wanted : 0, pass > 0);
            if (need <= (double)b->moments->count)
                continue;
            any = true;
            s = draw(w, b, need, err);
        }
    return s;
}
