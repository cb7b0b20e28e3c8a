/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permanent of a block with equal rows and columns on GPUs, by repeated_digits.h: plan and
 * registry entry.  The devices are run by sweep/gpu_sweep.h, the kernel is in
 * repeated/repeated_gpu_kernel.h. */
#include "config.h"

#include <math.h>

#include "algorithm/gpu_plan.h"
#include "core/machine.h"
#include "repeated/repeated.h"
#include "repeated/repeated_float_entries.h"
#include "repeated/repeated_gpu_kernel.h"
#include "sweep/plan_numbers.h"
#include "sweep/ryser_driver.h"

/* Short sums are in double-double, as on the CPU; by operations, so that all devices take the
 * same. */
static pm_status prepare(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         pm_repeated_gpu_choice *c, pm_sweep *out, pm_error *err)
{
    c->precision = count || job->precision != PM_KAHAN ? job->precision : PM_QUAD;
    pm_status status = pm_repeated_gpu_prepare_modular(s, c, prime, count, out, err);
    if (status || c->precision == job->precision
        || pm_repeated_gpu_operations(out) <= PM_GPU_REPEATED_QUAD_WORK)
        return status;
    pm_sweep_free(out);
    c->precision = job->precision;
    return pm_repeated_gpu_prepare_modular(s, c, prime, count, out, err);
}

static double compile_seconds(const pm_square *s, const pm_repeated_gpu_choice *c, int count)
{
    double numbers = count ? 1 + count : pm_dense_components(pm_repeated_kind(s, c->precision));
    return PM_GPU_REPEATED_COMPILE_SECONDS + PM_GPU_REPEATED_COMPILE_ROW_SECONDS * numbers * s->n;
}

static pm_gpu_rate family_of(const pm_job *job)
{
    return job->nmoduli ? PM_GPU_RATE_REPEATED_EXACT : PM_GPU_RATE_REPEATED;
}

static pm_status set_target(const pm_job *job, pm_repeated_gpu_choice *c, pm_gpu_target *target,
                            pm_error *err)
{
    pm_status status = pm_gpu_target_find(job->gpus, job->rates, family_of(job), target, err);
    if (status)
        return status;
    c->gpus = target->gpus;
    c->slow = PM_GPU_SLOW;
    c->rate = pm_gpu_target_rate(target, job, c->in_words);
    return PM_OK;
}

/* The tiles of the CPU. */
static pm_status restore(const pm_job *job, const pm_square *s, const int64_t *number, int count,
                         void *choice, pm_error *err)
{
    pm_repeated_gpu_choice *c = choice;
    pm_gpu_target target;
    c->as_on_cpu = true;
    c->precision = job->precision;
    pm_status status = set_target(job, c, &target, err);
    if (status)
        return status;
    if (s->field >= PM_REAL)
        return pm_repeated_read_precision(number, count, &c->precision, err);
    status = pm_plan_numbers_check("repeated", count, 0, err);
    return status ? status : pm_repeated_gpu_refuse_rows(s, c, err);
}

static pm_status measure(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err)
{
    pm_repeated_gpu_choice *c = choice;
    pm_gpu_target target;
    pm_sweep sweep = {0};
    pm_status status = set_target(job, c, &target, err);
    if (!status)
        status = prepare(job, s, prime, count, c, &sweep, err);
    if (!status)
        status = pm_gpu_sweep_fits(&target, &sweep, err);
    if (!status)
        pm_gpu_plan_set(&target, pm_repeated_gpu_operations(&sweep),
                        pm_repeated_gpu_seconds(&sweep), plan);
    if (!status)
        status = pm_gpu_sweep_compiling(&target, &sweep, compile_seconds(s, c, count),
                                        &plan->compiling, err);
    plan->is_precise = !count && c->precision == PM_QUAD;
    pm_sweep_free(&sweep);
    return status;
}

/* Row sums, with all copies, must fit. */
static bool prefers_words(const pm_job *job)
{
    const pm_matrix *a = &job->block->a;
    double most = 1;
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        most = fmax(most, fabs(pm_dyadic_get_d(&a->re[k])));
    return pm_gpu_prefers_words(job) && most * (double)job->block->n < ldexp(1, PM_WORD_BITS);
}

#define METHOD                                                                                     \
    .name = "repeated", .may_transpose = true, .classes = true,                                    \
    .choice_size = sizeof(pm_repeated_gpu_choice), .measure = measure, .restore = restore,         \
    .prepare = pm_repeated_gpu_prepare, .prepare_modular = pm_repeated_gpu_prepare_modular,        \
    .residue = pm_repeated_gpu_residue, .device_seconds = pm_gpu_sweep_seconds

static const pm_repeated_gpu_choice in_words = {.in_words = true};
static const pm_sweep_method exact;
static const pm_sweep_method words = {METHOD,
                                      .host = &pm_repeated_exact_method,
                                      .wide = &exact,
                                      .bits = PM_WORD_BITS,
                                      .initial = &in_words,
                                      .primes = PM_WORD_PRIMES,
                                      .prime_max = PM_WORD_PRIME_MAX};
static const pm_sweep_method exact = {METHOD,
                                      .host = &pm_repeated_exact_method,
                                      .bits = PM_GPU_BITS,
                                      .primes = PM_GPU_PRIMES,
                                      .prime_max = PM_GPU_PRIME_MAX,
                                      .narrow = &words,
                                      .prefers_narrow = prefers_words};
static const pm_sweep_method inexact = {METHOD, .host = &pm_repeated_inexact_method, .bits = 62};

const pm_algorithm pm_algorithm_repeated_gpu = {
    .name = "repeated",
    .summary = "the same, by a kernel compiled for the multiplicities",
    .source = "Glynn 2010, theorem 2.1, with equal terms joined",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_FIRST,
    .cancels = true,
    .classes = true,
    PM_RYSER_FAMILY(&exact, &inexact)};
