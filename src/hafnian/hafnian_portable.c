/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of hafnian_kernel.h for any machine. */
#include "config.h"

#include "hafnian/hafnian_body.h"

PM_HAFNIAN_KERNELS(pm_hafnian_portable);
