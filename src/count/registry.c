/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "count/algorithm.h"

const pm_algorithm *const pm_algorithms[] = {
    &pm_algorithm_frontier,
    &pm_algorithm_frontier_rank,
    &pm_algorithm_frontier_hash,
    &pm_algorithm_planar,
    &pm_algorithm_rook,
    &pm_algorithm_product_tree,
    &pm_algorithm_ryser,
    &pm_algorithm_skipper,
    &pm_algorithm_sparyser,
    &pm_algorithm_enumerate,
    &pm_algorithm_frontier_gpu,
    &pm_algorithm_product_tree_gpu,
    &pm_algorithm_ryser_gpu,
    &pm_algorithm_skipper_gpu,
    &pm_algorithm_sparyser_gpu,
    &pm_algorithm_codegen,
    &pm_algorithm_hybrid,
    NULL,
};

enum { ALGORITHMS = sizeof pm_algorithms / sizeof *pm_algorithms - 1 };

const pm_algorithm *pm_algorithm_find(const char *name, pm_backend backend)
{
    for (int i = 0; i < ALGORITHMS; ++i)
        if (!strcmp(pm_algorithms[i]->name, name)
            && (backend == PM_BACKEND_AUTO || backend == pm_algorithms[i]->backend))
            return pm_algorithms[i];
    return NULL;
}

const char *pm_backend_name(pm_backend b)
{
    static const char *const names[] = {"cpu", "cuda", "auto"};
    return names[b];
}

bool pm_algorithm_is_on(const char *name, pm_backend backend)
{
    return pm_algorithm_find(name, backend) != NULL;
}

pm_backend pm_algorithm_backend(int i)
{
    return pm_algorithms[i]->backend;
}

const char *pm_algorithm_name(int i)
{
    return i >= 0 && i < ALGORITHMS ? pm_algorithms[i]->name : NULL;
}

const char *pm_algorithm_summary(int i)
{
    return i >= 0 && i < ALGORITHMS ? pm_algorithms[i]->summary : NULL;
}

void pm_plan_free(pm_plan *plan)
{
    if (plan->algorithm && plan->algorithm->free_plan)
        plan->algorithm->free_plan(plan);
    else
        free(plan->state);
    *plan = (pm_plan){0};
}

#define WORTH_WAKING      1e-3 /* seconds: threads are not woken for less */
#define SHARE_OF_A_THREAD 0.9

double pm_plan_elapsed(const pm_plan *plan, const pm_run *run)
{
    if (plan->is_serial || plan->seconds < WORTH_WAKING)
        return plan->seconds;
    return plan->seconds / (1 + SHARE_OF_A_THREAD * (pm_run_threads(run) - 1));
}
