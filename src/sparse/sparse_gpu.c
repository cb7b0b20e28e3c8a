/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SpaRyser and SkipPer on GPUs: plans and registry entries.  The devices are run by
 * sweep/gpu_sweep.h, the kernel is in sparse/sparse_gpu_kernel.h.  They are here to compare with,
 * and run only when they are named: product trees are faster. */
#include "config.h"

#include <math.h>

#include "algorithm/gpu_plan.h"
#include "core/machine.h"
#include "sparse/skipper.h"
#include "sparse/sparse_gpu_kernel.h"
#include "sparse/sparse_ryser.h"
#include "sweep/plan_numbers.h"
#include "sweep/ryser_driver.h"
#include "sweep/ryser_setup.h"

enum { POPULATION = 384 };

static double size_of_number(const pm_square *s)
{
    return s->field == PM_COMPLEX ? PM_GPU_SPARSE_COMPLEX_WORK : 1;
}

static pm_status set_plan(const pm_gpu_target *target, double operations, double work,
                          const pm_square *s, const uint64_t *prime, int count,
                          pm_sparse_gpu_choice *c, pm_plan *plan, pm_error *err)
{
    pm_sweep sweep = {0};
    c->gpus = target->gpus;
    c->slow = PM_GPU_SLOW;
    pm_gpu_plan_set(target, operations, work * size_of_number(s) / target->double_rate, plan);
    pm_status status = pm_sparse_gpu_prepare_modular(s, c, prime, count, &sweep, err);
    if (!status)
        status = pm_gpu_sweep_fits(target, &sweep, err);
    pm_sweep_free(&sweep);
    return status;
}

static pm_status measure_sparyser(const pm_job *job, const pm_square *s, const uint64_t *prime,
                                  int count, void *choice, pm_plan *plan, pm_error *err)
{
    pm_sparse_gpu_choice *c = choice;
    pm_gpu_target target;
    pm_pattern pattern = pm_square_pattern(s);
    pm_column_order order;
    c->keep_order = job->order;
    pm_status status = pm_gpu_target_find(job->gpus, job->rates, PM_GPU_RATES, &target, err);
    if (!status)
        status = pm_column_order_sort(&pattern, order.cols, order.rows, err);
    if (status)
        return status;
    double terms = ldexp(1, s->n - 1);
    double changes = pm_column_order_updates(&pattern, c->keep_order ? NULL : order.cols);
    /* a flip changes row sums, the products before and after; then one division, one term */
    double operations = terms * (3 * changes + 3);
    return set_plan(&target, operations,
                    terms * (PM_GPU_SPARYSER_TERM_WORK + PM_GPU_SPARYSER_ENTRY_WORK * changes), s,
                    prime, count, c, plan, err);
}

static double skipper_work(const pm_skip_estimate *e)
{
    double segments =
        ldexp(1, e->flips - pm_gpu_flips(e->flips, PM_GPU_SLOW, PM_GPU_SPARSE_INDEX_WORK));
    double waiting = PM_GPU_SKIPPER_WAIT * sqrt(ldexp(1, e->flips) / fmax(e->visits, 1));
    return PM_GPU_SKIPPER_SEGMENT_WORK * segments
           + e->visits * (PM_GPU_SKIPPER_VISIT_WORK + PM_GPU_SKIPPER_ENTRY_WORK * e->touched)
                 * fmin(waiting, PM_GPU_SKIPPER_WAIT_MOST);
}

static pm_status measure_skipper(const pm_job *job, const pm_square *s, const uint64_t *prime,
                                 int count, void *choice, pm_plan *plan, pm_error *err)
{
    pm_sparse_gpu_choice *c = choice;
    pm_gpu_target target;
    pm_skip_choice form = {0};
    pm_skip_estimate e;
    double visits, work;
    pm_status status = pm_gpu_target_find(job->gpus, job->rates, PM_GPU_RATES, &target, err);
    if (!status)
        status = pm_skipper_form(s, job->order, &form, &visits, &work, err);
    if (!status)
        status = pm_skip_predict(s, &form, POPULATION, &e, err);
    if (status)
        return status;
    c->skips = true;
    c->keep_order = form.keep_order;
    c->form = form.form;
    double operations = e.visits * e.touched + e.terms * s->n;
    return set_plan(&target, operations, skipper_work(&e), s, prime, count, c, plan, err);
}

