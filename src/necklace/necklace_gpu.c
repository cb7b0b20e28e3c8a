/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "necklace" on GPUs: one modulus after another, each on all of them. */
#include "config.h"

#include "algorithm/gpu_plan.h"
#include "core/machine.h"
#include "necklace/necklace_gpu_kernel.h"
#include "necklace/necklace_job.h"

static pm_status plan_terms(const pm_job *job, const pm_necklace_terms *t, pm_plan *plan,
                            pm_error *err)
{
    pm_gpu_target target;
    pm_sweep sweep = {0};
    pm_status status = pm_gpu_target_find(job->gpus, job->rates, PM_GPU_RATES, &target, err);
    if (!status)
        status = pm_necklace_gpu_prepare(t, pm_necklace_gpu_prefix(t), target.gpus, &sweep, err);
    if (!status)
        status = pm_necklace_gpu_fits(&target, &sweep, err);
    if (!status)
        status = pm_gpu_sweep_compiling(&target, &sweep, PM_GPU_NECKLACE_COMPILE_SECONDS,
                                        &plan->compiling, err);
    pm_sweep_free(&sweep);
    if (status)
        return status;
    const double work = job->nmoduli * pm_necklace_gpu_work(t);
    pm_gpu_plan_set(&target, job->nmoduli * pm_necklace_count(t), work / target.word_rate, plan);
    return PM_OK;
}

static pm_status plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    pm_necklace_terms t;
    pm_status status = pm_necklace_check(job, PM_NECKLACE_GPU_MOST, &t, err);
    if (status)
        return status;
    status = plan_terms(job, &t, plan, err);
    pm_necklace_terms_free(&t);
    return status;
}

static pm_status count(const pm_job *job, const pm_necklace_terms *t, const pm_run *run,
                       uint64_t *out, pm_error *err)
{
    pm_gpu_target target;
    pm_sweep sweep = {0};
    pm_sum sum;
    pm_status status = pm_gpu_target_find(job->gpus, job->rates, PM_GPU_RATES, &target, err);
    if (!status)
        status = pm_necklace_gpu_prepare(t, pm_necklace_gpu_prefix(t), target.gpus, &sweep, err);
    if (!status)
        status = pm_sweep_all(&sweep, NULL, NULL, 0, run, &sum, err);
    if (!status && job->device_seconds)
        *job->device_seconds += pm_gpu_sweep_seconds(&sweep);
    if (!status)
        *out = pm_necklace_whole(t, pm_necklace_gpu_residue(t, &sum));
    pm_sweep_free(&sweep);
    return status;
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    (void)plan, (void)out;
    return pm_necklace_residues(job, count, residues, err);
}

const pm_algorithm pm_algorithm_necklace_gpu = {
    .name = "necklace",
    .summary = "the same, a prefix of necklaces in each thread block",
    .source = "Ryser 1963; Fredricksen, Kessler and Maiorana 1978 for necklaces",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_FIRST,
    .planning_entry = PM_NECKLACE_PLANNING_SECONDS,
    .plan = plan,
    .run = run};
