/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/linear_entry.h: an entry after a linear step of a scaling (sinkhorn/linear_step.h).  The text is C for the CPU and
 * CUDA C++ for kernels, after a prelude that defines PM_FN, so that both do the same. */
#ifndef PM_LINEAR_ENTRY_H
#define PM_LINEAR_ENTRY_H

#ifndef PM_FN
#define PM_FN static inline
#endif

/* 1 + d, continued below d = -1/2 so that it stays positive; it has a continuous derivative. */
PM_FN double pm_linear_growth(double d)
{
    return d > -0.5 ? 1 + d : -0.25 / d;
}

/* x (1 + d), or where that changes x, 0 < x <= 1, by more than half of its distance to 0 or 1, less. */
PM_FN double pm_linear_entry(double x, double d)
{
    double rest = 1 - x;
    if (d <= 0)
        return x * pm_linear_growth(d);
    if (x * d <= rest / 2)
        return x * (1 + d);
    return rest > 0 ? 1 - rest * pm_linear_growth(-d * x / rest) : x;
}

#endif
