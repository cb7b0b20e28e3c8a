/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/gsl_philox.h"

static void set(void *state, unsigned long seed)
{
    *(pm_random *)state = (pm_random){.seed = seed};
}

static unsigned long get(void *state)
{
    return (unsigned long)(pm_random_bits(state) >> 32);
}

static double get_double(void *state)
{
    return (double)(pm_random_bits(state) >> 11) * 0x1p-53;
}

const gsl_rng_type pm_gsl_philox = {.name = "philox4x32-10",
                                    .max = 0xffffffffUL,
                                    .min = 0,
                                    .size = sizeof(pm_random),
                                    .set = set,
                                    .get = get,
                                    .get_double = get_double};

gsl_rng pm_gsl_random(pm_random *r)
{
    return (gsl_rng){.type = &pm_gsl_philox, .state = r};
}
