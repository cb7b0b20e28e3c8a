/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/nvrtc.h: the run-time compiler of CUDA, opened at run time. */
#ifndef PM_NVRTC_H
#define PM_NVRTC_H

#include <stdbool.h>

#include "gpu/gpu.h"

/* 13 and 0, for people and for the cache.  Fails: PM_ENODEV. */
pm_status pm_nvrtc_version(int *major, int *minor, pm_error *err);

/* The option that has text compiled for a device of this capability: machine code for it or for the
 * nearest below of the same generation, else PTX.
 * Fails: PM_ENODEV; PM_EINTERNAL the compiler knows no generation as old. */
typedef struct {
    char option[48];
    bool is_ptx;
} pm_nvrtc_target;
pm_status pm_nvrtc_target_for(int major, int minor, pm_nvrtc_target *out, pm_error *err);

/* Fails: as pm_gpu_compile. */
pm_status pm_nvrtc_compile(const char *text, const pm_nvrtc_target *target, pm_gpu_image *out,
                           pm_error *err);

#endif
