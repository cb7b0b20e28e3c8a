/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated.h: the methods of `repeated` on the CPU, whose sums those on GPUs go on with. */
#ifndef PM_REPEATED_H
#define PM_REPEATED_H

#include "sweep/ryser_driver.h"

extern const pm_sweep_method pm_repeated_exact_method, pm_repeated_inexact_method;

/* The precision of a recorded plan of real and complex numbers.  Fails: PM_UNABLE. */
pm_status pm_repeated_read_precision(const int64_t *number, int count, pm_precision *out,
                                     pm_error *err);

#endif
