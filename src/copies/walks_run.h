/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies/walks_run.h: all states of walks_problem.h, on one thread or several. */
#ifndef PM_WALKS_RUN_H
#define PM_WALKS_RUN_H

#include "copies/walks_problem.h"
#include "pm/run.h"

/* Fills walk, closed and power.  is_short: one thread is enough.  Nothing depends on the number of threads.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_walks_run(const pm_walks_kernel *kernel, const pm_walks *w, bool is_short,
                       const pm_run *run, pm_error *err);

#endif
