/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/count_copies.h: counting a general graph whose vertices have multiplicities.
 *
 * Where the sum of the algorithm `repeated` is short, and shorter than `hafnian` would be for the graph with all copies, the
 * graph is counted as it is.  Otherwise the copies are written out, and reductions and all algorithms are tried. */
#ifndef PM_COUNT_COPIES_H
#define PM_COUNT_COPIES_H

#include "pm/count.h"

/* pm_count for options with `general` and row_times, which have been checked. */
pm_status pm_count_copies(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                          pm_value *out, pm_count_report *report, pm_error *err);

#endif
