/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/sampler_registry.h: the table of samplers.  A new sampler is its file with a constant
 * pm_sampler_ID, one line here and one in the man page. */
#ifndef PM_SAMPLER_REGISTRY_H
#define PM_SAMPLER_REGISTRY_H

#include "sampler/sampler.h"

/* In the order in which they are listed. */
#define PM_SAMPLERS(X)                                                                             \
    X(rasmussen)                                                                                   \
    X(rasmussen_plus)                                                                              \
    X(scaling)                                                                                     \
    X(scaling_plus)                                                                                \
    X(look_plus)                                                                                   \
    X(scaling_plus_plus)                                                                           \
    X(hub_plus)                                                                                    \
    X(hub_plus_plus)                                                                               \
    X(beam)                                                                                        \
    X(blossom)                                                                                     \
    X(blossom_plus)                                                                                \
    X(godsil_gutman)                                                                               \
    X(barvinok)

#define PM_DECLARE(id) extern const pm_sampler_method pm_sampler_##id;
PM_SAMPLERS(PM_DECLARE)
#undef PM_DECLARE

/* Method i = 0, 1, ...; NULL after the last one. */
const pm_sampler_method *pm_sampler_method_at(int i);
/* NULL when there is none of this name. */
const pm_sampler_method *pm_sampler_method_find(const char *name);

#endif
