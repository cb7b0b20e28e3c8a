/* SPDX-License-Identifier: GPL-3.0-or-later */
/* masks/mask_run.h: runs a mask program over plain arrays of values. */
#ifndef PM_MASK_RUN_H
#define PM_MASK_RUN_H

#include "frontier/frontier_state.h"
#include "frontier/ring.h"
#include "masks/mask_program.h"
#include "pm/run.h"

/* p: is_zero is not set.
 * pass: may go on from a stored level, and stores levels (pm_frontier_pass_read); or NULL.
 * done, share: the progress before this run and the part that this run adds, in 0 .. 1.
 * value: ring->value_bytes bytes, set to the value of the only state of the last level.
 * The result does not depend on the number of threads.  Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_mask_run(const pm_mask_program *p, const pm_ring *ring, pm_frontier_pass *pass,
                      const pm_run *run, double done, double share, void *value, pm_error *err);

/* Bytes of the two arrays of values. */
double pm_mask_bytes(const pm_mask_program *p, int64_t value_bytes);

#endif
