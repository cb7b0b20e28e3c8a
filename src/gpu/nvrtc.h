/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/nvrtc.h: NVRTC, the run-time compiler of CUDA, opened with dlopen() at the first call. */
#ifndef PM_NVRTC_H
#define PM_NVRTC_H

#include <stdbool.h>

#include "gpu/gpu.h"

/* The version, 13 and 0 for 13.0; it is part of the cache's key.  Fails: PM_ENODEV. */
pm_status pm_nvrtc_version(int *major, int *minor, pm_error *err);

/* The options of every kernel, besides that of the target. */
#define PM_NVRTC_STANDARD "--std=c++17"
#define PM_NVRTC_NO_FMAD  "--fmad=false"
#define PM_NVRTC_OPTIONS  PM_NVRTC_STANDARD " " PM_NVRTC_NO_FMAD
/* In addition, for texts with the line PM_GPU_QUICK; compilers that do not know it do without.
 * The assembler optimises as always. */
#define PM_NVRTC_QUICK           "--Ofast-compile=min"
#define PM_NVRTC_QUICK_ASSEMBLER "--ptxas-options=--Ofast-compile=0"

typedef struct {
    char option[48];
    bool is_ptx;
} pm_nvrtc_target;

/* The compiler option for devices of this compute capability: machine code for it, or for the
 * nearest lower one of the same major version; PTX if there is none.
 * Fails: PM_ENODEV no compiler; PM_EINTERNAL the compiler does not know devices as old as this. */
pm_status pm_nvrtc_target_for(int major, int minor, pm_nvrtc_target *out, pm_error *err);

/* *out: the code, owned by the caller.  Fails: as pm_gpu_compile. */
pm_status pm_nvrtc_compile(const char *text, const pm_nvrtc_target *target, pm_gpu_image *out,
                           pm_error *err);

#endif
