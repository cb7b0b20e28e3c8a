/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algorithm/gpu_plan.h: what planning for GPUs has in common. */
#ifndef PM_GPU_PLAN_H
#define PM_GPU_PLAN_H

#include "algorithm/algorithm.h"
#include "core/machine.h"
#include "gpu/gpu.h"

/* The driver is not started for what one core does in less than the start takes the others. */
static inline bool pm_gpu_is_worth(double seconds)
{
    return seconds > PM_GPU_START_SECONDS * PM_GPU_PRICE_CORES;
}

/* Where a job would run. */
typedef struct {
    int gpus;
    double double_rate, memory_rate; /* of one for these kernels: gpu/gpu.h, algorithm/rates.h */
    double word_rate;
    int64_t shared;    /* bytes of a block */
    double start;      /* seconds */
    bool has_compiler; /* false: of the frontier only, where kernels may be ready */
} pm_gpu_target;

/* Are integers better taken modulo primes in words of 32 bits than in doubles?  That is where a device
 * is slow with doubles; pm_settings.gpu_integers decides where it
 * is set. */
bool pm_gpu_prefers_words(const pm_job *job);
/* pm_settings.gpu_integers is set, and is neither "words" nor "doubles". */
bool pm_gpu_integers_are_misnamed(void);

/* The devices for a computation.
 * gpus: how many are wanted; 0: one, -1: all.
 * rates: calibrated factors, used where they are of this device; else the nominal ones.
 * family: of the kernels that will run; PM_GPU_RATES: no factor.
 * Fails: PM_ENODEV no device, fewer than wanted, or no run-time compiler (only the frontier's
 * families do without: out->has_compiler is false then). */
pm_status pm_gpu_target_find(int gpus, const pm_rates *rates, pm_gpu_rate family,
                             pm_gpu_target *out, pm_error *err);

/* Whose rates these are, for people and to know them again. */
void pm_gpu_name(const pm_gpu_info *info, char out[PM_GPU_NAME]);

/* Numbers of a plan that takes `seconds` on one device. */
void pm_gpu_plan_set(const pm_gpu_target *target, double operations, double seconds, pm_plan *plan);

#endif
