/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/gsl_philox.h: random sequences (core/philox.h) as a generator for GSL's distributions. */
#ifndef PM_GSL_PHILOX_H
#define PM_GSL_PHILOX_H

#include <gsl/gsl_rng.h>

#include "core/philox.h"

/* The state is a pm_random.  Integers have 32 bits; doubles are in [0, 1) with 53 bits. */
extern const gsl_rng_type pm_gsl_philox;

/* A generator without allocated memory.  It reads *r and advances r->position; r must outlive it.
 * */
gsl_rng pm_gsl_random(pm_random *r);

#endif
