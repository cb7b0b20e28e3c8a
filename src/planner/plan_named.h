/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planner/plan_named.h: the plan of an algorithm that is named, on the cheaper of its backends. */
#ifndef PM_PLAN_NAMED_H
#define PM_PLAN_NAMED_H

#include "planner/candidates.h"

/* c: only its job is read.  Fails: as pm_plan_find. */
pm_status pm_plan_named(const pm_candidates *c, const char *name, pm_plan *plan, pm_error *err);
/* Predicted seconds of making this plan. */
double pm_plan_named_planning(const pm_plan *p);

#endif
