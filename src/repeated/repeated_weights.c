/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "repeated/repeated_weights.h"

#include <gmp.h>
#include <math.h>

#include "number/dd.h"
#include "number/prime.h"

/* C(c,k) is below 2^53 for c up to this. */
enum { SMALL_TIMES = 55 };

/* high + low = C(c,k), at most 106 bits of it. */
static void set_binomial(int32_t c, int32_t k, double *high, double *low)
{
    mpz_t z, h;
    mpz_init(z);
    mpz_init(h);
    mpz_bin_uiui(z, (unsigned long)c, (unsigned long)k);
    double top = mpz_get_d(z);
    mpz_set_d(h, top);
    mpz_sub(z, z, h);
    pm_two_sum(top, mpz_get_d(z), high, low);
    mpz_clear(z);
    mpz_clear(h);
}

void pm_repeated_weights(const pm_repeated_digit *g, double (*out)[2])
{
    int64_t small = 1;
    for (int32_t k = 0; k < g->radix; ++k) {
        out[k][0] = (double)small;
        out[k][1] = 0;
        if (g->times <= SMALL_TIMES)
            small = small * (g->times - k) / (k + 1); /* C(c,k+1) (k + 1) is below 2^59 */
        else
            set_binomial(g->times, k, &out[k][0], &out[k][1]);
        double factor = ldexp(1, -g->times);
        for (int i = 0; i < 2; ++i)
            out[k][i] *= k % 2 ? -factor : factor;
    }
}

/* C(c,k+1) = C(c,k) (c - k) / (k + 1). */
void pm_repeated_weights_modulo(const pm_repeated_digit *g, uint64_t prime, uint64_t *out)
{
    uint64_t binomial = 1;
    for (int64_t k = 0; k < g->radix; ++k) {
        out[k] = k % 2 && binomial ? prime - binomial : binomial;
        binomial = pm_mod_mul(binomial, (uint64_t)(g->times - k), prime);
        binomial = pm_mod_mul(binomial, pm_mod_inverse((uint64_t)k + 1, prime), prime);
    }
}

bool pm_repeated_weights_are_exact(const pm_repeated_digits *d)
{
    double bits = 0;
    for (int32_t j = 0; j < d->count; ++j) {
        double n = d->digit[j].times, half = floor(n / 2);
        bits += (lgamma(n + 1) - lgamma(half + 1) - lgamma(n - half + 1)) / log(2);
    }
    return bits < 52;
}
