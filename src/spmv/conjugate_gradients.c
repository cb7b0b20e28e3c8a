/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/conjugate_gradients.h"

double pm_dot(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

static void precondition(const pm_symmetric_system *s, const double *rest, double *z)
{
    for (int64_t i = 0; i < s->n; ++i)
        z[i] = rest[i] / s->diagonal[i];
}

void pm_conjugate_gradients(const pm_symmetric_system *s, double goal, int64_t steps, double *b,
                            double *x)
{
    int64_t n = s->n;
    double *rest = b, *z = s->work, *d = s->work + n, *q = s->work + 2 * n;
    precondition(s, rest, z);
    for (int64_t i = 0; i < n; ++i) {
        x[i] = 0;
        d[i] = z[i];
    }
    double rz = pm_dot(rest, z, n);
    while (steps-- > 0 && pm_dot(rest, rest, n) > goal * goal && !pm_run_stopped(s->run)) {
        s->multiply(s->context, d, q);
        double along = pm_dot(d, q, n), before = rz;
        if (!(along > 0))
            return;
        for (int64_t i = 0; i < n; ++i) {
            x[i] += before / along * d[i];
            rest[i] -= before / along * q[i];
        }
        precondition(s, rest, z);
        rz = pm_dot(rest, z, n);
        for (int64_t i = 0; i < n; ++i)
            d[i] = z[i] + rz / before * d[i];
    }
}
