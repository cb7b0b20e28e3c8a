/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_passes.h: all passes of an engine: which residues each of them finds, first those whose level is
 * stored, and what is done with their values. */
#ifndef PM_FRONTIER_PASSES_H
#define PM_FRONTIER_PASSES_H

#include "frontier/frontier_plan.h"
#include "frontier/frontier_state.h"

typedef struct {
    pm_frontier_states states; /* where levels are stored */
    int64_t depth;             /* of the program, as for ring->finish */
    const void *engine;
    int workers; /* passes that run at the same time, on devices 0 .. workers - 1 of pm_gpu_on_each; on the CPU: 1 */
    double memory;   /* bytes that the arrays of a stored pass may have */
    int most_lanes;  /* of 64 bits, at most */
    bool any_lanes;  /* their number need not be a power of 2 */
    bool has_narrow; /* words of 32 bits are possible too, up to 8 lanes */
    /* How many residues the next pass has side by side when so many are left; it may have more. */
    int (*lanes)(const void *engine, int left);
    /* Of the arrays of a pass. */
    double (*bytes)(const void *engine, int64_t value_bytes);
    /* value: ring->value_bytes bytes.  Fails: PM_ESTOPPED, PM_ENOMEM, as the engine does. */
    pm_status (*run)(const pm_job *job, const void *engine, int worker, const pm_ring *ring,
                     pm_frontier_pass *pass, double done, double share, void *value, pm_error *err);
} pm_pass_engine;

/* residues, out: as those of pm_algorithm.run.  Fails: as the engine does. */
pm_status pm_frontier_passes_run(const pm_job *job, const pm_pass_engine *x, uint64_t *residues,
                                 pm_value *out, pm_error *err);

#endif
