/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/sampler_backend.h: whether the CPU or GPUs draw the samples of a block. */
#ifndef PM_SAMPLER_BACKEND_H
#define PM_SAMPLER_BACKEND_H

#include "pm/backend.h"
#include "sampler/sampler.h"

typedef struct {
    pm_backend backend; /* auto: GPUs where that is worth starting them */
    int gpus;           /* 0: one; -1: all */
} pm_sampler_backend;

/* Before `samples` more are drawn: GPUs draw from now on, if they are wanted, there, and, unless
 * they are demanded, worth their start by the nominal time of the samples on the CPU, so that the
 * choice does not depend on the machine's speed or its threads.  Where method or matrix have no
 * kernel, or auto finds no GPU, the CPU goes on, and a note at level 1 or 2 says why; where a GPU
 * is there and fails, or its compiler does, at level 0.
 * Fails: PM_ENODEV, only where GPUs are demanded; PM_ENOMEM. */
pm_status pm_sampler_choose_backend(pm_sampler *s, const pm_sampler_backend *place, double samples,
                                    const pm_run *run, pm_error *err);

/* Drawing has failed.  If it was a GPU that did and none are demanded, the CPU draws from now on, a
 * note says why, and the answer is PM_OK: draw on.  Else the failure, PM_ENODEV where GPUs are
 * demanded. */
pm_status pm_sampler_fall_back(pm_sampler *s, const pm_sampler_backend *place, pm_status failure,
                               const pm_error *why, const pm_run *run, pm_error *err);

#endif
