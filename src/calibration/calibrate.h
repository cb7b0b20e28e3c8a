/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration/calibrate.h: measures the rates of this machine by counting sample matrices. */
#ifndef PM_CALIBRATE_H
#define PM_CALIBRATE_H

#include "algorithm/rates.h"

/* Measures the rates of one core, by a sample run for each: a few seconds in all.  The GPU part of
 * *out is nominal.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rates_measure(const pm_run *run, pm_rates *out, pm_error *err);
/* Measures the factors of the first GPU, a second or two each.  Sets gpu and gpu_name of *out on
 * success, and leaves the rest unchanged.
 * Fails: PM_ENODEV no GPU, or it failed; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rates_measure_gpu(const pm_run *run, pm_rates *out, pm_error *err);

#endif
