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

/* log2 of the bound of a row of a matrix with n rows.  most: of |y_i|; entry: `count` numbers of which it is the
 * sum, with any signs. */
static double row_bits(double n, double most, const double *entry, int32_t count)
{
    double least = most > 1 ? log(most) : 0, t = most > 0 ? n / most : 0;
    for (int k = 0; k < STEPS && t > 0; ++k, t *= STEP) {
        double sum = log(2);
        for (int32_t e = 0; e < count; ++e)
            sum += log_cosh(t * entry[e]);
        least = fmin(least, log(n / t) - 1 + sum / n);
    }
    return least / log(2);
}

double pm_square_sum_bits(const pm_square *s, int64_t shift)
{
    double bits = ROUNDING * s->n, entry[PM_SQUARE_MAX];
    for (int32_t i = 0; i < s->n; ++i) {
        int32_t first = s->rowptr[i], count = s->rowptr[i + 1] - first;
        for (int32_t e = 0; e < count; ++e)
            entry[e] = (double)s->re[s->in_ccs[first + e]];
        bits += row_bits(s->n, (double)s->bound[i], entry, count);
    }
    return bits - (double)shift;
}

/* A factor is its mean and, for each column, half the entry with either sign. */
double pm_terms_sum_bits(const pm_terms *t)
{
    double bits = ROUNDING * t->n + t->flips, entry[PM_SQUARE_MAX + 1];
    for (int32_t i = 0; i < t->n; ++i) {
        int32_t count = 1;
        entry[0] = (double)t->start_re[i];
        for (int32_t k = 0; k < t->flips; ++k)
            for (int32_t e = t->colptr[k]; e < t->colptr[k + 1]; ++e)
                if (t->rowind[e] == i) {
                    entry[count] = (double)t->re[e] / 2;
                    entry[0] -= entry[count++];
                }
        bits += row_bits(t->n, (double)t->bound[i], entry, count);
    }
    return bits;
}

int pm_sum_bits_limbs(double bits)
{
    int limbs = 1 + (int)((fmax(bits, 0) + 2) / 64);
    return limbs < PM_SUM_LIMBS ? limbs : PM_SUM_LIMBS;
}

int pm_terms_any_range_limbs(const pm_terms *t)
{
    int limbs = pm_sum_bits_limbs(pm_terms_sum_bits(t));
    return limbs > t->limbs ? limbs : t->limbs;
}
