/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "necklace/necklace_terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/prime.h"
#include "pm/alloc.h"

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool are_coprime(int a, int b)
{
    while (b) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a == 1;
}

/* ---- rows ---- */

/* ratio[0 .. n - 1]: of all rows; the product of their first entries is taken out. */
static void find_ratios(const uint64_t *a, pm_necklace_terms *t, uint64_t *ratio)
{
    const int n = t->n;
    t->factor = 1 % t->m;
    for (int i = 0; i < n; ++i) {
        const uint64_t first = a[i * n];
        ratio[i] = pm_mod_mul(a[i * n + 1 % n], pm_mod_inverse(first, t->m), t->m);
        t->factor = pm_mod_mul(t->factor, first, t->m);
    }
}

static void set_powers(const uint64_t *ratio, pm_necklace_terms *t)
{
    const uint64_t one = 1 % t->m;
    uint64_t now[PM_NECKLACE_MOST];
    t->rows = 0;
    for (int i = 0; i < t->n; ++i)
        if (ratio[i] != one)
            now[t->rows++] = ratio[i];
    for (int i = 0; i < t->rows; ++i) {
        uint64_t x = one;
        for (int k = 0; k < t->n; ++k, x = pm_mod_mul(x, now[i], t->m))
            t->power[k * t->rows + i] = x;
    }
}

/* The sum of all columns of each row; returns their product.  *are_zero: those of rows in t->power. */
static uint64_t sum_columns(const pm_necklace_terms *t, bool *are_zero)
{
    uint64_t product = 1 % t->m;
    *are_zero = true;
    for (int i = 0; i < t->n; ++i) {
        uint64_t sum = i < t->rows ? 0 : (uint64_t)t->n % t->m;
        for (int k = 0; k < t->n && i < t->rows; ++k)
            sum = (sum + t->power[k * t->rows + i]) % t->m;
        product = pm_mod_mul(product, sum, t->m);
        *are_zero = *are_zero && (i >= t->rows || sum == 0);
    }
    return product;
}

/* ---- units ---- */

static bool is_symmetric(const pm_necklace_terms *t, const uint64_t *sorted, int u)
{
    uint64_t other[PM_NECKLACE_MOST];
    for (int i = 0; i < t->n; ++i)
        other[i] = pm_mod_pow(sorted[i], (uint64_t)u, t->m);
    qsort(other, (size_t)t->n, sizeof *other, compare);
    return memcmp(other, sorted, (size_t)t->n * sizeof *other) == 0;
}

/* One of each pair u, -u if -1 is one of them.  Only 1 where some T has no inverse. */
static void find_units(const uint64_t *ratio, pm_necklace_terms *t)
{
    uint64_t sorted[PM_NECKLACE_MOST];
    const int n = t->n;
    memcpy(sorted, ratio, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    t->units = 0;
    t->unit[t->units++] = 1;
    t->has_sides = n > 2 && is_symmetric(t, sorted, n - 1);
    for (int u = 2; u < (t->has_sides ? (n + 1) / 2 : n - 1) && t->units < PM_NECKLACE_UNITS; ++u)
        if (are_coprime(u, n) && is_symmetric(t, sorted, u))
            t->unit[t->units++] = u;
    for (int ties = 2; ties <= t->units; ++ties)
        if (!pm_mod_inverse((uint64_t)ties % t->m, t->m))
            t->units = 1;
}

/* ---- weights ---- */

static uint64_t with_sign(uint64_t x, int odd, uint64_t m)
{
    return odd % 2 && x ? m - x : x;
}

static void set_weights(pm_necklace_terms *t, bool has_complements)
{
    const int n = t->n, ones = n - t->rows;
    const uint64_t m = t->m;
    for (int k = 0; k <= n; ++k) {
        uint64_t own = with_sign(pm_mod_pow((uint64_t)k % m, (uint64_t)ones, m), n - k, m);
        if (has_complements && 2 * k != n)
            own =
                (own
                 + with_sign(pm_mod_pow((uint64_t)(n - k) % m, (uint64_t)ones, m), k + t->rows, m))
                % m;
        own = pm_mod_mul(own, (uint64_t)t->units % m, m);
        for (int ties = 1; ties <= t->units; ++ties)
            t->weight[k * t->units + ties - 1] =
                ties == 1 ? own : pm_mod_mul(own, pm_mod_inverse((uint64_t)ties % m, m), m);
    }
}

pm_status pm_necklace_terms_make(const uint64_t *a, int n, uint64_t m, pm_necklace_terms *out,
                                 pm_error *err)
{
    uint64_t ratio[PM_NECKLACE_MOST];
    bool are_zero;
    *out = (pm_necklace_terms){.n = n, .m = m};
    out->power = pm_alloc_array((int64_t)n * n, sizeof *out->power);
    out->weight = pm_alloc_array((int64_t)(n + 1) * PM_NECKLACE_UNITS, sizeof *out->weight);
    if (!out->power || !out->weight)
        return pm_fail_memory(err, "necklaces");
    find_ratios(a, out, ratio);
    set_powers(ratio, out);
    out->full = sum_columns(out, &are_zero);
    find_units(ratio, out);
    out->is_even = are_zero && n % 2;
    out->most = are_zero && n % 2 == 0 ? n / 2 : n;
    set_weights(out, are_zero);
    return PM_OK;
}

void pm_necklace_terms_free(pm_necklace_terms *t)
{
    free(t->power);
    free(t->weight);
    *t = (pm_necklace_terms){.power = NULL};
}

uint64_t pm_necklace_whole(const pm_necklace_terms *t, uint64_t sum)
{
    return pm_mod_mul((sum + t->full) % t->m, t->factor, t->m);
}

/* ---- words ---- */

/* Such prefixes are those of powers of one Lyndon word each, which is not longer, without the word 1 (Ruskey, Savage and Wang 1992). */
double pm_necklace_prefixes(int length)
{
    double lyndon[PM_NECKLACE_MOST + 1], sum = -1;
    for (int i = 1; i <= length; ++i) {
        lyndon[i] = ldexp(1, i);
        for (int d = 1; d < i; ++d)
            if (i % d == 0)
                lyndon[i] -= d * lyndon[d];
        lyndon[i] /= i;
        sum += lyndon[i];
    }
    return sum;
}

double pm_necklace_candidates(const pm_necklace_terms *t, int prefix)
{
    return ldexp(pm_necklace_prefixes(prefix), pm_necklace_free(t, prefix));
}

double pm_necklace_count(const pm_necklace_terms *t)
{
    const bool are_halves = t->is_even || t->most < t->n;
    return ldexp(1. / t->n, t->n - are_halves - t->has_sides) / t->units;
}

bool pm_necklace_next(uint64_t *x, int length)
{
    const int last = __builtin_ctzll(~*x), period = length - last;
    if (period <= 1)
        return false;
    const uint64_t begin = *x >> last | 1;
    uint64_t word = begin;
    for (int have = period, more; have < length; have += more) {
        more = length - have < period ? length - have : period;
        word = word << more | begin >> (period - more);
    }
    *x = word;
    return true;
}

int pm_necklace_free(const pm_necklace_terms *t, int prefix)
{
    return t->n - prefix - 1 - t->is_even;
}

int pm_necklace_prefix(const pm_necklace_terms *t, int free_beads)
{
    const int prefix = t->n - 1 - t->is_even - free_beads;
    return prefix < 1 ? 1 : prefix;
}
