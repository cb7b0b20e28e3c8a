/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of dense_float.h in single precision for any processor. */
#include "config.h"

#define PM_LANES 2
#define PM_IN_SINGLE
#include "dense/dense_float_body.h"

PM_DENSE_RANGE(real, PM_DENSE_SINGLE)
PM_DENSE_RANGE(complex_range, PM_DENSE_COMPLEX_SINGLE)

pm_dense_range *const pm_dense_single_portable[PM_DENSE_SINGLE_KINDS] = {real, complex_range};
