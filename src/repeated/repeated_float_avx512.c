/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of repeated_float.h for AVX-512. */
#include "config.h"

#include "core/isa.h"

#if PM_HAVE_X86
#define PM_LANES 8
#include "repeated/repeated_float_body.h"

PM_REPEATED_RANGE(real, PM_DENSE_REAL)
PM_REPEATED_RANGE(complex_range, PM_DENSE_COMPLEX)
PM_REPEATED_RANGE(quad, PM_DENSE_QUAD)
PM_REPEATED_RANGE(complex_quad, PM_DENSE_COMPLEX_QUAD)

pm_repeated_range *const pm_repeated_float_avx512[PM_DENSE_KINDS] = {real, complex_range, quad,
                                                                     complex_quad};
#endif
