/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/machine.h"
#include "pm/settings.h"
#include "sampler/sampler.h"

#define MIN_SAMPLES 1024 /* default of min_samples: heavy tails show only after many samples */

static pm_status check_options(const pm_sampler_options *o, pm_error *err)
{
    if (o->scale_interval < 0 || o->scale_sweeps < 0)
        return pm_fail(err, PM_EUSAGE, "interval and sweeps of the scaling must not be negative");
    if (o->complete < -1 || o->complete > PM_COMPLETE_MAX)
        return pm_fail(err, PM_EUSAGE, "rows to be completed exactly must be 0 .. %d",
                       PM_COMPLETE_MAX);
    if (o->states < 0)
        return pm_fail(err, PM_EUSAGE, "the number of states must not be negative");
    return PM_OK;
}

static pm_status check_matrix(const pm_matrix *a, pm_error *err)
{
    if (a->nrows != a->ncols)
        return pm_fail(err, PM_UNABLE, "expected a square matrix for an estimate, not %lld x %lld",
                       (long long)a->nrows, (long long)a->ncols);
    if (a->field == PM_COMPLEX)
        return pm_fail(err, PM_UNABLE,
                       "expected real entries for an estimate, found complex ones%s",
                       pm_hint_text(PM_HINT_EXACT));
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        if (pm_dyadic_sign(&a->re[k]) <= 0)
            return pm_fail(err, PM_UNABLE, "expected no negative entries for an estimate%s",
                           pm_hint_text(PM_HINT_EXACT));
    return PM_OK;
}

pm_status pm_sampler_make(const pm_sampler_method *m, const pm_matrix *a,
                          const pm_sampler_options *o, uint64_t seed, uint32_t block,
                          const pm_run *run, pm_sampler *s, pm_error *err)
{
    pm_sampler made = {.method = m,
                       .a = a,
                       .seed = seed,
                       .block = block,
                       .min_samples = MIN_SAMPLES,
                       .branches = 1};
    *s = (pm_sampler){0};
    pm_status status = check_options(o, err);
    if (!status)
        status = check_matrix(a, err);
    if (!status)
        status = m->make(&made, o, run, err);
    if (!status)
        *s = made;
    else
        pm_sampler_free(&made);
    return status;
}

int pm_sampler_batch_size(double seconds)
{
    int batch = 4096;
    while (batch > 1 && batch * seconds > PM_BATCH_SECONDS)
        batch /= 2;
    return batch;
}

void pm_sampler_free(pm_sampler *s)
{
    if (s->gpu)
        s->on_gpu->close(s->gpu);
    if (s->method)
        s->method->free_model(s);
    *s = (pm_sampler){0};
}
