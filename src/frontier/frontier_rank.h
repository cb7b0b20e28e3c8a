/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_rank.h: the engine that runs a frontier program over plain arrays of values,
 * indexed by the number (rank) of the state. */
#ifndef PM_FRONTIER_RANK_H
#define PM_FRONTIER_RANK_H

#include "frontier/frontier_program.h"
#include "frontier/frontier_state.h"
#include "frontier/ring.h"
#include "pm/run.h"

/* p: is_zero is not set.
 * done, share: the progress before this run and the part that this run adds, in 0 .. 1.
 * value: ring->value_bytes bytes, set to the value of the only state of the last level.
 * The result does not depend on the number of threads.  Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_frontier_rank_run(const pm_frontier_program *p, const pm_ring *ring, const pm_run *run,
                               double done, double share, void *value, pm_error *err);

/* The same for a pass that may go on from a stored level, and stores levels (pm_frontier_pass_read). */
pm_status pm_frontier_rank_run_pass(const pm_frontier_program *p, const pm_ring *ring,
                                    pm_frontier_pass *pass, const pm_run *run, double done,
                                    double share, void *value, pm_error *err);

#endif
