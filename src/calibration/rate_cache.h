/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration/rate_cache.h: the rates of this machine, measured once and stored in two files of a
 * folder: "rates" for the CPU and "gpu-rates" for a GPU. */
#ifndef PM_RATE_CACHE_H
#define PM_RATE_CACHE_H

#include "algorithm/rates.h"

/* Fills *out from the files, or measures the rates and writes the files.
 * folder:   created when it is missing; NULL: nothing is read or written.
 * again:    measure even if there are files.
 * with_gpu: get the rates of a GPU too.  Without a GPU, or when it fails, they are the nominal
 * ones. A file is used only if this version of pmkit wrote it; the one for the CPU only on the same
 * processor model and vector unit.  A file with the rates of another GPU is used too: the planner
 * compares out->gpu_name with the GPU that it finds, so that no GPU has to be started here.
 * A file that cannot be written is not a failure: the run gets a note of level 0.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rate_cache_get(const char *folder, bool again, bool with_gpu, const pm_run *run,
                            pm_rates *out, pm_error *err);

#endif
