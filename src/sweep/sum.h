/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/sum.h: partial sums of the Ryser family. */
#ifndef PM_SWEEP_SUM_H
#define PM_SWEEP_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "number/dd.h"
#include "number/exact_sum.h"

/* 64 row sums below 2^62 and 2^64 terms: 64 * 62 + 64 bits and a sign. */
enum { PM_SUM_LIMBS = 64 };

typedef struct {
    uint64_t limb[PM_SUM_LIMBS]; /* exact: the sum modulo 2^(64 limbs) in two's complement,
                                  * lowest limb first; pm_sweep has the number of limbs */
    double re[2], im[2];         /* inexact: double-doubles */
    double absolute;             /* sum of |terms| as computed; complex: of |re| + |im| or more */
    double spread;               /* the effect of rounded entries, see sweep/sweep.h */
    bool failed;                 /* memory ended: the sum is not valid */
} pm_sum;

/* sum += (-1)^minus * factor[0] ... factor[count-1], count >= 1, modulo 2^(64 limbs). */
void pm_sum_add_product(pm_sum *sum, int limbs, const int64_t *factor, int count, int minus);

/* Sums modulo several primes: the sum for prime k is in the limbs 2k and 2k + 1, not reduced. */

/* Adds x, |x| < 2^100, to the sum for prime k. */
void pm_sum_add_residue(pm_sum *sum, int k, __int128 x, uint64_t prime);
/* 2^shift * (the sum for prime k) modulo the prime. */
uint64_t pm_sum_residue(const pm_sum *sum, int k, int64_t shift, uint64_t prime);

/* The sum of disjoint ranges, without rounding, as a task of a ledger keeps it (ledger/ledger.h). */
enum { PM_TOTAL_REALS = 4 }; /* re, im, absolute, spread; integers have none of them */
typedef struct {
    uint64_t limb[PM_SUM_LIMBS];
    pm_exact_sum real[PM_TOTAL_REALS];
    bool failed;
} pm_sweep_total;

/* {0}, as far as sums of so many limbs use it; limbs = 0: inexact. */
void pm_sweep_total_clear(pm_sweep_total *total, int limbs);
/* total += part */
void pm_sweep_total_add(pm_sweep_total *total, const pm_sum *part, int limbs);
/* *out = total, rounded: `absolute` and `spread` up. */
void pm_sweep_total_round(const pm_sweep_total *total, int limbs, pm_sum *out);

/* sum += part, rounded */
static inline void pm_sum_add(pm_sum *sum, const pm_sum *part, int limbs)
{
    unsigned __int128 carry = 0;
    for (int i = 0; i < limbs; ++i) {
        carry += (unsigned __int128)sum->limb[i] + part->limb[i];
        sum->limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
    pm_dd_add(sum->re, part->re);
    pm_dd_add(sum->im, part->im);
    sum->absolute += part->absolute;
    sum->spread += part->spread;
    sum->failed |= part->failed;
}

#endif
