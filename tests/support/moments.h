/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/moments.h: moments of given weights, and numbers that are nearly equal. */
#ifndef PM_TEST_MOMENTS_H
#define PM_TEST_MOMENTS_H

#include <stdint.h>

#include "sampler/moments.h"

/* |a - b| <= relative |b| */
void assert_near(double a, double b, double relative);

/* Without samples; for free(). */
pm_moments *moments(void);
/* Adds samples from .. from + count - 1 as one batch. */
void add_weights(pm_moments *m, uint64_t from, const pm_weight *weight, int64_t count);
/* Adds sample i as one batch. */
void add_weight(pm_moments *m, int i, pm_weight w);

#endif
