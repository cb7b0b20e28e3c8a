/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/residue_determinant.h"

uint64_t pm_inverse_modulo(uint64_t a, uint64_t p)
{
    uint64_t r = 1;
    for (uint64_t e = p - 2; e; e >>= 1, a = a * a % p) /* Fermat */
        if (e & 1)
            r = r * a % p;
    return r;
}

uint64_t pm_residue_determinant(uint64_t *a, int64_t n, uint64_t p)
{
    uint64_t det = 1;
    for (int64_t t = 0; t < n; ++t) {
        int64_t r = t;
        while (r < n && a[r * n + t] == 0)
            ++r;
        if (r == n)
            return 0;
        if (r != t)
            det = p - det;
        for (int64_t j = t; j < n; ++j) {
            uint64_t swap = a[r * n + j];
            a[r * n + j] = a[t * n + j];
            a[t * n + j] = swap;
        }
        det = det * a[t * n + t] % p;
        if (t + 1 == n)
            break;
        uint64_t by = pm_inverse_modulo(a[t * n + t], p);
        for (int64_t i = t + 1; i < n; ++i) {
            uint64_t times = (p - a[i * n + t]) * by % p;
            for (int64_t j = t; j < n && times; ++j)
                a[i * n + j] = (a[i * n + j] + times * a[t * n + j]) % p;
        }
    }
    return det % p;
}

/* Exchange rows and columns p and q of an n x n matrix. */
static void exchange_lines(uint64_t *a, int64_t n, int64_t p, int64_t q)
{
    for (int64_t j = 0; j < n; ++j) {
        uint64_t swap = a[p * n + j];
        a[p * n + j] = a[q * n + j];
        a[q * n + j] = swap;
    }
    for (int64_t i = 0; i < n; ++i) {
        uint64_t swap = a[i * n + p];
        a[i * n + p] = a[i * n + q];
        a[i * n + q] = swap;
    }
}

uint64_t pm_residue_pfaffian(uint64_t *a, int64_t n, uint64_t p)
{
    uint64_t pfaffian = 1;
    for (int64_t t = 0; t < n; t += 2) {
        int64_t r = t + 1;
        while (r < n && a[t * n + r] == 0)
            ++r;
        if (r >= n)
            return 0;
        if (r != t + 1) {
            exchange_lines(a, n, t + 1, r);
            pfaffian = p - pfaffian;
        }
        pfaffian = pfaffian * a[t * n + t + 1] % p;
        uint64_t by = pm_inverse_modulo(a[t * n + t + 1], p);
        for (int64_t i = t + 2; i < n; ++i) {
            uint64_t c = a[(t + 1) * n + i] * by % p, d = (p - a[t * n + i]) * by % p;
            for (int64_t j = t + 2; j < n; ++j)
                a[i * n + j] = (a[i * n + j] + c * a[t * n + j] % p + d * a[(t + 1) * n + j]) % p;
        }
    }
    return pfaffian % p;
}
