/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permanent of a full block on GPUs in Glynn's form: plan and registry entry.  The devices are
 * run by sweep/gpu_sweep.h, the kernel is in dense/ryser_gpu_kernel.h. */
#include "config.h"

#include "algorithm/gpu_plan.h"
#include "dense/dense_exact_plan.h"
#include "dense/ryser.h"
#include "dense/ryser_gpu_kernel.h"
#include "sweep/plan_numbers.h"
#include "sweep/ryser_driver.h"

static pm_gpu_rate family_of(const pm_job *job)
{
    return job->nmoduli ? PM_GPU_RATE_RYSER_EXACT : PM_GPU_RATE_RYSER;
}

/* The terms and their order follow from the job. */
static pm_status set_choice(const pm_job *job, pm_ryser_gpu_choice *c, pm_gpu_target *target,
                            pm_error *err)
{
    pm_status status = pm_gpu_target_find(job->gpus, job->rates, family_of(job), target, err);
    if (status)
        return status;
    *c = (pm_ryser_gpu_choice){.precision = job->precision,
                               .placement = job->placement,
                               .gpus = target->gpus,
                               .slow = PM_GPU_SLOW,
                               .rate = pm_gpu_target_rate(target, job, c->in_words),
                               .in_words = c->in_words,
                               .keep_order = job->order};
    return PM_OK;
}

static pm_status restore(const pm_job *job, const pm_square *s, const int64_t *number, int count,
                         void *choice, pm_error *err)
{
    pm_ryser_gpu_choice *c = choice;
    pm_gpu_target target;
    (void)number;
    pm_status status = pm_plan_numbers_check("ryser", count, 0, err);
    if (!status)
        status = set_choice(job, c, &target, err);
    if (!status && s->field <= PM_INTEGER) {
        c->has_columns = true;
        pm_dense_exact_order(s, c->keep_order, c->column);
    }
    return status;
}

static pm_status measure(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err)
{
    pm_ryser_gpu_choice *c = choice;
    pm_gpu_target target;
    pm_sweep sweep = {0};
    pm_status status = set_choice(job, c, &target, err);
    if (!status)
        status = pm_ryser_gpu_prepare_modular(s, c, prime, count, &sweep, err);
    if (!status)
        status = pm_gpu_sweep_fits(&target, &sweep, err);
    if (!status)
        pm_gpu_plan_set(&target, pm_ryser_gpu_operations(&sweep), pm_ryser_gpu_seconds(&sweep),
                        plan);
    if (!status)
        status = pm_gpu_sweep_compiling(&target, &sweep, pm_ryser_gpu_compiling(&sweep),
                                        &plan->compiling, err);
    pm_sweep_free(&sweep);
    return status;
}

/* The published placements are for doubles only. */
static bool prefers_words(const pm_job *job)
{
    return job->placement.sums == PM_IN_ANY && pm_gpu_prefers_words(job);
}

#define METHOD                                                                                     \
    .name = "ryser", .choice_size = sizeof(pm_ryser_gpu_choice), .measure = measure,               \
    .prepare = pm_ryser_gpu_prepare, .prepare_modular = pm_ryser_gpu_prepare_modular,              \
    .restore = restore, .residue = pm_ryser_gpu_residue, .device_seconds = pm_gpu_sweep_seconds

static const pm_ryser_gpu_choice in_words = {.in_words = true};
static const pm_sweep_method words = {METHOD,
                                      .host = &pm_ryser_exact,
                                      .bits = PM_WORD_BITS,
                                      .initial = &in_words,
                                      .primes = PM_WORD_PRIMES,
                                      .prime_max = PM_WORD_PRIME_MAX};
static const pm_sweep_method exact = {METHOD,
                                      .host = &pm_ryser_exact,
                                      .bits = PM_GPU_BITS,
                                      .primes = PM_GPU_PRIMES,
                                      .prime_max = PM_GPU_PRIME_MAX,
                                      .narrow = &words,
                                      .prefers_narrow = prefers_words};
static const pm_sweep_method inexact = {METHOD, .host = &pm_ryser_inexact, .bits = 62};

const pm_algorithm pm_algorithm_ryser_gpu = {.name = "ryser",
                                             .summary =
                                                 "the same, by a kernel compiled for the size",
                                             .source = "Glynn 2010, theorem 2.1",
                                             .backend = PM_BACKEND_CUDA,
                                             .stage = PM_STAGE_FIRST,
                                             .cancels = true,
                                             PM_RYSER_FAMILY(&exact, &inexact)};
