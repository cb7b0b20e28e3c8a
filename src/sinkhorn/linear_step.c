/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/linear_step.h"

/* 1 + d, continued below d = -1/2 so that it stays positive; it has a continuous derivative. */
static inline double growth(double d)
{
    return d > -0.5 ? 1 + d : -0.25 / d;
}

/* x (1 + d), or where that changes x by more than half of its distance to 0 or 1, less. */
static inline double changed(double x, double d)
{
    const double rest = 1 - x;
    if (d <= 0)
        return x * growth(d);
    if (x * d <= rest / 2)
        return x * (1 + d);
    return rest > 0 ? 1 - rest * growth(-d * x / rest) : x;
}

void pm_linear_step(pm_csr *x, const double *u, const double *w, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < x->nrows; ++i)
        for (int64_t k = x->rowptr[i]; k < x->rowptr[i + 1]; ++k) {
            const double d = u[i] - w[x->colind[k]];
            if (x->narrow)
                x->narrow[k] = (float)changed(x->narrow[k], d);
            else
                x->value[k] = changed(x->value[k], d);
        }
}
