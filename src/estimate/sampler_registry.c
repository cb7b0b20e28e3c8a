/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/sampler_registry.h"

#include <string.h>

static const pm_sampler_method *const table[] = {
    &pm_sampler_rasmussen,    &pm_sampler_rasmussen_plus, &pm_sampler_scaling,
    &pm_sampler_scaling_plus, &pm_sampler_look_plus,      &pm_sampler_scaling_plus_plus,
    &pm_sampler_hub_plus,     &pm_sampler_hub_plus_plus,  &pm_sampler_beam,
};
enum { METHODS = sizeof table / sizeof *table };

const pm_sampler_method *pm_sampler_method_at(int i)
{
    return i >= 0 && i < METHODS ? table[i] : NULL;
}

const pm_sampler_method *pm_sampler_method_named(const char *name)
{
    for (int i = 0; i < METHODS; ++i)
        if (!strcmp(table[i]->name, name))
            return table[i];
    return NULL;
}
