/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algorithm/gpu_plan.h: what plans for GPUs have in common: the devices, their rates, and whether
 * starting them is worthwhile. */
#ifndef PM_GPU_PLAN_H
#define PM_GPU_PLAN_H

#include "algorithm/algorithm.h"
#include "core/machine.h"
#include "gpu/gpu.h"

/* seconds: of one core.  False if all cores finish before a device is started. */
static inline bool pm_gpu_is_worthwhile(double seconds)
{
    return seconds > PM_GPU_WORTH_SECONDS * PM_GPU_PRICE_CORES;
}

/* The devices that a plan is made for, and their rates. */
typedef struct {
    int gpus; /* devices 0 .. gpus - 1 */
    /* Rates of one device, as in pm_gpu_info, divided by the calibrated factor of the kernels. */
    double double_rate, single_rate, memory_rate, word_rate;
    int64_t shared;   /* bytes of shared memory that a thread block can have */
    double start;     /* seconds to start the devices and to release them in the end */
    int major, minor; /* compute capability */
    bool has_compiler;
} pm_gpu_target;

/* The rate of sums over signs of the job, of integers in words of 32 bits if in_words. */
static inline double pm_gpu_target_rate(const pm_gpu_target *t, const pm_job *job, bool in_words)
{
    const bool is_single = job->precision == PM_SINGLE && !job->nmoduli;
    return in_words ? t->word_rate : is_single ? t->single_rate : t->double_rate;
}

/* Finds the devices.
 * gpus:   how many are wanted; 0: one, -1: all.
 * rates:  calibrated factors; used if they were measured on such a device, else the nominal ones
 * are.
 * family: of the kernels that will run; PM_GPU_RATES: no factor.
 * Fails: PM_ENODEV no device, fewer than wanted, or no run-time compiler.  The families of the
 * frontier do not fail without a compiler, because some of their kernels are precompiled;
 * has_compiler is false then. */
pm_status pm_gpu_target_find(int gpus, const pm_rates *rates, pm_gpu_rate family,
                             pm_gpu_target *out, pm_error *err);

/* Nominal seconds to start and to release devices of a machine that has `count` of them. */
double pm_gpu_nominal_start(int count);

/* True if integers should be counted modulo primes in words of 32 bits rather than in doubles: on
 * devices that are slow with doubles, or as pm_settings.gpu_integers says ("words" or
 * "doubles"). */
bool pm_gpu_prefers_words(const pm_job *job);
/* True if pm_settings.gpu_integers is set to anything else. */
bool pm_gpu_integers_are_misnamed(void);

/* The name of the device and the version of its driver, to print and to recognise calibrated
 * rates. */
void pm_gpu_name(const pm_gpu_info *info, char out[PM_GPU_NAME]);

/* Sets the numbers of a plan that takes `seconds` on one device. */
void pm_gpu_plan_set(const pm_gpu_target *target, double operations, double seconds, pm_plan *plan);

#endif
