/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/count_period.h: counts of periodic graphs. */
#ifndef PM_COUNT_PERIOD_H
#define PM_COUNT_PERIOD_H

#include "pm/count.h"

/* pm_count with opt->period.  Counts with the transfer matrix of a part (src/layers), or writes the parts out
 * where that is shorter or the first is not possible. */
pm_status pm_count_period(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                          pm_value *out, pm_count_report *report, pm_error *err);

#endif
