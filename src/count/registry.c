/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "count/algorithm.h"

const pm_algorithm *const pm_algorithms[] = {
    &pm_algorithm_frontier,     &pm_algorithm_frontier_rank, &pm_algorithm_frontier_hash,
    &pm_algorithm_product_tree, &pm_algorithm_ryser,         &pm_algorithm_skipper,
    &pm_algorithm_sparyser,     &pm_algorithm_enumerate,     NULL,
};

enum { ALGORITHMS = sizeof pm_algorithms / sizeof *pm_algorithms - 1 };

const pm_algorithm *pm_algorithm_find(const char *name)
{
    for (int i = 0; i < ALGORITHMS; ++i)
        if (!strcmp(pm_algorithms[i]->name, name))
            return pm_algorithms[i];
    return NULL;
}

const char *pm_algorithm_name(int i)
{
    return i >= 0 && i < ALGORITHMS ? pm_algorithms[i]->name : NULL;
}

const char *pm_algorithm_summary(int i)
{
    return i >= 0 && i < ALGORITHMS ? pm_algorithms[i]->summary : NULL;
}
