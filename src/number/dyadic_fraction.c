/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/dyadic_fraction.h"

#include <assert.h>

static mpq_ptr new_mpq(void)
{
    void *(*gmp_alloc)(size_t);
    mp_get_memory_functions(&gmp_alloc, NULL, NULL);
    mpq_ptr q = gmp_alloc(sizeof *q);
    mpq_init(q);
    return q;
}

void pm_dyadic_fraction_free(pm_dyadic *x)
{
    void (*gmp_free)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &gmp_free);
    mpq_clear(x->m.fraction);
    gmp_free(x->m.fraction, sizeof *x->m.fraction);
}

void pm_dyadic_fraction_copy(pm_dyadic *x, const pm_dyadic *a)
{
    x->m.fraction = new_mpq();
    mpq_set(x->m.fraction, a->m.fraction);
}

int64_t pm_dyadic_fraction_bits(const pm_dyadic *a)
{
    return (int64_t)(mpz_sizeinbase(mpq_numref(a->m.fraction), 2)
                     + mpz_sizeinbase(mpq_denref(a->m.fraction), 2));
}

/* Divides by the powers of two in z, which is not 0; their exponent. */
static int64_t take_twos(mpz_t z)
{
    mp_bitcnt_t twos = mpz_scan1(z, 0);
    mpz_tdiv_q_2exp(z, z, twos);
    return (int64_t)twos;
}

void pm_dyadic_set_mpq_2exp(pm_dyadic *x, const mpq_t q, int64_t e)
{
    mpq_ptr odd = new_mpq();
    mpq_set(odd, q);
    if (mpq_sgn(odd))
        e += take_twos(mpq_numref(odd)) - take_twos(mpq_denref(odd));
    pm_dyadic y = {.m.fraction = odd, .kind = PM_DYADIC_FRACTION};
    pm_dyadic_clear(x);
    if (mpz_cmp_ui(mpq_denref(odd), 1) == 0) {
        pm_dyadic_set_mpz_2exp(x, mpq_numref(odd), mpq_sgn(odd) ? e : 0);
        pm_dyadic_clear(&y);
        return;
    }
    *x = y;
    pm_dyadic_mul_2exp(x, e);
}

void pm_dyadic_get_mpq_2exp(mpq_t q, int64_t *e, const pm_dyadic *a)
{
    assert(pm_dyadic_is_in_range(a));
    if (a->kind == PM_DYADIC_FRACTION) {
        mpq_set(q, a->m.fraction);
        *e = a->exp;
        return;
    }
    mpz_set_ui(mpq_denref(q), 1);
    pm_dyadic_get_mpz_2exp(mpq_numref(q), e, a);
}

void pm_dyadic_fraction_add(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b)
{
    int64_t ea, eb;
    mpq_t p, q;
    mpq_inits(p, q, NULL);
    pm_dyadic_get_mpq_2exp(p, &ea, a);
    pm_dyadic_get_mpq_2exp(q, &eb, b);
    int64_t e = ea < eb ? ea : eb;
    mpq_mul_2exp(p, p, (mp_bitcnt_t)(ea - e));
    mpq_mul_2exp(q, q, (mp_bitcnt_t)(eb - e));
    mpq_add(p, p, q);
    pm_dyadic_set_mpq_2exp(x, p, e);
    mpq_clears(p, q, NULL);
}

void pm_dyadic_fraction_mul(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b)
{
    int64_t ea, eb;
    mpq_t p, q;
    mpq_inits(p, q, NULL);
    pm_dyadic_get_mpq_2exp(p, &ea, a);
    pm_dyadic_get_mpq_2exp(q, &eb, b);
    mpq_mul(p, p, q);
    pm_dyadic_set_mpq_2exp(x, p, ea + eb);
    mpq_clears(p, q, NULL);
}
