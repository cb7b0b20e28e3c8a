/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/log_count.h: the logarithm of the number of perfect matchings of one graph, without samples: blocks that
 * are cheap are counted, for the others the Bethe approximation is taken (bethe_estimate/bethe_estimate.h). */
#ifndef PM_LOG_COUNT_H
#define PM_LOG_COUNT_H

#include "estimate/estimate.h"

typedef struct {
    double log10;  /* -INFINITY: there is no perfect matching */
    bool is_exact; /* all blocks were counted */
} pm_log_count;

/* a: square; entries that are neither negative nor complex.
 * o: exact_seconds, planar_seconds, count, backend and seed are used.
 * Fails: PM_UNABLE, PM_ESTOPPED, PM_ENOMEM, PM_ENODEV, as pm_item_bounds_make_estimate. */
pm_status pm_log_count_make(const pm_matrix *a, const pm_estimate_options *o, const pm_run *run,
                            pm_log_count *out, pm_error *err);

#endif
