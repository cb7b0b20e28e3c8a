/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of hafnian_kernel.h for AVX-512. */
#include "config.h"

#include "core/isa.h"

#if PM_HAVE_X86
#define PM_LANES 8
#include "hafnian/hafnian_body.h"

PM_HAFNIAN_KERNELS(pm_hafnian_avx512);
#endif
