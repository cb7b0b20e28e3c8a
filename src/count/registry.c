/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/registry.h"

#include <string.h>

#include "pm/count.h"

const pm_algorithm *const pm_algorithms[] = {
    &pm_algorithm_frontier,  &pm_algorithm_frontier_rank, &pm_algorithm_frontier_hash,
    &pm_algorithm_planar,    &pm_algorithm_rook,          &pm_algorithm_product_tree,
    &pm_algorithm_ryser,     &pm_algorithm_skipper,       &pm_algorithm_sparyser,
    &pm_algorithm_enumerate, &pm_algorithm_frontier_gpu,  &pm_algorithm_product_tree_gpu,
    &pm_algorithm_ryser_gpu, &pm_algorithm_skipper_gpu,   &pm_algorithm_sparyser_gpu,
    &pm_algorithm_codegen,   &pm_algorithm_hybrid,        NULL,
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
