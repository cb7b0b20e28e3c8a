/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/whole_count.h: small matrices that are counted as they are, because reducing them takes
 * more time than counting them. */
#ifndef PM_WHOLE_COUNT_H
#define PM_WHOLE_COUNT_H

#include "pm/count.h"

/* Counts the matrix as one block, if it is square and its reductions would take more than a tenth of
 * that count.
 * opt: .algorithm is not "auto".
 * out: initialised; set when it returns true.
 * report: NULL, or set when it returns true; the caller frees it.
 * Returns false when the matrix is to be reduced and planned: it is large, the options ask for a
 * method or a limit, the answer has lost too many digits (it may be 0, which the reductions find
 * out), or memory ended. */
bool pm_count_whole(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                    pm_value *out, pm_count_report *report);

#endif
