/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/count_classes.h: counting a matrix whose rows and columns have multiplicities.
 *
 * Where the sum of the algorithm `repeated` is short, also beside the time to plan for the matrix written out, the matrix is
 * counted as it is.  Otherwise the copies are written out, and reductions and all algorithms are tried. */
#ifndef PM_COUNT_CLASSES_H
#define PM_COUNT_CLASSES_H

#include "pm/count.h"

/* pm_count for options with row_times or col_times, which have been checked. */
pm_status pm_count_classes(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                           pm_value *out, pm_count_report *report, pm_error *err);

/* The value of a reduced matrix: its factor times the counts of its blocks (count.c).  report: NULL,
 * or zeroed by the caller, who frees it after a failure too. */
pm_status pm_count_reduced(const pm_reduced *r, pm_field field, const pm_count_options *opt,
                           const pm_run *run, pm_value *out, pm_count_report *report,
                           pm_error *err);

#endif
