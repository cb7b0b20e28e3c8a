/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/dyadic_roots.h"

static struct pm_root_sum *new_sum(void)
{
    void *(*gmp_alloc)(size_t);
    mp_get_memory_functions(&gmp_alloc, NULL, NULL);
    struct pm_root_sum *r = gmp_alloc(sizeof *r);
    pm_root_sum_init(r);
    return r;
}

void pm_dyadic_roots_free(pm_dyadic *x)
{
    void (*gmp_free)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &gmp_free);
    pm_root_sum_clear(x->m.roots);
    gmp_free(x->m.roots, sizeof *x->m.roots);
}

void pm_dyadic_roots_copy(pm_dyadic *x, const pm_dyadic *a)
{
    x->m.roots = new_sum();
    pm_root_sum_set(x->m.roots, a->m.roots);
}

void pm_dyadic_set_roots(pm_dyadic *x, const pm_root_sum *r)
{
    if (pm_root_sum_is_rational(r)) {
        mpq_t q;
        mpq_init(q);
        pm_root_sum_get_rational(q, r);
        pm_dyadic_set_mpq_2exp(x, q, 0);
        mpq_clear(q);
        return;
    }
    struct pm_root_sum *own = new_sum();
    pm_root_sum_set(own, r);
    pm_dyadic_clear(x);
    *x = (pm_dyadic){.m.roots = own, .kind = PM_DYADIC_ROOTS};
}

void pm_dyadic_get_roots(pm_root_sum *r, const pm_dyadic *a)
{
    int64_t e;
    mpq_t q;
    if (a->kind == PM_DYADIC_ROOTS) {
        pm_root_sum_set(r, a->m.roots);
        return;
    }
    mpq_init(q);
    pm_dyadic_get_mpq_2exp(q, &e, a);
    if (e >= 0)
        mpq_mul_2exp(q, q, (mp_bitcnt_t)e);
    else
        mpq_div_2exp(q, q, (mp_bitcnt_t)-e);
    if (mpq_sgn(q))
        pm_root_sum_set_power(r, q, 1, 0);
    else
        pm_root_sum_clear(r);
    mpq_clear(q);
}

static bool combine(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b,
                    bool (*how)(pm_root_sum *, const pm_root_sum *))
{
    pm_root_sum r, s;
    pm_root_sum_init(&r);
    pm_root_sum_init(&s);
    pm_dyadic_get_roots(&r, a);
    pm_dyadic_get_roots(&s, b);
    const bool is_done = how(&r, &s);
    if (is_done)
        pm_dyadic_set_roots(x, &r);
    pm_root_sum_clear(&r);
    pm_root_sum_clear(&s);
    return is_done;
}

bool pm_dyadic_roots_add(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b)
{
    return combine(x, a, b, pm_root_sum_add);
}

bool pm_dyadic_roots_mul(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b)
{
    return combine(x, a, b, pm_root_sum_mul);
}

void pm_dyadic_conjugate(pm_dyadic *x)
{
    if (x->kind == PM_DYADIC_ROOTS)
        pm_root_sum_conjugate(x->m.roots);
}

bool pm_dyadic_is_real(const pm_dyadic *x)
{
    pm_root_sum other;
    if (x->kind != PM_DYADIC_ROOTS)
        return true;
    pm_root_sum_init(&other);
    pm_root_sum_set(&other, x->m.roots);
    pm_root_sum_conjugate(&other);
    const bool is = pm_root_sum_equal(&other, x->m.roots);
    pm_root_sum_clear(&other);
    return is;
}

static bool is_prime_to(const mpz_t z, uint64_t modulus)
{
    return mpz_gcd_ui(NULL, z, modulus) == 1;
}

bool pm_dyadic_has_residue(const pm_dyadic *x, uint64_t modulus)
{
    bool has = true;
    if (x->kind == PM_DYADIC_FRACTION)
        has = is_prime_to(mpq_denref(x->m.fraction), modulus);
    for (int32_t k = 0; x->kind == PM_DYADIC_ROOTS && has && k < x->m.roots->count; ++k)
        has = is_prime_to(mpq_denref(x->m.roots->c[k]), modulus);
    return has && (x->exp >= 0 || modulus % 2 != 0);
}
