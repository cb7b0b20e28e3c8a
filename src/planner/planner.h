/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planner/planner.h: the planner, which decides how a block is counted. */
#ifndef PM_PLANNER_H
#define PM_PLANNER_H

#include "algorithm/algorithm.h"

/* The plan for one block.
 * job: all members but rival, which is set here.
 * name: of an algorithm in the registry; NULL: the one with the cheapest plan.
 * independent: for a verification.  Without a name, the second cheapest plan is taken unless it is
 * much more expensive.
 * plan: set on success; the caller frees it with pm_plan_free.
 * barred: of the plans that take too much memory, but at most run->max_cost seconds, the refusal of the
 * one that needs the least memory, with its seconds; predicted_seconds is 0 when there is none.
 * Fails: PM_UNABLE no algorithm can count the block within the memory, with the reason of one of
 * them; PM_ENODEV a GPU was demanded and cannot be used; PM_ENOMEM; PM_ESTOPPED. */
pm_status pm_plan_find(const pm_job *job, const char *name, bool independent, pm_plan *plan,
                       pm_error *barred, pm_error *err);

/* A plan for the CPU that takes at most `limit` seconds and is made in less than a microsecond
 * (PM_STAGE_AT_ONCE).  The moduli and the memory of the job are not read.
 * plan: set when it returns true; the caller frees it. */
bool pm_plan_at_once(const pm_job *job, double limit, pm_plan *plan);

#endif
