/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One term after another: for small squares, and for large numbers, whose products cost more than
 * the row sums. */
#include "config.h"

#include "dense/dense_exact_range.h"

static void flip(const pm_dense_plan *p, int k, bool loses, int64_t *y)
{
    for (int32_t e = 0; e < p->ntouched[k]; ++e) {
        int32_t i = p->touched[k][e];
        uint64_t step = (uint64_t)p->step[k][i];
        y[i] = (int64_t)(loses ? (uint64_t)y[i] - step : (uint64_t)y[i] + step);
    }
}

void pm_dense_exact_range_terms(const void *problem, uint64_t first, uint64_t end, pm_sum *sum)
{
    const pm_dense_plan *p = problem;
    int64_t y[PM_SQUARE_MAX];
    for (int32_t i = 0; i < p->n; ++i)
        y[i] = p->base[i];
    for (int k = 0; k < p->n - 1; ++k)
        if ((first ^ first >> 1) >> k & 1)
            flip(p, k, true, y);
    for (uint64_t t = first; t < end;) {
        pm_sum_add_product(sum, p->limbs, y, p->n, t & 1);
        if (++t < end) {
            int k = __builtin_ctzll(t);
            flip(p, k, (t ^ t >> 1) >> k & 1, y);
        }
    }
}
