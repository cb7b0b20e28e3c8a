/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_gpu_run.h: passes over a frontier program on one device or several. */
#ifndef PM_FRONTIER_GPU_RUN_H
#define PM_FRONTIER_GPU_RUN_H

#include "frontier/frontier_gpu_shares.h"
#include "frontier/frontier_state.h"

/* What a pass finds: `count` residues, from number `first` of the moduli of the job on. */
typedef struct {
    int first, count;
} pm_frontier_place;

/* Passes that follow each other or run side by side; all pointers are borrowed. */
typedef struct {
    const pm_job *job;
    const pm_frontier_gpu *f;
    pm_frontier_shares now; /* how the devices divide them */
    /* Of each pass: now.width moduli, and room for as many residues; an inexact number has none. */
    const uint64_t *lane;
    uint64_t *found;
    const pm_frontier_place *place;
    bool tells;             /* job->found gets the residues of a pass when it ends */
    pm_frontier_pass *pass; /* their stored levels; slots are set where a pass is new */
    pm_value *out;          /* an inexact number */
} pm_frontier_passes;

/* Fails: PM_ENODEV, PM_EINTERNAL, PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_frontier_gpu_run(const pm_frontier_passes *passes, pm_error *err);

#endif
