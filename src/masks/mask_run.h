/* SPDX-License-Identifier: GPL-3.0-or-later */
/* masks/mask_run.h: runs a mask program over an array of values, one for each state. */
#ifndef PM_MASK_RUN_H
#define PM_MASK_RUN_H

#include "frontier/frontier_state.h"
#include "frontier/ring.h"
#include "masks/mask_program.h"
#include "pm/run.h"

/* Where states are: in the memory of the CPU, or of a device. */
typedef struct {
    void *context;
    /* State 0 becomes 1. */
    pm_status (*begin)(void *context, pm_error *err);
    /* The states 0 .. states - 1 from and to the store of the pass, as pm_frontier_pass_read and pm_frontier_pass_write have it. */
    pm_status (*read)(void *context, int64_t states, pm_frontier_pass *pass, int32_t *first,
                      pm_error *err);
    pm_status (*write)(void *context, int64_t states, pm_frontier_pass *pass, int32_t step,
                       bool stops, pm_error *err);
    /* Step i of the program, to its end, also if the run is to stop. */
    pm_status (*step)(void *context, int32_t i, pm_error *err);
} pm_mask_engine;

/* All steps, from the stored ones on if the pass has them.  Between two steps all states are complete: they may be stored, also before a
 * stop.  pass: or NULL.  done, share: the progress before this run and the part that this run adds, in 0 .. 1.
 * Fails: PM_ESTOPPED; as the engine does. */
pm_status pm_mask_run_steps(const pm_mask_program *p, const pm_mask_engine *e,
                            pm_frontier_pass *pass, const pm_run *run, double done, double share,
                            pm_error *err);

/* The same on the CPU.  p: is_zero is not set.
 * value: ring->value_bytes bytes, set to the value of the only state that is left.
 * The result does not depend on the number of threads.  Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_mask_run(const pm_mask_program *p, const pm_ring *ring, pm_frontier_pass *pass,
                      const pm_run *run, double done, double share, void *value, pm_error *err);

/* Bytes of the array of values. */
double pm_mask_bytes(const pm_mask_program *p, int64_t value_bytes);

#endif
