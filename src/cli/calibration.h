/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/calibration.h: the rates of this machine, measured once and kept in a file of the cache:
 * $XDG_CACHE_HOME/pmkit/rates, or ~/.cache/pmkit/rates. */
#ifndef PM_CALIBRATION_H
#define PM_CALIBRATION_H

#include "cli/console.h"
#include "count/rates.h"

typedef enum { PM_CALIBRATE_NO, PM_CALIBRATE_ONCE, PM_CALIBRATE_AGAIN } pm_calibrate;

/* From the file if it is there and was made by this version on this kind of processor, else
 * measured and written; a file that cannot be written is a warning.
 * Fails: what pm_rates_measure fails with. */
pm_status pm_calibration_get(pm_calibrate how, const pm_run *run, pm_console *console,
                             pm_rates *out, pm_error *err);

#endif
