/* SPDX-License-Identifier: GPL-3.0-or-later */
/* approx/methods.h: the entries of the table in approx/registry.c. */
#ifndef PM_METHODS_H
#define PM_METHODS_H

#include "approx/sampler.h"

enum { PM_COMPLETE_MAX = 20 };

/* The batch of samples that take so long each. */
int pm_sampler_batch(double seconds);

/* integer_state.c */
extern const pm_sampler_method pm_method_rasmussen, pm_method_rasmussen_plus, pm_method_look_plus,
    pm_method_hub_plus;
/* scaling.c */
extern const pm_sampler_method pm_method_scaling, pm_method_scaling_plus,
    pm_method_scaling_plus_plus;

#endif
