/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/moments.h"

#include <math.h>

#include "pm/alloc.h"
#include "support/testing.h"

void assert_near(double a, double b, double relative)
{
    if (!(fabs(a - b) <= relative * fabs(b)))
        fail_msg("%.17g is not %.17g", a, b);
}

pm_moments *moments(void)
{
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    assert_non_null(m);
    pm_moments_clear(m);
    return m;
}

void add_weights(pm_moments *m, uint64_t from, const pm_weight *weight, int64_t count)
{
    pm_batch_sums sums;
    pm_batch_sums_of(from, weight, count, &sums);
    pm_moments_add_batch(m, &sums);
    pm_moments_keep_largest(m, weight, count);
}

void add_weight(pm_moments *m, int i, pm_weight w)
{
    add_weights(m, (uint64_t)i, &w, 1);
}
