/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/exact_primes.h"

#include <math.h>

#include "number/prime.h"
#include "pm/alloc.h"
#include "pm/settings.h"

pm_status pm_exact_primes(double log2_bound, bool independent, uint64_t **out, int *count,
                          pm_error *err)
{
    double bits = (log2_bound > 0 ? log2_bound : 0) + 2;
    if (bits > 1e8)
        return pm_fail(
            err, PM_UNABLE,
            "refused: the answer may have more than 10^8 bits (30 million digits), up to %.3g%s",
            bits, pm_hint_text(PM_HINT_MODULUS));
    int n = (int)ceil(bits / (PM_PRIME_BITS - independent));
    uint64_t p = PM_MODULUS_MAX >> independent;
    *out = pm_alloc_array(n, sizeof **out);
    if (!*out)
        return pm_fail_memory(err, "primes");
    for (int i = 0; i < n; ++i)
        (*out)[i] = p = pm_prime_below(p);
    *count = n;
    return PM_OK;
}
