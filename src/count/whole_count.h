/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/whole_count.h: small matrices that are counted as they are, because reducing them takes
 * more time than counting them. */
#ifndef PM_WHOLE_COUNT_H
#define PM_WHOLE_COUNT_H

#include "pm/count.h"

/* Counts the matrix as one block, if it is square and its reductions would take more than a tenth of
 * that count; a graph on one set of vertices if they would take as long and each vertex has three neighbours, so that rules remove none.
 * opt: .algorithm is not "auto".
 * out: initialised; set on success.
 * report: NULL, or set on success; the caller frees it.
 * Fails: PM_UNABLE, without a message, when the matrix is to be reduced and planned: it is large, the
 * options ask for a method or a limit, or the answer has lost too many digits (it may be 0, which the
 * reductions find out); PM_ENOMEM. */
pm_status pm_count_whole(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                         pm_value *out, pm_count_report *report, pm_error *err);

#endif
