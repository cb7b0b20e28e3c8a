/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permanent of a full real block on GPUs in Glynn's form: sweep/dense_gpu.h. */
#include "config.h"

#include <math.h>

#include "count/on_gpu.h"
#include "count/swept.h"
#include "sweep/dense_gpu.h"

static pm_status measure(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err)
{
    (void)prime, (void)count;
    pm_dense_gpu_choice *c = choice;
    pm_gpu_place place;
    if (s->field == PM_COMPLEX)
        return pm_fail(err, PM_UNABLE, "ryser takes no complex numbers on a GPU");
    pm_status rc = pm_gpu_place_find(job, &place, err);
    if (rc)
        return rc;
    *c = (pm_dense_gpu_choice){job->precision, place.gpus, PM_GPU_SLOW, place.double_rate};
    pm_gpu_plan_set(&place, 2 * s->n * ldexp(1, s->n - 1),
                    pm_dense_gpu_seconds(s->n, place.double_rate), plan);
    return PM_OK;
}

static const pm_sweep_method inexact = {.name = "ryser",
                                        .bits = 62,
                                        .in_double = true,
                                        .choice_size = sizeof(pm_dense_gpu_choice),
                                        .measure = measure,
                                        .prepare = pm_dense_gpu_prepare};

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    if (job->nmoduli)
        return pm_fail(err, PM_UNABLE, "ryser takes no integers on a GPU");
    return pm_swept_plan(job, out, err);
}

const pm_algorithm pm_algorithm_ryser_gpu = {
    .name = "ryser",
    .summary = "the same, for full real blocks; a kernel compiled for the size",
    .source = "Glynn 2010, theorem 2.1",
    .backend = PM_BACKEND_CUDA,
    .occasion = PM_AT_ONCE,
    .integers = true,
    .cancels = true,
    .inexact = &inexact,
    .plan = plan,
    .run = pm_swept_run};
