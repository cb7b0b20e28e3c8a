/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/methods.h: what the makers of samplers share. */
#ifndef PM_METHODS_H
#define PM_METHODS_H

#include "sampler/sampler.h"

enum { PM_COMPLETE_MAX = 20 };

/* The batch of samples that take so long each. */
int pm_sampler_batch(double seconds);

#endif
