/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integers/scale_factor.h: the product of the numbers by which lines of a matrix are multiplied. */
#ifndef PM_SCALE_FACTOR_H
#define PM_SCALE_FACTOR_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "number/cnum.h"

/* above / below * 2^exp.  {0} is 1. */
typedef struct {
    pm_cproduct above, below;
    int64_t exp;
    bool is_long; /* it does not fit into memory */
    double bits;
} pm_scale_factor;

/* f *= (above / below * 2^exp)^times; above and below are positive, times >= 0. */
void pm_scale_factor_mul(pm_scale_factor *f, const mpz_t above, const mpz_t below, int64_t exp,
                         int64_t times);
/* out = f, which becomes 1.  Returns false when it is too long; then out is not set. */
bool pm_scale_factor_take(pm_scale_factor *f, mpq_t out);
void pm_scale_factor_free(pm_scale_factor *f);

#endif
