/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layers/characteristic.h"

#include <stdlib.h>
#include <string.h>

#include "layers/mod_sum.h"
#include "pm/alloc.h"

/* x = x + w y modulo m; c: of Shoup's method */
static uint64_t add_multiple(uint64_t x, uint64_t w, uint64_t c, uint64_t y, uint64_t m)
{
    const uint64_t product = pm_shoup_mul(w, c, y, m);
    return pm_mod_add(x, product >= m ? product - m : product, m);
}

static void exchange(uint64_t *a, int64_t n, int64_t i, int64_t k)
{
    for (int64_t j = 0; j < n; ++j) {
        uint64_t x = a[i * n + j];
        a[i * n + j] = a[k * n + j];
        a[k * n + j] = x;
    }
    for (int64_t j = 0; j < n; ++j) {
        uint64_t x = a[j * n + i];
        a[j * n + i] = a[j * n + k];
        a[j * n + k] = x;
    }
}

/* Row i -= u row k, column k += u column i: a similar matrix with a[i][k - 1] = 0. */
static void eliminate(uint64_t *a, int64_t n, int64_t i, int64_t k, uint64_t u, uint64_t m)
{
    const uint64_t minus = pm_mod_negate(u, m);
    const uint64_t c = pm_shoup_prepare(u, m), minus_c = pm_shoup_prepare(minus, m);
    for (int64_t j = k - 1; j < n; ++j)
        a[i * n + j] = add_multiple(a[i * n + j], minus, minus_c, a[k * n + j], m);
    for (int64_t j = 0; j < n; ++j)
        a[j * n + k] = add_multiple(a[j * n + k], u, c, a[j * n + i], m);
}

static pm_status make_hessenberg(uint64_t *a, int64_t n, uint64_t m, const pm_run *run)
{
    for (int64_t k = 1; k + 1 < n; ++k) {
        int64_t i = k;
        while (i < n && a[i * n + k - 1] == 0)
            ++i;
        if (pm_run_stopped(run))
            return PM_ESTOPPED;
        if (i == n)
            continue;
        if (i != k)
            exchange(a, n, i, k);
        const uint64_t inverse = pm_mod_inverse(a[k * n + k - 1], m);
        for (i = k + 1; i < n; ++i)
            if (a[i * n + k - 1])
                eliminate(a, n, i, k, pm_mod_mul(a[i * n + k - 1], inverse, m), m);
    }
    return PM_OK;
}

/* from[j + shift] of the sum += w from[j] */
static void add_polynomial(uint64_t *to, const uint64_t *from, int64_t degree, int64_t shift,
                           uint64_t w, uint64_t m)
{
    const uint64_t c = pm_shoup_prepare(w, m);
    for (int64_t j = 0; j <= degree; ++j)
        to[j + shift] = add_multiple(to[j + shift], w, c, from[j], m);
}

pm_status pm_characteristic(uint64_t *a, int64_t n, uint64_t m, const pm_run *run, uint64_t *q,
                            pm_error *err)
{
    /* row k: det(I - x A_k) of the leading k x k matrix A_k */
    uint64_t *all = pm_calloc_array((n + 1) * (n + 1), sizeof *all);
    if (!all)
        return pm_fail_memory(err, "a characteristic polynomial");
    pm_status status = make_hessenberg(a, n, m, run);
    all[0] = 1 % m;
    for (int64_t k = 0; k < n && !status; ++k) {
        uint64_t *to = all + (k + 1) * (n + 1), below = 1;
        memcpy(to, all + k * (n + 1), (size_t)(k + 1) * sizeof *to);
        for (int64_t i = k; i >= 0 && below; --i) {
            const uint64_t w = pm_mod_mul(a[i * n + k], below, m);
            add_polynomial(to, all + i * (n + 1), i, k - i + 1, pm_mod_negate(w, m), m);
            below = i > 0 ? pm_mod_mul(below, a[i * n + i - 1], m) : 0;
        }
        if (pm_run_stopped(run))
            status = PM_ESTOPPED;
    }
    if (!status)
        memcpy(q, all + n * (n + 1), (size_t)(n + 1) * sizeof *q);
    free(all);
    return status;
}
