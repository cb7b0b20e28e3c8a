/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/gsl_philox.h: streams of core/philox.h for the distributions of GSL. */
#ifndef PM_GSL_PHILOX_H
#define PM_GSL_PHILOX_H

#include <gsl/gsl_rng.h>

#include "core/philox.h"

/* 32 bits a number; doubles have 53 and are in [0, 1).  Its state is a pm_random. */
extern const gsl_rng_type pm_gsl_philox;

/* A generator that needs no allocation; it draws from *r and moves it on. */
gsl_rng pm_gsl_random(pm_random *r);

#endif
