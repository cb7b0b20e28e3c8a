/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/chooser.h: the planner: which algorithm counts a block. */
#ifndef PM_CHOOSER_H
#define PM_CHOOSER_H

#include "algorithm/algorithm.h"

/* name: of the algorithm to plan, or NULL: the one with the lowest price.  independent: the second
 * best instead, where it is another algorithm and not much dearer.  job->rival is set here.
 * plan: freed by its algorithm's free_plan.
 * Fails: PM_UNABLE when none can, with the reason of the one that would have been preferred. */
pm_status pm_choose_plan(const pm_job *job, const char *name, bool independent, pm_plan *plan,
                         pm_error *err);

#endif
