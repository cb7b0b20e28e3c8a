/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bethe_gpu.h: belief propagation (bethe.h) on a GPU. */
#ifndef PM_BETHE_GPU_H
#define PM_BETHE_GPU_H

#include "bounds/bethe.h"

/* on: of the pattern of the entries, with a GPU; its entries and the vectors 0 and 1 are overwritten.
 * out: its arrays exist; they are filled with the last messages and probabilities.
 * Fails: PM_ENODEV, PM_ESTOPPED. */
pm_status pm_bethe_gpu_make(pm_workspace *on, double (*value)[2], const pm_bethe_limits *limits,
                            const pm_run *run, pm_bethe *out, pm_error *err);
/* pm_bethe_probabilities (bethe.h).  Memory of the host: none. */
pm_status pm_bethe_gpu_probabilities(pm_workspace *on, double (*value)[2],
                                     const pm_bethe_limits *limits, const pm_run *run,
                                     double *sum_to_col, pm_error *err);

#endif
