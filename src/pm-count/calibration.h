/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-count/calibration.h: the rates of this machine, measured once and kept in files of the cache: rates
 * and gpu-rates in $XDG_CACHE_HOME/pmkit, or ~/.cache/pmkit. */
#ifndef PM_CALIBRATION_H
#define PM_CALIBRATION_H

#include "algorithm/rates.h"
#include "cli/console.h"

typedef enum { PM_CALIBRATE_NO, PM_CALIBRATE_ONCE, PM_CALIBRATE_AGAIN } pm_calibrate;

/* From the files if they are there and were made by this version, on this kind of processor, else
 * measured and written; a file that cannot be written is a warning.  with_gpu: those of the first GPU
 * too, if there is one; a file of them serves until they are measured again, but only plans for the
 * GPU that it names.
 * Fails: what pm_rates_measure fails with. */
pm_status pm_calibration_get(pm_calibrate how, bool with_gpu, const pm_run *run,
                             pm_console *console, pm_rates *out, pm_error *err);

#endif
