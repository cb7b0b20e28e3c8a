/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_gpu_kernel.h: a beam laid out for a device: steps, scores and dead ends in flat arrays, and
 * the launches of a run. */
#ifndef PM_BEAM_GPU_KERNEL_H
#define PM_BEAM_GPU_KERNEL_H

#include "beam/beam_model.h"
#include "cuda/beam_step.h"

enum {
    PM_BEAM_THREADS = 256, /* of a block */
    PM_BEAM_WORDS = 16     /* of a key, at most: what shared memory holds */
};

typedef struct {
    int32_t words;
    double keep;
    int64_t room;  /* states of a list, at most */
    int64_t chain; /* steps of no more states are made by one block, one after the other */
    int64_t nsteps, nopen, ndead;
    pm_beam_step *steps;
    double *open;
    pm_beam_conflict_masks *dead;
    int64_t cap_open, cap_dead;
} pm_beam_kernel_data;

/* Fails: PM_UNABLE keys too wide or too many edges for the kernels; PM_ENOMEM. */
pm_status pm_beam_kernel_data_make(const pm_beam_model *m, pm_beam_kernel_data *out, pm_error *err);
void pm_beam_kernel_data_free(pm_beam_kernel_data *f);

/* Bytes on the device: for all runs, and for each of them. */
double pm_beam_kernel_data_bytes(const pm_beam_kernel_data *f);
double pm_beam_run_bytes(const pm_beam_kernel_data *f);

/* CUDA C++ and C; NULL when memory ends; free(). */
char *pm_beam_text(int32_t words);

/* One launch, for all runs at once. */
typedef struct {
    const char *kernel;
    int step, steps, parity;
    int blocks; /* of each run */
} pm_beam_launch;

typedef pm_status pm_beam_launcher(void *context, const pm_beam_launch *l, double seconds,
                                   pm_error *err);

/* Every launch of runs from begin to end; *parity: where their states end.  resident: blocks that
 * the device runs at a time; seconds: nominal, of a launch.  Stops at the first failure. */
pm_status pm_beam_launch_all(const pm_beam_kernel_data *f, int runs, int resident,
                             pm_beam_launcher *launch, void *context, int *parity, pm_error *err);

#endif
