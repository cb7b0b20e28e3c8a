/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "product_tree/tree_gpu.h"

#include <math.h>

#include "product_tree/product_tree.h"
#include "product_tree/tree_gpu_kernel.h"

/* A kernel that compiles in less is not made smaller. */
#define COMPILE_SECONDS 2.0

/* ---- preparing ---- */

pm_status pm_tree_gpu_prepare_modular(const pm_square *s, const void *choice, const uint64_t *prime,
                                      int count, pm_sweep *out, pm_error *err)
{
    const pm_tree_gpu_method *m = choice;
    pm_tree_gpu_choice all = {.name = m->name,
                              .plan = &m->plan,
                              .prime = prime,
                              .nprimes = count,
                              .precision = m->precision,
                              .gpus = m->target.gpus,
                              .slow = PM_GPU_SLOW,
                              .rate = m->in_words ? m->target.word_rate : m->target.double_rate,
                              .in_words = m->in_words,
                              .in_turn = m->in_turn,
                              .shared = m->target.shared,
                              .inner = m->inner};
    return pm_tree_gpu_sweep(s, &all, out, err);
}

pm_status pm_tree_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    return pm_tree_gpu_prepare_modular(s, choice, NULL, 0, out, err);
}

int pm_tree_gpu_most_primes(const void *choice)
{
    return ((const pm_tree_gpu_method *)choice)->primes;
}

/* ---- measuring ---- */

/* Sets the seconds of one sweep and m->primes, the number of primes that take the least time when
 * compiled into one kernel.  Primes share work (a tenth of it or less when entries have weights),
 * but a kernel for four of them may take as long to compile as to run. */
static pm_status choose_primes(const pm_square *s, const uint64_t *prime, int count,
                               pm_tree_gpu_method *m, pm_plan *plan, pm_error *err)
{
    int tried = count;
    double compile, least = INFINITY;
    do {
        pm_sweep sweep = {0};
        pm_status status = pm_tree_gpu_prepare_modular(s, m, prime, tried, &sweep, err);
        if (status)
            return status;
        double run = pm_tree_gpu_seconds(&sweep) * (count ? (double)count / tried : 1);
        compile = pm_tree_gpu_compile_seconds(&sweep);
        if (compile + run / m->target.gpus < least) {
            least = compile + run / m->target.gpus;
            m->primes = tried;
            pm_gpu_plan_set(&m->target, pm_tree_gpu_operations(&sweep), pm_tree_gpu_seconds(&sweep),
                            plan);
            status = pm_gpu_sweep_compiling(&m->target, &sweep, compile, &plan->compiling, err);
        }
        pm_sweep_free(&sweep);
        if (status)
            return status;
    } while (compile > COMPILE_SECONDS && --tried > 0);
    return PM_OK;
}

static pm_gpu_rate family_of(const pm_job *job)
{
    return job->nmoduli ? PM_GPU_RATE_TREE_EXACT : PM_GPU_RATE_TREE;
}

pm_status pm_tree_gpu_measure(const pm_job *job, const pm_square *s, const uint64_t *prime,
                              int count, void *choice, pm_plan *plan, pm_error *err)
{
    pm_tree_gpu_method *m = choice;
    m->precision = job->precision;
    m->primes = count;
    pm_status status = pm_gpu_target_find(job->gpus, job->rates, family_of(job), &m->target, err);
    if (!status)
        status = m->find_plan(job, s, m, err);
    if (!status)
        status = choose_primes(s, prime, count, m, plan, err);
    if (!status)
        plan->order_hash = pm_tree_hash(&m->plan);
    return status;
}

/* ---- recorded sums ---- */

int pm_tree_gpu_describe(const void *choice, int64_t *number)
{
    return pm_tree_plan_describe(&((const pm_tree_gpu_method *)choice)->plan, number);
}

pm_status pm_tree_gpu_restore(const pm_job *job, const pm_square *s, const int64_t *number,
                              int count, void *choice, pm_error *err)
{
    pm_tree_gpu_method *m = choice;
    const pm_pattern a = pm_square_pattern(s);
    m->precision = job->precision;
    m->primes = PM_TREE_PRIMES;
    pm_status status = pm_gpu_target_find(job->gpus, job->rates, family_of(job), &m->target, err);
    if (!status)
        status = pm_tree_plan_again(&a, number, count, PM_GPU_SLOW, &m->plan, err);
    return status ? status : m->keep_plan(s, m, err);
}
