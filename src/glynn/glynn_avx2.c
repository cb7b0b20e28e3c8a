/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of glynn_kernel.h for AVX2. */
#include "config.h"

#include <stdbool.h>

#include "core/isa.h"

#if PM_HAVE_X86
#define PM_LANES 4
#include "glynn/glynn_body.h"

PM_GLYNN_KERNELS(pm_glynn_avx2);
#endif
