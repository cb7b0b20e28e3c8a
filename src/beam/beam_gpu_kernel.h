/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_gpu_kernel.h: the data of the beam's kernels in flat arrays, their text, and the
 * sequence of launches.  Needs no device. */
#ifndef PM_BEAM_GPU_KERNEL_H
#define PM_BEAM_GPU_KERNEL_H

#include "beam/beam_model.h"
#include "cuda/beam_step.h"

enum {
    PM_BEAM_THREADS = 256, /* of a thread block */
    PM_BEAM_WORDS = 16     /* of a key, at most: limited by shared memory */
};

/* ---- data ---- */

typedef struct {
    int32_t words; /* of a key */
    double keep;   /* K */
    int64_t room;  /* states of a list, at most */
    int64_t chain; /* steps with at most this number of states are made by one thread block, several
                    * steps in one launch */
    int64_t nsteps, nfactors, nconflicts;
    pm_beam_step *steps;
    /* for each step that may thin: the factors of all bits (pm_beam_frontier.factor) */
    double *factor;
    pm_beam_conflict_masks *conflict; /* and the conflicts */
    int64_t cap_factors, cap_conflicts;
} pm_beam_kernel_data;

/* *out = the data for m.  The caller frees it.
 * Fails: PM_UNABLE (keys too wide or too many edges for the kernels), PM_ENOMEM. */
pm_status pm_beam_kernel_data_make(const pm_beam_model *m, pm_beam_kernel_data *out, pm_error *err);
void pm_beam_kernel_data_free(pm_beam_kernel_data *f);

/* Bytes on the device: of the data, which all runs share; of each run. */
double pm_beam_kernel_data_bytes(const pm_beam_kernel_data *f);
double pm_beam_run_bytes(const pm_beam_kernel_data *f);

/* The text of all kernels, which is CUDA C++ and C.  words: of a key.  The caller frees it with
 * free(). Returns NULL when out of memory. */
char *pm_beam_text(int32_t words);

/* ---- launches ---- */

/* One launch for all runs. */
typedef struct {
    const char *kernel;
    int step, steps, parity; /* first step; number of steps of a chain; see pm_beam_run_state */
    int blocks;              /* thread blocks of each run */
} pm_beam_launch;

/* Starts a launch; seconds: its nominal time. */
typedef pm_status pm_beam_launcher(void *context, const pm_beam_launch *l, double seconds,
                                   pm_error *err);

/* Calls `launch` for every launch of `runs` runs, from begin to end; stops at the first failure and
 * returns it.
 * resident: thread blocks that the device runs at the same time.
 * parity:   on return, which n and list of pm_beam_run_state hold the last states. */
pm_status pm_beam_launch_all(const pm_beam_kernel_data *f, int runs, int resident,
                             pm_beam_launcher *launch, void *context, int *parity, pm_error *err);

#endif
