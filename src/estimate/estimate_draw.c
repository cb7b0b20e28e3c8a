/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples are drawn where they lower the variance of the item most for their time (Neyman
 * allocation): for share s_i, coefficient of variation c_i and t_i seconds a sample, block i gets
 * n_i samples in proportion to |s_i| c_i / sqrt(t_i).  The numbers of samples depend on weights and
 * nominal times only, so a result depends on the machine only when a time limit or a signal stops
 * it. */
#include "config.h"

#include "estimate/estimation.h"

#include <math.h>

/* ---- one block ---- */

/* Rounds up to whole batches: other numbers would change the bits of the sums. */
static int64_t rounded(const pm_approx_block *b, double count)
{
    double batch = b->samples->sampler.batch, most = 0x1p62;
    return (int64_t)(fmin(ceil(count / batch), most / batch) * batch);
}

/* GPUs draw on all ranks or on none. */
static pm_status choose_backend(const pm_estimation *w, pm_approx_block *b, double samples,
                                pm_error *err)
{
    pm_error why;
    uint64_t none = 0;
    pm_sampler *s = &b->samples->sampler;
    const pm_sampler_backend *choice = &w->o->backend;
    pm_ledger *l = w->o->count.ledger;
    const bool may_use_gpu = choice->backend != PM_BACKEND_CPU && s->on_gpu && !s->cpu_only;
    pm_status status = pm_sampler_choose_backend(s, choice, samples, w->run, &why);
    if (may_use_gpu && pm_ledger_has_peers(l)) {
        const bool lacks_gpu = !status && s->cpu_only;
        if (lacks_gpu)
            status = pm_fail(&why, PM_ENODEV, "a GPU is not there");
        status = pm_ledger_agree(l, "backend", status, &none, 1, &why);
        if (status == PM_ENODEV && s->gpu)
            return pm_sampler_fall_back(s, choice, status, &why, w->run, err);
        if (status == PM_ENODEV && lacks_gpu)
            return PM_OK;
    }
    return status ? pm_fail(err, status, "%s", why.msg) : PM_OK;
}

/* Draws on the GPU or the CPU.  When the GPU fails, the whole batches that it has drawn are kept
 * and the CPU draws the rest. */
static pm_status draw(const pm_estimation *w, pm_approx_block *b, double count, pm_error *err)
{
    pm_error why;
    int64_t to = w->o->samples ? (int64_t)fmin(count, (double)w->o->samples) : rounded(b, count);
    double more = (double)(to - b->samples->reached);
    if (w->o->most_seconds > 0 && (double)to * b->samples->sampler.seconds > w->o->most_seconds)
        return pm_fail(err, PM_UNABLE, "the samples take too long");
    pm_status status = choose_backend(w, b, more, err);
    if (status)
        return status;
    status = pm_approx_block_draw(b, to, w->run, &why);
    if (!status)
        return status;
    status = pm_sampler_fall_back(&b->samples->sampler, &w->o->backend, status, &why, w->run, err);
    return !status ? pm_approx_block_draw(b, to, w->run, err) : status;
}

/* ---- all blocks ---- */

/* First a batch of each block: once all blocks have samples, a stop gives an estimate. */
pm_status pm_estimation_begin(const pm_estimation *w, pm_error *err)
{
    pm_status status = PM_OK;
    for (int round = 0; round < 2; ++round)
        for (int64_t i = 0; i < w->x->nsampled && !status; ++i) {
            pm_approx_block *b = w->x->sampled[i];
            double least = b->samples->sampler.min_samples;
            status = draw(w, b, round == 0 ? fmin(least, b->samples->sampler.batch) : least, err);
        }
    return status;
}

static double cost_share(const pm_approx_block *b, double power)
{
    double cv = sqrt(b->samples->spread.variance * (double)b->samples->summary.count);
    return pm_estimation_is_dead(b) ? 0
                                    : fabs(b->share) * cv * pow(b->samples->sampler.seconds, power);
}

/* The next number of samples of a block: as the wanted variance requires, at most twice the present
 * number.  more: a quarter more samples, when otherwise no block would get any. */
static double next_count(const pm_estimation *w, const pm_approx_block *b, double goal, bool more)
{
    double have = (double)b->samples->reached, need = 2 * have;
    if (more)
        need = 1.25 * have;
    else if (goal > 0 && !pm_estimation_is_dead(b))
        need = fmin(need, cost_share(b, -0.5) * goal);
    return w->o->samples ? fmin(need, (double)w->o->samples) : need;
}

pm_status pm_estimation_draw(const pm_estimation *w, double wanted, pm_error *err)
{
    pm_status status = PM_OK;
    double sum = 0;
    bool any = false;
    for (int64_t i = 0; i < w->x->nsampled; ++i)
        sum += cost_share(w->x->sampled[i], 0.5);
    for (int round = 0; round < 2 && !any && !status; ++round)
        for (int64_t i = 0; i < w->x->nsampled && !status; ++i) {
            pm_approx_block *b = w->x->sampled[i];
            double need = next_count(w, b, wanted > 0 ? sum / wanted : 0, round > 0);
            if (need <= (double)b->samples->reached)
                continue;
            any = true;
            status = draw(w, b, need, err);
        }
    return status;
}
