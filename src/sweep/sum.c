/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/sum.h"

#include <math.h>
#include <string.h>

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

/* Adds x mod prime, 0 <= x mod prime, so that the limbs stay far below 2^128. */
void pm_sum_add_residue(pm_sum *sum, int k, __int128 x, uint64_t prime)
{
    __int128 p = prime, r = x % p;
    uint64_t *limb = &sum->limb[2 * k];
    unsigned __int128 low = (unsigned __int128)limb[0] + (uint64_t)(r < 0 ? r + p : r);
    limb[0] = (uint64_t)low;
    limb[1] += (uint64_t)(low >> 64);
}

uint64_t pm_sum_residue(const pm_sum *sum, int k, int64_t shift, uint64_t prime)
{
    const uint64_t *limb = &sum->limb[2 * k];
    unsigned __int128 total = (unsigned __int128)limb[1] << 64 | limb[0];
    uint64_t r = (uint64_t)(total % prime);
    for (; shift > 0; --shift)
        r = 2 * r % prime;
    for (; shift < 0; ++shift)
        r = (r & 1 ? r + prime : r) / 2;
    return r;
}

/* ---- totals ---- */

void pm_sweep_total_clear(pm_sweep_total *total, int limbs)
{
    memset(total->limb, 0, (size_t)limbs * sizeof *total->limb);
    if (!limbs)
        memset(total->real, 0, sizeof total->real);
    total->failed = false;
}

static void add_limbs(uint64_t *limb, const uint64_t *part, int limbs)
{
    unsigned __int128 carry = 0;
    for (int i = 0; i < limbs; ++i) {
        carry += (unsigned __int128)limb[i] + part[i];
        limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

void pm_sweep_total_add(pm_sweep_total *total, const pm_sum *part, int limbs)
{
    total->failed |= part->failed;
    if (limbs) {
        add_limbs(total->limb, part->limb, limbs);
        return;
    }
    pm_exact_sum_add(&total->real[0], part->re[0]);
    pm_exact_sum_add(&total->real[0], part->re[1]);
    pm_exact_sum_add(&total->real[1], part->im[0]);
    pm_exact_sum_add(&total->real[1], part->im[1]);
    pm_exact_sum_add(&total->real[2], part->absolute);
    pm_exact_sum_add(&total->real[3], part->spread);
}

static double rounded_up(const pm_exact_sum *s)
{
    double x[2];
    pm_exact_sum_round(s, x);
    return x[1] > 0 ? nextafter(x[0], INFINITY) : x[0];
}

void pm_sweep_total_round(const pm_sweep_total *total, int limbs, pm_sum *out)
{
    memset(out, 0, sizeof *out);
    out->failed = total->failed;
    if (limbs) {
        memcpy(out->limb, total->limb, (size_t)limbs * sizeof *out->limb);
        return;
    }
    pm_exact_sum_round(&total->real[0], out->re);
    pm_exact_sum_round(&total->real[1], out->im);
    out->absolute = rounded_up(&total->real[2]);
    out->spread = rounded_up(&total->real[3]);
}
