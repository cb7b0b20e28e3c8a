/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/count_exact.h: real and complex matrices without rounding, as integers. */
#ifndef PM_COUNT_EXACT_H
#define PM_COUNT_EXACT_H

#include "pm/count.h"

/* Whether the options ask for this, and something is not an integer. */
bool pm_count_is_exact(const pm_matrix *a, const pm_count_options *opt);
/* *out: a fraction, exact.  Fails: as pm_count. */
pm_status pm_count_exact(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                         pm_value *out, pm_count_report *report, pm_error *err);

#endif
