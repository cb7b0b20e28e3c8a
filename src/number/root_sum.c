/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/root_sum.h"

#include <string.h>

#include "pm/fraction.h"

/* ---- memory ---- */

static void *allocate(size_t count, size_t size)
{
    void *(*gmp_alloc)(size_t);
    mp_get_memory_functions(&gmp_alloc, NULL, NULL);
    return count ? gmp_alloc(count * size) : NULL;
}

static void release(void *p, size_t count, size_t size)
{
    void (*gmp_free)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &gmp_free);
    if (p)
        gmp_free(p, count * size);
}

mpq_t *pm_root_rationals_new(int32_t count)
{
    mpq_t *c = allocate((size_t)count, sizeof *c);
    for (int32_t k = 0; k < count; ++k)
        mpq_init(c[k]);
    return c;
}

void pm_root_rationals_free(mpq_t *c, int32_t count)
{
    for (int32_t k = 0; k < count; ++k)
        mpq_clear(c[k]);
    release(c, (size_t)count, sizeof *c);
}

void pm_root_sum_init(pm_root_sum *x)
{
    *x = (pm_root_sum){.order = 1};
}

void pm_root_sum_clear(pm_root_sum *x)
{
    release(x->power, (size_t)x->count, sizeof *x->power);
    pm_root_rationals_free(x->c, x->count);
    pm_root_sum_init(x);
}

/* x = 0 with room for so many terms. */
static void begin(pm_root_sum *x, int32_t order, int32_t count)
{
    pm_root_sum_clear(x);
    *x = (pm_root_sum){.order = order,
                       .count = count,
                       .power = allocate((size_t)count, sizeof *x->power),
                       .c = pm_root_rationals_new(count)};
}

void pm_root_sum_set(pm_root_sum *x, const pm_root_sum *a)
{
    if (x == a)
        return;
    begin(x, a->order, a->count);
    for (int32_t k = 0; k < a->count; ++k) {
        x->power[k] = a->power[k];
        mpq_set(x->c[k], a->c[k]);
    }
}

/* ---- orders ---- */

int64_t pm_root_gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

int32_t pm_root_phi(int32_t n)
{
    int32_t count = 0;
    for (int32_t k = 1; k <= n; ++k)
        count += pm_root_gcd(k, n) == 1;
    return count;
}

/* The Moebius function. */
static int moebius(int32_t n)
{
    int sign = 1;
    for (int32_t p = 2; n > 1; ++p) {
        if (n % p)
            continue;
        n /= p;
        if (n % p == 0)
            return 0;
        sign = -sign;
    }
    return sign;
}

/* The product of (x^d - 1)^moebius(n / d) over the divisors d of n, as power series up to the degree phi(n). */
void pm_root_polynomial(int32_t n, int64_t *poly)
{
    const int32_t degree = pm_root_phi(n);
    memset(poly, 0, ((size_t)degree + 1) * sizeof *poly);
    poly[0] = 1;
    for (int32_t d = 1; d <= n; ++d) {
        const int way = n % d ? 0 : moebius(n / d);
        for (int32_t i = degree; way > 0 && i >= 0; --i)
            poly[i] = (i >= d ? poly[i - d] : 0) - poly[i];
        for (int32_t i = 0; way < 0 && i <= degree; ++i)
            poly[i] = (i >= d ? poly[i - d] : 0) - poly[i];
    }
}

/* ---- normal form ---- */

void pm_root_reduce(int32_t order, mpq_t *c)
{
    const int32_t degree = pm_root_phi(order);
    int64_t *poly = allocate((size_t)degree + 1, sizeof *poly);
    mpq_t t, q;
    mpq_inits(t, q, NULL);
    pm_root_polynomial(order, poly);
    for (int32_t k = order - 1; k >= degree; --k) {
        if (mpq_sgn(c[k]) == 0)
            continue;
        mpq_set(t, c[k]);
        for (int32_t j = 0; j <= degree; ++j) {
            if (!poly[j])
                continue;
            mpq_set_si(q, poly[j], 1);
            mpq_mul(q, q, t);
            mpq_sub(c[k - degree + j], c[k - degree + j], q);
        }
    }
    mpq_clears(t, q, NULL);
    release(poly, (size_t)degree + 1, sizeof *poly);
}

/* The polynomial of an order that q^2 divides is that of order / q with x^q in place of x: where q divides all powers,
 * the order becomes order / q. */
static void lower_order(pm_root_sum *x)
{
    if (pm_root_sum_is_rational(x))
        x->order = 1;
    for (int32_t q = 2; q * q <= x->order; ++q) {
        int64_t common = q;
        for (int32_t k = 0; k < x->count; ++k)
            common = pm_root_gcd(common, x->power[k]);
        if (x->order % (q * q) || common != q)
            continue;
        x->order /= q;
        for (int32_t k = 0; k < x->count; ++k)
            x->power[k] /= q;
        --q;
    }
}

void pm_root_sum_set_powers(pm_root_sum *x, int32_t order, mpq_t *c)
{
    int32_t count = 0;
    pm_root_reduce(order, c);
    for (int32_t k = 0; k < order; ++k)
        count += mpq_sgn(c[k]) != 0;
    begin(x, order, count);
    count = 0;
    for (int32_t k = 0; k < order; ++k) {
        if (mpq_sgn(c[k]) == 0)
            continue;
        x->power[count] = k;
        mpq_set(x->c[count++], c[k]);
    }
    lower_order(x);
}

