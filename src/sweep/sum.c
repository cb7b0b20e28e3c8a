/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/sum.h"

/* product *= f modulo 2^(64 limbs); *used: limbs that may be nonzero. */
static void multiply(uint64_t *product, int *used, int limbs, uint64_t f)
{
    unsigned __int128 carry = 0;
    for (int i = 0; i < *used; ++i) {
        carry += (unsigned __int128)product[i] * f;
        product[i] = (uint64_t)carry;
        carry >>= 64;
    }
    if (carry && *used < limbs)
        product[(*used)++] = (uint64_t)carry;
}

void pm_sum_add_product(pm_sum *sum, int limbs, const int64_t *factor, int count, int minus)
{
    uint64_t product[PM_SUM_LIMBS];
    int used = 1;
    product[0] = 1;
    for (int i = 0; i < count; ++i) {
        if (factor[i] == 0)
            return;
        minus ^= factor[i] < 0;
        multiply(product, &used, limbs,
                 factor[i] < 0 ? 0 - (uint64_t)factor[i] : (uint64_t)factor[i]);
    }
    /* subtracting is adding the complement and 1 */
    uint64_t flip = minus ? UINT64_MAX : 0;
    unsigned __int128 carry = minus ? 1 : 0;
    for (int i = 0; i < limbs; ++i) {
        carry += (unsigned __int128)sum->limb[i] + ((i < used ? product[i] : 0) ^ flip);
        sum->limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
}
