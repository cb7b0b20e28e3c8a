/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/sampler_registry.h: the table of samplers. */
#ifndef PM_SAMPLER_REGISTRY_H
#define PM_SAMPLER_REGISTRY_H

#include "sampler/sampler.h"

extern const pm_sampler_method pm_sampler_rasmussen, pm_sampler_rasmussen_plus,
    pm_sampler_look_plus, pm_sampler_hub_plus, pm_sampler_hub_plus_plus, pm_sampler_scaling,
    pm_sampler_scaling_plus, pm_sampler_scaling_plus_plus, pm_sampler_beam;

/* Method i = 0, 1, ...; NULL after the last one. */
const pm_sampler_method *pm_sampler_method_at(int i);
/* NULL when there is no such method. */
const pm_sampler_method *pm_sampler_method_named(const char *name);

#endif