/* ---- recorded sums ---- */

static pm_status restore(const pm_job *job, bool skips, pm_form form, pm_sparse_gpu_choice *c,
                         pm_error *err)
{
    pm_gpu_target target;
    pm_status status = pm_gpu_target_find(job->gpus, job->rates, PM_GPU_RATES, &target, err);
    if (!status)
        *c = (pm_sparse_gpu_choice){.skips = skips,
                                    .keep_order = job->order,
                                    .form = form,
                                    .gpus = target.gpus,
                                    .slow = PM_GPU_SLOW};
    return status;
}

static pm_status restore_sparyser(const pm_job *job, const pm_square *s, const int64_t *number,
                                  int count, void *choice, pm_error *err)
{
    (void)s, (void)number;
    pm_status status = pm_plan_numbers_check("sparyser", count, 0, err);
    return status ? status : restore(job, false, PM_FORM_SIGNS, choice, err);
}

/* The balanced form starts from the most frequent sums of a row.  A device that takes the entries modulo a prime, or
 * rounds them to fewer bits, would start from others, and the sums of ranges, unlike the whole, depend on that: it takes
 * those of the processor.  Where both take residues, they are the same. */
static pm_status restore_skipper(const pm_job *job, const pm_square *s, const int64_t *number,
                                 int count, void *choice, pm_error *err)
{
    pm_skip_choice skip;
    pm_sparse_gpu_choice *c = choice;
    pm_status status = pm_skipper_again(job, number, count, &skip, err);
    if (!status)
        status = restore(job, true, skip.form, c, err);
    if (status)
        return status;
    c->has_starts = skip.form == PM_FORM_BALANCED && !pm_ryser_is_large(job, &pm_skipper_method);
    if (c->has_starts)
        pm_terms_starts(s, c->start);
    return PM_OK;
}

#define METHOD(method, is_exact)                                                                   \
    {                                                                                              \
        .name = #method, .bits = is_exact ? PM_GPU_BITS : 53, .in_double = true,                   \
        .may_transpose = true, .choice_size = sizeof(pm_sparse_gpu_choice),                        \
        .primes = is_exact ? PM_GPU_PRIMES : 0, .prime_max = PM_GPU_PRIME_MAX,                     \
        .measure = measure_##method, .prepare = pm_sparse_gpu_prepare,                             \
        .host = &pm_##method##_method, .restore = restore_##method,                                \
        .prepare_modular = pm_sparse_gpu_prepare_modular, .residue = pm_sparse_gpu_residue,        \
        .device_seconds = pm_gpu_sweep_seconds                                                     \
    }

static const pm_sweep_method sparyser_exact = METHOD(sparyser, true),
                             sparyser_inexact = METHOD(sparyser, false),
                             skipper_exact = METHOD(skipper, true),
                             skipper_inexact = METHOD(skipper, false);

const pm_algorithm pm_algorithm_sparyser_gpu = {
    .name = "sparyser",
    .summary = "the same, row sums and matrix in shared memory; to compare with",
    .source = "Yaglioglu 2021, algorithm 6",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_NAMED,
    .cancels = true,
    PM_RYSER_FAMILY(&sparyser_exact, &sparyser_inexact)};

const pm_algorithm pm_algorithm_skipper_gpu = {
    .name = "skipper",
    .summary = "the same, row sums and matrix in shared memory; to compare with",
    .source = "Yaglioglu 2021, algorithm 11; balanced form ours",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_NAMED,
    .cancels = true,
    PM_RYSER_FAMILY(&skipper_exact, &skipper_inexact)};
