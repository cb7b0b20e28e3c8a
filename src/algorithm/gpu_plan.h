/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algorithm/gpu_plan.h: plans for GPUs: the devices of a computation, and what all such plans share. */
#ifndef PM_GPU_PLAN_H
#define PM_GPU_PLAN_H

#include "algorithm/algorithm.h"
#include "core/machine.h"
#include "gpu/gpu.h"

/* Is it worth starting a GPU for a computation that takes one core this long?  Only if it takes longer
 * than PM_GPU_PRICE_CORES cores need to do nothing while the GPU starts. */
static inline bool pm_gpu_is_worth(double seconds)
{
    return seconds > PM_GPU_START_SECONDS * PM_GPU_PRICE_CORES;
}

/* The devices of a computation. */
typedef struct {
    int gpus;
    /* Of one device, as in pm_gpu_info, corrected by the factor of the kernels' family. */
    double double_rate, memory_rate;
    double word_rate;
    int64_t shared;    /* bytes of shared memory that a thread block may have */
    double start;      /* seconds to start the device and compile a kernel */
    bool has_compiler; /* false: only kernels that were compiled before */
} pm_gpu_target;

/* Should residues be computed in words of 32 bits rather than in doubles?  True where the first device is
 * slow with doubles.  pm_settings.gpu_integers overrides it. */
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

/* Name of a device and its driver: pm_rates.gpu_name of rates measured on it. */
void pm_gpu_name(const pm_gpu_info *info, char out[PM_GPU_NAME]);

/* Sets operations, seconds, memory and is_serial of a plan that takes `seconds` on one device. */
void pm_gpu_plan_set(const pm_gpu_target *target, double operations, double seconds, pm_plan *plan);

#endif
