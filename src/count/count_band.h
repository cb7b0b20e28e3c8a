/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/count_band.h: counts of long band matrices whose rows repeat, before anything else is done with them. */
#ifndef PM_COUNT_BAND_H
#define PM_COUNT_BAND_H

#include "pm/count.h"

/* pm_count by the transfer matrix of the parts that repeat (layers/band_layers.h), where this is quick beside what the
 * reductions of so large a matrix take.
 * Fails: PM_UNABLE it is no such matrix, or options or limits do not permit this: count in the usual way; as pm_count. */
pm_status pm_count_band(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                        pm_value *out, pm_count_report *report, pm_error *err);

#endif
