/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p(i) = sum of value[k] N / ((i - x_k) D_k), N = product of all i - x_j, D_k = product of x_k - x_j over all other j. */
#include "config.h"

#include "integers/point_values.h"

int64_t pm_point(int64_t k, bool independent)
{
    k += independent;
    return k % 2 ? (k + 1) / 2 : -(k / 2);
}

/* x = re + i im, integers. */
static void set(pm_fraction *x, int64_t re, int64_t im)
{
    mpq_set_si(x->re, re, 1);
    mpq_set_si(x->im, im, 1);
}

static void other_differences(int64_t k, int64_t count, bool independent, mpz_t out)
{
    const int64_t x = pm_point(k, independent);
    mpz_set_ui(out, 1);
    for (int64_t j = 0; j < count; ++j)
        if (j != k)
            mpz_mul_si(out, out, x - pm_point(j, independent));
}

void pm_point_values_at_i(const mpq_t *value, int64_t count, bool independent, pm_fraction *out)
{
    pm_fraction all, term;
    mpz_t below;
    mpz_init(below);
    pm_fraction_init_one(&all);
    pm_fraction_init(&term);
    for (int64_t j = 0; j < count; ++j) {
        set(&term, -pm_point(j, independent), 1);
        pm_fraction_mul(&all, &term);
    }
    pm_fraction_set_si(out, 0);
    for (int64_t k = 0; k < count; ++k) {
        const int64_t x = pm_point(k, independent);
        other_differences(k, count, independent, below);
        mpz_mul_si(below, below, 1 + x * x);
        set(&term, -x, -1); /* 1 / (i - x) is this divided by 1 + x^2 */
        pm_fraction_mul(&term, &all);
        pm_fraction_div_z(&term, below);
        mpq_mul(term.re, term.re, value[k]);
        mpq_mul(term.im, term.im, value[k]);
        pm_fraction_add(out, &term);
    }
    mpz_clear(below);
    pm_fraction_clear(&all);
    pm_fraction_clear(&term);
}
