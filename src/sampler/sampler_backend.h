/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/sampler_backend.h: chooses the backend that draws the samples of a block: the CPU or
 * GPUs. */
#ifndef PM_SAMPLER_BACKEND_H
#define PM_SAMPLER_BACKEND_H

#include "pm/backend.h"
#include "sampler/sampler.h"

typedef struct {
    pm_backend backend; /* auto: GPUs where the samples take longer than starting a GPU */
    int gpus;           /* number of GPUs; 0: one; -1: all */
} pm_sampler_backend;

/* Chooses the backend before `samples` more samples are drawn; sets s->gpu or s->cpu_only.
 * backend CPU: the CPU.  backend CUDA: GPUs.  backend auto: GPUs when the nominal time of the
 * samples on one CPU core is long enough; a nominal time, so that the choice depends neither on the
 * speed of the machine nor on the number of threads.
 * The CPU draws, and a note gives the reason, when the method or the matrix has no kernel (a note
 * of level 0 if GPUs are demanded, else 1); and with backend auto when there is no GPU (level 2),
 * or a GPU or its compiler fails (level 0).
 * Fails: PM_ENODEV only with backend CUDA (no GPU, or it fails), PM_ENOMEM. */
pm_status pm_sampler_choose_backend(pm_sampler *s, const pm_sampler_backend *choice, double samples,
                                    const pm_run *run, pm_error *err);

/* To be called after drawing has failed with status `failure` and message *why.
 * If a GPU failed and backend is not CUDA, the CPU draws from now on, a note gives the reason, and
 * the result is PM_OK: the caller may draw again.
 * Fails: PM_ENODEV when a GPU failed and backend is CUDA; else `failure`. */
pm_status pm_sampler_fall_back(pm_sampler *s, const pm_sampler_backend *choice, pm_status failure,
                               const pm_error *why, const pm_run *run, pm_error *err);

#endif
