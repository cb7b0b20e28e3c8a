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
