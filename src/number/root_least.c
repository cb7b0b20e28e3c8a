/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The smallest order of a sum of roots of unity: that of the smallest field Q(z) that it is in.
 *
 * Let p be a prime and n = p m.  If p divides m, the powers of root(n) below p times those of root(m) are a basis, so a sum in
 * the normal form is in Q(root(m)) only if p divides all powers.  Otherwise root(n)^k is root(p)^j times a power of root(m), and
 * the sum is a_0 + a_1 root(p) + .. + a_(p-1) root(p)^(p-1) with a_j in Q(root(m)).  The only relation of these powers is that all of
 * them add to 0, so the sum is in Q(root(m)) only if a_1 = .. = a_(p-1), and it is a_0 - a_1 then.  The same holds modulo a number. */
#include "config.h"

#include "number/root_sum.h"

static bool is_prime(int32_t p)
{
    for (int32_t d = 2; d * d <= p; ++d)
        if (p % d == 0)
            return false;
    return p > 1;
}

/* The inverse of a modulo n; 0 for n = 1. */
static int32_t inverse(int32_t a, int32_t n)
{
    int32_t x = 0;
    while ((int64_t)a * x % n != 1 % n)
        ++x;
    return x;
}

static void to_residues(mpq_t *c, int32_t count, uint64_t modulus)
{
    for (int32_t k = 0; modulus && k < count; ++k)
        mpz_fdiv_r_ui(mpq_numref(c[k]), mpq_numref(c[k]), modulus);
}

/* p^2 divides the order. */
static bool divide_powers(pm_root_sum *x, int32_t p)
{
    for (int32_t k = 0; k < x->count; ++k)
        if (x->power[k] % p)
            return false;
    for (int32_t k = 0; k < x->count; ++k)
        x->power[k] /= p;
    x->order /= p;
    return true;
}

static bool are_equal(const mpq_t *a, const mpq_t *b, int32_t count)
{
    bool are = true;
    for (int32_t k = 0; k < count && are; ++k)
        are = mpq_equal(a[k], b[k]);
    return are;
}

/* p divides the order once. */
static bool leave_out(pm_root_sum *x, int32_t p, uint64_t modulus)
{
    const int32_t n = x->order, m = n / p, u = inverse(m % p, p), v = inverse(p % m, m);
    mpq_t *a = pm_root_rationals_new(n); /* a_j is a[j * m] .. */
    bool is = true;
    for (int32_t k = 0; k < x->count; ++k) {
        const int64_t j = (int64_t)u * x->power[k] % p, at = (int64_t)v * x->power[k] % m;
        mpq_set(a[j * m + at], x->c[k]);
    }
    for (int32_t j = 0; j < p; ++j) {
        pm_root_reduce(m, a + j * m);
        to_residues(a + j * m, m, modulus);
        is = is && (j < 2 || are_equal(a + j * m, a + m, m));
    }
    for (int32_t k = 0; is && k < m; ++k)
        mpq_sub(a[k], a[k], a[m + k]);
    if (is) {
        to_residues(a, m, modulus);
        pm_root_sum_set_powers(x, m, a);
    }
    pm_root_rationals_free(a, n);
    return is;
}

void pm_root_sum_shorten(pm_root_sum *x, uint64_t modulus)
{
    int32_t p = 2;
    while (p <= x->order) {
        const bool divides = x->order % p == 0 && is_prime(p);
        if (divides && (x->order / p % p ? leave_out(x, p, modulus) : divide_powers(x, p)))
            p = 2;
        else
            ++p;
    }
}
