/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_code.h: the text that was compiled last, and what came of it, code or a complaint: several
 * devices, most of one kind, want the same. */
#ifndef PM_GPU_CODE_H
#define PM_GPU_CODE_H

#include "gpu/gpu.h"

/* As pm_gpu_compile, for devices like this one.  Any thread may call it: one compiles, the others wait,
 * and those that want the same take it.  A copy, so that each loads it in its own time, whatever the next
 * one compiles. */
pm_status pm_gpu_code(const char *text, const pm_gpu_info *of, pm_gpu_image *out, pm_error *err);

/* No other thread is at the door. */
void pm_gpu_code_forget(void);

#endif
