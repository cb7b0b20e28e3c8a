/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algorithm/rates.h: what one unit of work of each kernel costs one core, in seconds.  The nominal
 * figures are fixed, so that the same input gives the same plan everywhere; --calibrate takes
 * those of the machine instead (count/calibrate.c). */
#ifndef PM_RATES_H
#define PM_RATES_H

#include "core/machine.h"
#include "pm/run.h"
#include "pm/status.h"

typedef enum {
#define PM_RATE_ENUM(id, name, seconds, unit) PM_RATE_##id,
    PM_RATE_TABLE(PM_RATE_ENUM)
#undef PM_RATE_ENUM
        PM_RATES
} pm_rate;

/* START: seconds.  The others: what one second takes, predicted from the rates of the device itself
 * (gpu/gpu.h), in one family of kernels. */
typedef enum {
#define PM_GPU_RATE_ENUM(id, name, seconds, unit) PM_GPU_RATE_##id,
    PM_GPU_RATE_TABLE(PM_GPU_RATE_ENUM)
#undef PM_GPU_RATE_ENUM
        PM_GPU_RATES /* none of them: kernels that are there to compare with */
} pm_gpu_rate;

enum { PM_GPU_NAME = 192 };
typedef struct pm_rates pm_rates;

struct pm_rates {
    double seconds[PM_RATES];
    double gpu[PM_GPU_RATES];
    char gpu_name[PM_GPU_NAME]; /* of which device gpu is, with its driver; empty: of none */
};

extern const pm_rates pm_rates_nominal;
/* One core's own: runs a sample of each kernel, a few seconds in all.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rates_measure(const pm_run *run, pm_rates *out, pm_error *err);
/* The first GPU's own, a second or two each: gpu and gpu_name of *out, the rest is left alone.
 * Fails: PM_ENODEV there is none, or it failed; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rates_measure_gpu(const pm_run *run, pm_rates *out, pm_error *err);

const char *pm_rate_name(pm_rate r);
const char *pm_rate_unit(pm_rate r);
const char *pm_gpu_rate_name(pm_gpu_rate r);
const char *pm_gpu_rate_unit(pm_gpu_rate r);

#endif
