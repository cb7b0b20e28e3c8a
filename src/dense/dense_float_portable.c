/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of dense_float.h for any machine. */
#include "config.h"

#define PM_LANES 2
#include "dense/dense_float_body.h"

PM_DENSE_RANGE(real, PM_DENSE_REAL)
PM_DENSE_RANGE(complex_range, PM_DENSE_COMPLEX)
PM_DENSE_RANGE(quad, PM_DENSE_QUAD)
PM_DENSE_RANGE(complex_quad, PM_DENSE_COMPLEX_QUAD)

pm_dense_range *const pm_dense_float_portable[PM_DENSE_KINDS] = {real, complex_range, quad,
                                                                 complex_quad};
