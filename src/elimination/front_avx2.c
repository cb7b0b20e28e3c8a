/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel of front_kernel.h for AVX2 and FMA. */
#include "config.h"

#include "core/isa.h"

#if PM_HAVE_X86
#define PM_LANES 4
#include "elimination/front_body.h"

PM_FRONT_KERNEL(pm_front_avx2)
#endif
