/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/sum_bits.h"

#include <math.h>

/* For t of so many sizes, each STEP times the one before; the best one for equal entries is n to 1.2 n
 * divided by the sum of the row. */
enum { STEPS = 12 };
#define STEP     1.05
#define ROUNDING 0.001

/* log cosh x */
static double log_cosh(double x)
{
    x = fabs(x);
    return x + log1p(exp(-2 * x)) - log(2);
}

/* log2 of the bound of a row. */
static double row_bits(const pm_square *s, int32_t i)
{
    double n = s->n, size = (double)s->bound[i], least = size > 1 ? log(size) : 0;
    double t = size > 0 ? n / size : 0;
    for (int k = 0; k < STEPS && t > 0; ++k, t *= STEP) {
        double sum = log(2);
        for (int32_t e = s->rowptr[i]; e < s->rowptr[i + 1]; ++e)
            sum += log_cosh(t * (double)s->re[s->in_ccs[e]]);
        least = fmin(least, log(n / t) - 1 + sum / n);
    }
    return least / log(2);
}

double pm_square_sum_bits(const pm_square *s, int64_t shift)
{
    double bits = ROUNDING * s->n;
    for (int32_t i = 0; i < s->n; ++i)
        bits += row_bits(s, i);
    return bits - (double)shift;
}
