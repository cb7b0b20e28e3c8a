/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of repeated_float.h in single precision for AVX2. */
#include "config.h"

#include "core/isa.h"

#if PM_HAVE_X86
#define PM_LANES 4
#define PM_IN_SINGLE
#include "repeated/repeated_float_body.h"

PM_REPEATED_RANGE(real, PM_DENSE_SINGLE)
PM_REPEATED_RANGE(complex_range, PM_DENSE_COMPLEX_SINGLE)

pm_repeated_range *const pm_repeated_single_avx2[PM_DENSE_SINGLE_KINDS] = {real, complex_range};
#endif
