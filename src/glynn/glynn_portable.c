/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of glynn_kernel.h for any processor. */
#include "config.h"

#include <stdbool.h>

#define PM_LANES 2
#include "glynn/glynn_body.h"

PM_GLYNN_KERNELS(pm_glynn_portable);
