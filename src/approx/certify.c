/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/certify.h"

#include <math.h>
#include <stdlib.h>

#include "approx/choose.h"
#include "approx/guarantee.h"
#include "core/clock.h"
#include "pm/alloc.h"

typedef struct {
    pm_expression *x;
    const pm_estimate_options *o;
    const pm_run *run;
    pm_guarantee_plan *plan; /* of each block */
    double epsilon, delta;   /* of each sampled block */
} work;

/* A block that stands to the k-th power is k factors.  Terms of a sum, all positive, are no worse
 * than the worst of them. */
static int64_t count_parts(const pm_expression *x, int64_t *blocks)
{
    double parts = 0;
    *blocks = 0;
    for (int64_t i = 0; i < x->nblocks; ++i)
        if (pm_approx_block_is_sampled(x->block[i])) {
            parts += x->block[i]->power;
            ++*blocks;
        }
    return parts < 0x1p62 ? (int64_t)parts : INT64_C(1) << 62;
}

static pm_status prepare(work *w, pm_error *err)
{
    pm_status s = PM_OK;
    double seconds = 0, samples = 0;
    const pm_sampler_method *method = pm_sampler_method_named("hub+");
    for (int64_t i = 0; i < w->x->nblocks && s == PM_OK; ++i) {
        pm_approx_block *b = w->x->block[i];
        if (!pm_approx_block_is_sampled(b))
            continue;
        s = pm_sampler_make(method, &b->a, &w->o->sampler, w->o->seed, b->index, w->run,
                            &b->sampler, err);
        if (s == PM_OK)
            s = pm_guarantee_prepare(&b->sampler, w->epsilon, w->delta, w->run, &w->plan[i], err);
        seconds += w->plan[i].seconds;
        samples += w->plan[i].samples;
    }
    if (s == PM_OK && w->run->max_cost > 0 && seconds > w->run->max_cost)
        return pm_fail(err, PM_UNABLE,
                       "refused: the guarantee takes about %.2g samples, %.2g seconds of one core,"
                       " more than --max-cost allows",
                       samples, seconds);
    return s;
}

static pm_status draw(work *w, pm_estimate *out, pm_error *err)
{
    pm_status s = PM_OK;
    for (int64_t i = 0; i < w->x->nblocks && s == PM_OK; ++i) {
        pm_approx_block *b = w->x->block[i];
        pm_certified c;
        if (!pm_approx_block_is_sampled(b))
            continue;
        s = pm_guarantee_run(&b->sampler, &w->plan[i], w->run, &c, err);
        if (s != PM_OK)
            break;
        out->samples += c.samples;
        pm_value_set_real(&b->value, PM_REAL, pm_weight_xreal(c.estimate), (pm_xreal){0},
                          (pm_xreal){0});
    }
    return s;
}

static void set_interval(pm_estimate *out, double epsilon)
{
    out->interval =
        (pm_interval){.low = 1 / (1 + epsilon), .high = 1 / (1 - epsilon), .is_reliable = true};
    out->low = pm_xreal_mul(out->value.re, pm_xreal_make(out->interval.low, 0, 0));
    out->high = pm_xreal_mul(out->value.re, pm_xreal_make(out->interval.high, 0, 0));
    out->is_certified = true;
    out->method = "hub+";
    out->stopped_by = PM_STOP_REL_ERR;
    out->relative_error = NAN;
    out->effective = NAN;
}

pm_status pm_certify_item(pm_expression *x, double epsilon, double delta,
                          const pm_estimate_options *o, const pm_run *run, pm_estimate *out,
                          pm_error *err)
{
    int64_t blocks;
    work w = {.x = x, .o = o, .run = run};
    pm_status s = pm_choose_exact(x, o, run, err);
    int64_t parts = count_parts(x, &blocks);
    if (s == PM_OK && blocks > 0 && !pm_expression_is_positive(x))
        return pm_fail(err, PM_UNABLE, "a guarantee needs factors that are not negative");
    w.plan = pm_calloc_array(x->nblocks, sizeof *w.plan);
    if (s == PM_OK && !w.plan)
        s = pm_fail_memory(err, "the plan of a guarantee");
    double begun = pm_clock();
    if (s == PM_OK && blocks > 0) {
        w.epsilon = pm_guarantee_share(epsilon, parts);
        w.delta = delta / (double)blocks;
        s = prepare(&w, err);
        if (s == PM_OK)
            s = draw(&w, out, err);
    }
    out->seconds = pm_clock() - begun;
    if (s == PM_OK)
        s = pm_expression_evaluate(x, &out->value, err);
    out->is_exact = s == PM_OK && blocks == 0;
    if (s == PM_OK && blocks > 0)
        set_interval(out, epsilon);
    free(w.plan);
    return s;
}
