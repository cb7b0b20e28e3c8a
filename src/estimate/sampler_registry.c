/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/sampler_registry.h"

#include <string.h>

#define ENTRY(id) &pm_sampler_##id,
static const pm_sampler_method *const methods[] = {PM_SAMPLERS(ENTRY) NULL};
enum { METHODS = sizeof methods / sizeof *methods - 1 };

const pm_sampler_method *pm_sampler_method_at(int i)
{
    return i >= 0 && i < METHODS ? methods[i] : NULL;
}

const pm_sampler_method *pm_sampler_method_find(const char *name)
{
    for (int i = 0; i < METHODS; ++i)
        if (strcmp(methods[i]->name, name) == 0)
            return methods[i];
    return NULL;
}
