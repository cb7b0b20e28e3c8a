/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/earlier_method.h: a run that goes on from an earlier one keeps its method, or one that shares its work.
 *
 * The residues of a block are the same task for every method and device, and a sum for all methods with one host
 * (sweep/recorded_sweep.h).  Other sums are not.  So a plan that would begin a sum anew gives way to the earlier method,
 * where the options and the machine permit it, or to one that shares its sum, on any device, if that has less left to do
 * than the plan. */
#ifndef PM_EARLIER_METHOD_H
#define PM_EARLIER_METHOD_H

#include "algorithm/algorithm.h"
#include "pm/count.h"

/* As a ledger has it: the name, and ":cuda" for a GPU. */
void pm_method_name(const pm_algorithm *a, char name[PM_LEDGER_METHOD]);
/* Notes the method of the plan.  Fails: PM_ENOMEM. */
pm_status pm_method_record(const pm_job *job, const pm_plan *plan, pm_error *err);

/* The algorithm of the CPU whose tasks are those of this one, which is for GPUs; NULL: none. */
const pm_algorithm *pm_method_on_cpu(const pm_job *job, const pm_algorithm *on_gpu);

/* Replaces *plan, which this run has made, by one of the recorded method.  A note says so when work of the
 * earlier run cannot be used.  Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_method_keep(const pm_job *job, const pm_count_options *opt, pm_plan *plan,
                         pm_error *err);

#endif
