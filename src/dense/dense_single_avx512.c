/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of dense_float.h in single precision for AVX-512. */
#include "config.h"

#include "core/isa.h"

#if PM_HAVE_X86
#define PM_LANES 8
#define PM_IN_SINGLE
#include "dense/dense_float_body.h"

PM_DENSE_RANGE(real, PM_DENSE_SINGLE)
PM_DENSE_RANGE(complex_range, PM_DENSE_COMPLEX_SINGLE)

pm_dense_range *const pm_dense_single_avx512[PM_DENSE_SINGLE_KINDS] = {real, complex_range};
#endif
