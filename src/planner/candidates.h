/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planner/candidates.h: the plans of several algorithms for one block, and what they are compared by. */
#ifndef PM_CANDIDATES_H
#define PM_CANDIDATES_H

#include "algorithm/algorithm.h"
#include "planner/registry.h"

typedef struct {
    pm_job job;
    /* by pm_algorithm_at(i); .algorithm is NULL where there is no plan */
    pm_plan plan[PM_NALGORITHMS];
    double planning; /* predicted seconds of planning so far */
    double sums; /* the least seconds of plans that are not made yet; INFINITY: there are none */
    /* The refusal to report when no algorithm has a plan and none is barred: the one that needs the
     * least memory; where memory is no reason, the first one, or the latest of an algorithm that searches. */
    pm_error refusal;
    bool is_refused;
    double needed;        /* bytes, of that refusal; INFINITY: memory is not its reason */
    double limit;         /* seconds that the run may take; INFINITY: no limit */
    pm_error barred;      /* as in pm_plan_find */
    double barred_needed; /* bytes */
} pm_candidates;

bool pm_plan_is_on_gpu(const pm_plan *p);

/* What plans are compared by: seconds of one core; a second of a GPU counts as many. INFINITY: no plan. */
double pm_candidates_price(const pm_candidates *c, const pm_plan *p);
/* Of the cheapest plan; INFINITY: there is none. */
double pm_candidates_lowest_price(const pm_candidates *c);
/* What planning is compared with: the seconds of the cheapest plan, or of one on a GPU, which is idle while the CPU plans.
 * Where its answer may have no digits, its price. */
double pm_candidates_shortest(const pm_candidates *c);
/* Seconds on one core that a plan of the algorithm must stay below to be the cheapest. */
double pm_candidates_to_beat(const pm_candidates *c, const pm_algorithm *a);
/* pm_job.rival of a search: the shortest plan of the algorithms that do not search on this backend. */
double pm_candidates_rival(const pm_candidates *c, pm_backend backend);
/* Predicted seconds of a search for an order, where the cheapest plan so far takes `rival` seconds. */
double pm_plan_search_seconds(double rival, double most);

/* One plan that fits the memory.  *out: empty on failure.
 * Fails: PM_UNABLE; what the algorithm fails with. */
pm_status pm_plan_make(const pm_algorithm *a, const pm_job *job, pm_plan *out, pm_error *err);
/* The same for algorithm i.  A new plan replaces an earlier one of the same algorithm; a refusal
 * (PM_UNABLE) is kept in c, and leaves that plan as it is. */
pm_status pm_candidates_plan(pm_candidates *c, int i, pm_error *err);

bool pm_candidates_have_gpu(const pm_candidates *c);
void pm_candidates_drop_gpu(pm_candidates *c);

/* Moves the cheapest plan to *plan; independent: the second cheapest one, unless it is much more
 * expensive.  Fails: PM_UNABLE there is no plan, with the refusal of one. */
pm_status pm_candidates_take(pm_candidates *c, bool independent, pm_plan *plan, pm_error *err);
void pm_candidates_free(pm_candidates *c);

#endif
