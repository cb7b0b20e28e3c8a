/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu.h: the only door to CUDA.  gpu_cuda.c and gpu_none.c define the same functions;
 * configure picks one of the two. */
#ifndef PM_GPU_H
#define PM_GPU_H

#include <stddef.h>

#include "pm/status.h"

/* What this build and this machine have of CUDA, for people: a line "CUDA: ..." with the runtime
 * and the driver, then a line a device.  No newline after the last one.
 * text: room for size bytes; what does not fit is left out by whole lines.
 * Cost: starts the CUDA driver where there is one (some 0.1 s); nothing else touches it.
 * Fails: PM_ENODEV no driver, no device, or built without CUDA; text is filled then too and says
 * which, and *err says the same in one line. */
pm_status pm_gpu_describe(char *text, size_t size, pm_error *err);

#endif
