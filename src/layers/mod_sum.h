/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/mod_sum.h: sums of products modulo a number below 2^62, with one division at the end. */
#ifndef PM_MOD_SUM_H
#define PM_MOD_SUM_H

#include <stdint.h>

#include "number/prime.h"

typedef struct {
    uint64_t m;
    unsigned __int128 multiple; /* of m: in 2^125 .. 2^126 */
    unsigned __int128 sum;      /* below `multiple` */
} pm_mod_sum;

/* m > 1 */
static inline pm_mod_sum pm_mod_sum_begin(uint64_t m)
{
    const int bits = 64 - __builtin_clzll(m); /* 2^(bits - 1) <= m < 2^bits */
    return (pm_mod_sum){m, (unsigned __int128)m << (126 - bits), 0};
}

/* a, b < m */
static inline void pm_mod_sum_add(pm_mod_sum *s, uint64_t a, uint64_t b)
{
    s->sum += (unsigned __int128)a * b;
    if (s->sum >= s->multiple)
        s->sum -= s->multiple;
}

static inline uint64_t pm_mod_sum_end(const pm_mod_sum *s)
{
    return (uint64_t)(s->sum % s->m);
}

static inline uint64_t pm_mod_add(uint64_t a, uint64_t b, uint64_t m)
{
    return a + b >= m ? a + b - m : a + b;
}

static inline uint64_t pm_mod_negate(uint64_t a, uint64_t m)
{
    return a ? m - a : 0;
}

#endif