void pm_root_sum_set_power(pm_root_sum *x, const mpq_t q, int64_t order, int64_t power)
{
    power = (power % order + order) % order;
    const int64_t common = pm_root_gcd(order, power); /* order itself where the power is 0 */
    order /= common;
    power /= common;
    bool negative = false;
    if (order % 4 == 2) { /* root(2 m)^k = -root(2 m)^(k + m) for an odd k */
        order /= 2;
        negative = true;
        power = (power + order) / 2 % order;
    }
    mpq_t *c = pm_root_rationals_new((int32_t)order);
    mpq_set(c[power], q);
    if (negative)
        mpq_neg(c[power], c[power]);
    pm_root_sum_set_powers(x, (int32_t)order, c);
    pm_root_rationals_free(c, (int32_t)order);
}

/* ---- arithmetic ---- */

/* The common order; 0: above the limit. */
static int32_t common_order(const pm_root_sum *a, const pm_root_sum *b)
{
    const int64_t lcm = a->order / pm_root_gcd(a->order, b->order) * b->order;
    return lcm <= PM_ROOT_ORDER_MAX ? (int32_t)lcm : 0;
}

static void add_to(mpq_t *c, int32_t order, const pm_root_sum *a)
{
    for (int32_t k = 0; k < a->count; ++k) {
        const int32_t at = a->power[k] * (order / a->order);
        mpq_add(c[at], c[at], a->c[k]);
    }
}

bool pm_root_sum_add(pm_root_sum *x, const pm_root_sum *a)
{
    const int32_t order = common_order(x, a);
    if (!order)
        return false;
    mpq_t *c = pm_root_rationals_new(order);
    add_to(c, order, x);
    add_to(c, order, a);
    pm_root_sum_set_powers(x, order, c);
    pm_root_rationals_free(c, order);
    return true;
}

bool pm_root_sum_mul(pm_root_sum *x, const pm_root_sum *a)
{
    const int32_t order = common_order(x, a);
    if (!order)
        return false;
    mpq_t *c = pm_root_rationals_new(order), q;
    mpq_init(q);
    for (int32_t i = 0; i < x->count; ++i)
        for (int32_t j = 0; j < a->count; ++j) {
            const int32_t at =
                (x->power[i] * (order / x->order) + a->power[j] * (order / a->order)) % order;
            mpq_mul(q, x->c[i], a->c[j]);
            mpq_add(c[at], c[at], q);
        }
    mpq_clear(q);
    pm_root_sum_set_powers(x, order, c);
    pm_root_rationals_free(c, order);
    return true;
}

void pm_root_sum_neg(pm_root_sum *x)
{
    for (int32_t k = 0; k < x->count; ++k)
        mpq_neg(x->c[k], x->c[k]);
}

void pm_root_sum_scale(pm_root_sum *x, const mpq_t q)
{
    if (mpq_sgn(q) == 0)
        pm_root_sum_clear(x);
    for (int32_t k = 0; k < x->count; ++k)
        mpq_mul(x->c[k], x->c[k], q);
}

void pm_root_sum_conjugate(pm_root_sum *x)
{
    const int32_t order = x->order;
    mpq_t *c = pm_root_rationals_new(order);
    for (int32_t k = 0; k < x->count; ++k)
        mpq_set(c[(order - x->power[k]) % order], x->c[k]);
    pm_root_sum_set_powers(x, order, c);
    pm_root_rationals_free(c, order);
}

bool pm_root_sum_residue(pm_root_sum *x, uint64_t modulus)
{
    const int32_t order = x->order;
    bool is = true;
    mpq_t *c = pm_root_rationals_new(order);
    for (int32_t k = 0; k < x->count && is; ++k) {
        mpq_set(c[x->power[k]], x->c[k]);
        is = pm_rational_residue(c[x->power[k]], modulus);
    }
    pm_root_sum_set_powers(x, order, c);
    pm_root_rationals_free(c, order);
    return is;
}

/* ---- questions ---- */

bool pm_root_sum_equal(const pm_root_sum *a, const pm_root_sum *b)
{
    pm_root_sum x;
    pm_root_sum_init(&x);
    pm_root_sum_set(&x, a);
    pm_root_sum_neg(&x);
    const bool is_equal = pm_root_sum_add(&x, b) && x.count == 0;
    pm_root_sum_clear(&x);
    return is_equal;
}

bool pm_root_sum_is_rational(const pm_root_sum *x)
{
    return x->count == 0 || (x->count == 1 && x->power[0] == 0);
}

void pm_root_sum_get_rational(mpq_t q, const pm_root_sum *x)
{
    if (x->count && x->power[0] == 0)
        mpq_set(q, x->c[0]);
    else
        mpq_set_ui(q, 0, 1);
}

int64_t pm_root_sum_bits(const pm_root_sum *x)
{
    size_t bits = 0;
    for (int32_t k = 0; k < x->count; ++k)
        bits += mpz_sizeinbase(mpq_numref(x->c[k]), 2) + mpz_sizeinbase(mpq_denref(x->c[k]), 2);
    return (int64_t)bits;
}
