/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planner/registry.h"

#include <string.h>

#include "pm/algorithms.h"

#define ENTRY(id) &pm_algorithm_##id,
static const pm_algorithm *const algorithms[] = {PM_ALGORITHMS(ENTRY) NULL};

const pm_algorithm *pm_algorithm_at(int i)
{
    return i >= 0 && i < PM_NALGORITHMS ? algorithms[i] : NULL;
}

const pm_algorithm *pm_algorithm_find(const char *name, bool general, pm_backend backend)
{
    for (int i = 0; i < PM_NALGORITHMS; ++i)
        if (algorithms[i]->general == general && strcmp(algorithms[i]->name, name) == 0
            && (backend == PM_BACKEND_AUTO || backend == algorithms[i]->backend))
            return algorithms[i];
    return NULL;
}

bool pm_algorithm_is_on(const char *name, pm_backend backend)
{
    return pm_algorithm_find(name, false, backend) || pm_algorithm_find(name, true, backend);
}

pm_backend pm_algorithm_backend(int i)
{
    return algorithms[i]->backend;
}

bool pm_algorithm_is_only_general(const char *name)
{
    return !pm_algorithm_find(name, false, PM_BACKEND_AUTO);
}

bool pm_algorithm_is_general(int i)
{
    return algorithms[i]->general;
}

const char *pm_algorithm_name(int i)
{
    const pm_algorithm *a = pm_algorithm_at(i);
    return a ? a->name : NULL;
}

const char *pm_algorithm_summary(int i)
{
    const pm_algorithm *a = pm_algorithm_at(i);
    return a ? a->summary : NULL;
}
