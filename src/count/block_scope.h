/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/block_scope.h: where the count of a block is recorded in a ledger. */
#ifndef PM_BLOCK_SCOPE_H
#define PM_BLOCK_SCOPE_H

#include "algorithm/algorithm.h"
#include "pm/count.h"

/* The scope of the block with the settings that its value depends on.  {0}, which records nothing, when
 * the options have no ledger, or the plan takes less time than the ledger asks for
 * (pm_ledger_set_least). */
pm_ledger_scope pm_block_scope(const pm_job *job, const pm_plan *plan, const pm_count_options *opt);
/* The same for a periodic graph that is counted by its transfer matrix; a: its part; seconds: of the plan. */
pm_ledger_scope pm_period_scope(const pm_matrix *a, const pm_count_options *opt, double seconds);
/* The same for a matrix that is counted by the layers that repeat in it. */
pm_ledger_scope pm_layered_scope(const pm_matrix *a, const pm_count_options *opt, double seconds);

#endif
