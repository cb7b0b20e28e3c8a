/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "degree/hub_bound.h"

#include "sampler/weight.h"

void pm_hub_gamma(double *gamma, int32_t most)
{
    const double e = 2.718281828459045;
    double g = e;
    gamma[0] = 0;
    for (int32_t c = 1; c <= most; ++c) {
        gamma[c] = g / e;
        g += 1 + 0.5 / g + 0.6 / (g * g);
    }
}

/* With T(c) = (1 + eps_c) 2^31 / gamma(c - 1), |eps_c| <= eps, the quotient (sum of T) / T exceeds
 * its value without rounding by a factor of at most (1 + eps) / (1 - eps).  The last factor, 1 +
 * 2^-34, is for the rounding errors of gamma and of products of doubles. */
double pm_hub_table(const double *gamma, int32_t most, uint32_t *table)
{
    double worst = 0;
    for (int32_t c = 0; c <= most; ++c)
        table[c] = 0;
    for (int32_t c = 2; c <= most; ++c) {
        double exact = 0x1p31 / gamma[c - 1];
        table[c] = (uint32_t)round(exact);
        worst = fmax(worst, fabs(table[c] / exact - 1));
    }
    return (1 + worst) / (1 - worst) * (1 + 0x1p-34);
}

pm_weight pm_hub_bound(const pm_neighbours *l, const double *gamma, double slack)
{
    pm_weight bound = pm_weight_make(1, 0);
    for (int32_t j = 0; j < l->n; ++j) {
        double factor = gamma[l->colptr[j + 1] - l->colptr[j]] * slack;
        bound = pm_weight_product(bound, pm_weight_make(factor, 0));
    }
    return bound;
}

pm_weight pm_hub_choose_side(pm_neighbours *l, const double *gamma, double slack,
                             bool *is_transposed)
{
    pm_weight of_columns = pm_hub_bound(l, gamma, slack);
    pm_neighbours_transpose(l);
    pm_weight of_rows = pm_hub_bound(l, gamma, slack);
    *is_transposed = pm_weight_compare(of_rows, of_columns) < 0;
    if (!*is_transposed)
        pm_neighbours_transpose(l);
    return *is_transposed ? of_rows : of_columns;
}
