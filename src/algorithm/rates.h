/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algorithm/rates.h: rates, the seconds that one unit of work takes.  Nominal rates are constants
 * (core/machine.h).  Those of one vector unit give the same input the same plan everywhere; those of the vector unit
 * at hand foresee more, and are for answers whose digits no plan changes.  Calibrated rates are measured on the
 * machine (calibration/calibrate.h). */
#ifndef PM_RATES_H
#define PM_RATES_H

#include "core/isa.h"
#include "core/machine.h"
#include "pm/run.h"
#include "pm/status.h"

typedef enum {
#define PM_RATE_ENUM(id, name, seconds, portable, avx2, unit) PM_RATE_##id,
    PM_RATE_TABLE(PM_RATE_ENUM)
#undef PM_RATE_ENUM
        PM_RATES
} pm_rate;

/* START: seconds.  Every other one is a factor: measured seconds divided by the seconds predicted
 * from the device's rates (gpu/gpu.h), for one family of kernels. */
typedef enum {
#define PM_GPU_RATE_ENUM(id, name, seconds, unit) PM_GPU_RATE_##id,
    PM_GPU_RATE_TABLE(PM_GPU_RATE_ENUM)
#undef PM_GPU_RATE_ENUM
        PM_GPU_RATES /* their number; as a family: kernels without a factor of their own */
} pm_gpu_rate;

enum { PM_GPU_NAME = 192 };
typedef struct pm_rates pm_rates;

struct pm_rates {
    pm_isa isa; /* the vector unit that they are for; the units of some works differ */
    double seconds[PM_RATES];
    double gpu[PM_GPU_RATES];
    char gpu_name[PM_GPU_NAME]; /* device and driver that gpu was measured on; "": nominal */
};

/* Those of AVX-512 IFMA, on every machine. */
extern const pm_rates pm_rates_nominal;

/* Nominal rates of this vector unit. */
const pm_rates *pm_rates_nominal_of(pm_isa isa);

/* Static texts: the name in the file of rates, and the unit of work. */
const char *pm_rate_name(pm_rate r);
const char *pm_rate_unit(pm_rate r);
const char *pm_gpu_rate_name(pm_gpu_rate r);
const char *pm_gpu_rate_unit(pm_gpu_rate r);

#endif
