/* SPDX-License-Identifier: GPL-3.0-or-later */
/* approx/methods.h: the entries of the table in approx/samplers.c; that of beam is in its
 * own header. */
#ifndef PM_METHODS_H
#define PM_METHODS_H

#include "approx/beam.h"
#include "approx/sampler.h"

enum { PM_COMPLETE_MAX = 20 };

/* The batch of samples that take so long each. */
int pm_sampler_batch(double seconds);

/* hub_deep.c */
extern const pm_sampler_method pm_sampler_hub_plus_plus;
/* integer_state.c */
extern const pm_sampler_method pm_sampler_rasmussen, pm_sampler_rasmussen_plus,
    pm_sampler_look_plus, pm_sampler_hub_plus;
/* scaling.c */
extern const pm_sampler_method pm_sampler_scaling, pm_sampler_scaling_plus,
    pm_sampler_scaling_plus_plus;

#endif
