/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layers/recurrence.h"

#include <stdlib.h>
#include <string.h>

#include "layers/mod_sum.h"
#include "pm/alloc.h"

void pm_recurrence_free(pm_recurrence *r)
{
    free(r->p);
    free(r->q);
    *r = (pm_recurrence){0};
}

static pm_status fail_memory(pm_error *err)
{
    return pm_fail_memory(err, "a recurrence");
}

pm_status pm_recurrence_alloc(int64_t order, pm_recurrence *out, pm_error *err)
{
    pm_recurrence r = {order, pm_calloc_array(order, sizeof *r.p),
                       pm_calloc_array(order + 1, sizeof *r.q)};
    if (!r.p || !r.q) {
        pm_recurrence_free(&r);
        return fail_memory(err);
    }
    r.q[0] = 1;
    *out = r;
    return PM_OK;
}

void pm_recurrence_set_terms(pm_recurrence *r, const uint64_t *term, uint64_t m)
{
    for (int64_t k = 0; k < r->order; ++k) {
        pm_mod_sum s = pm_mod_sum_begin(m);
        for (int64_t i = 0; i <= k; ++i)
            pm_mod_sum_add(&s, r->q[i], term[k - i]);
        r->p[k] = pm_mod_sum_end(&s);
    }
}

/* The sum over the roots of 1 / (1 - root x) is order - x Q'(x) / Q(x). */
void pm_recurrence_set_power_sums(pm_recurrence *r, uint64_t m)
{
    for (int64_t k = 0; k < r->order; ++k)
        r->p[k] = pm_mod_mul(r->q[k], (uint64_t)(r->order - k) % m, m);
}

/* ---- the shortest recurrence ---- */

/* What a term differs from its prediction by. */
static uint64_t discrepancy(const uint64_t *q, int64_t order, const uint64_t *term, int64_t k,
                            uint64_t m)
{
    pm_mod_sum s = pm_mod_sum_begin(m);
    for (int64_t i = 0; i <= order && i <= k; ++i)
        pm_mod_sum_add(&s, q[i], term[k - i]);
    return pm_mod_sum_end(&s);
}

/* q(x) -= factor x^shift old(x) */
static void subtract(uint64_t *q, const uint64_t *old, int64_t degree, int64_t shift,
                     uint64_t factor, uint64_t m)
{
    const uint64_t minus = pm_mod_negate(factor, m), c = pm_shoup_prepare(minus, m);
    for (int64_t i = 0; i <= degree; ++i) {
        uint64_t x = pm_shoup_mul(minus, c, old[i], m);
        q[shift + i] = pm_mod_add(q[shift + i], x >= m ? x - m : x, m);
    }
}

pm_status pm_recurrence_find(const uint64_t *term, int64_t count, uint64_t m, const pm_run *run,
                             pm_recurrence *out, pm_error *err)
{
    /* old: Q before the order grew last; its discrepancy, its degree, and the terms since then */
    int64_t order = 0, old_degree = 0, since = 1;
    uint64_t last = 1;
    uint64_t *q = pm_calloc_array(count + 2, sizeof *q);
    uint64_t *old = pm_calloc_array(count + 2, sizeof *old);
    uint64_t *copy = pm_alloc_array(count + 2, sizeof *copy);
    pm_status status = q && old && copy ? PM_OK : fail_memory(err);
    if (!status)
        q[0] = old[0] = 1 % m;
    for (int64_t k = 0; k < count && !status; ++k, ++since) {
        const uint64_t gap = discrepancy(q, order, term, k, m);
        if (pm_run_stopped(run))
            status = PM_ESTOPPED;
        if (gap == 0)
            continue;
        const uint64_t factor = pm_mod_mul(gap, pm_mod_inverse(last, m), m);
        const bool grows = 2 * order <= k;
        if (grows)
            memcpy(copy, q, (size_t)(order + 1) * sizeof *q);
        subtract(q, old, old_degree, since, factor, m);
        if (grows) {
            uint64_t *swap = old;
            old = copy;
            copy = swap;
            old_degree = order;
            order = k + 1 - order;
            last = gap;
            since = 0;
        }
    }
    if (!status)
        status = pm_recurrence_alloc(order, out, err);
    if (!status) {
        memcpy(out->q, q, (size_t)(order + 1) * sizeof *q);
        pm_recurrence_set_terms(out, term, m);
    }
    free(q);
    free(old);
    free(copy);
    return status;
}

/* ---- a term of large number ---- */

/* Coefficients k = parity, parity + 2, ... of a(x) b(-x), `count` of them, into out[].  a and b have the degrees da
 * and db. */
static void multiply_by_mirrored(const uint64_t *a, int64_t da, const uint64_t *b,
                                 const uint64_t *minus_b, int64_t db, int parity, int64_t count,
                                 uint64_t m, uint64_t *out)
{
    for (int64_t c = 0; c < count; ++c) {
        const int64_t k = 2 * c + parity;
        pm_mod_sum s = pm_mod_sum_begin(m);
        for (int64_t i = k > db ? k - db : 0; i <= k && i <= da; ++i)
            pm_mod_sum_add(&s, a[i], (k - i) & 1 ? minus_b[k - i] : b[k - i]);
        out[c] = pm_mod_sum_end(&s);
    }
}

pm_status pm_recurrence_term(const pm_recurrence *r, int64_t n, uint64_t m, const pm_run *run,
                             uint64_t *out, pm_error *err)
{
    const int64_t d = r->order;
    pm_status status = PM_OK;
    uint64_t *room = pm_calloc_array(5 * (d + 1), sizeof *room);
    if (!room)
        return fail_memory(err);
    uint64_t *p = room, *q = p + d + 1, *minus = q + d + 1, *next_p = minus + d + 1,
             *next_q = next_p + d + 1;
    memcpy(p, r->p, (size_t)d * sizeof *p);
    memcpy(q, r->q, (size_t)(d + 1) * sizeof *q);
    /* f(n) = [x^n] P(x) Q(-x) / (Q(x) Q(-x)), whose denominator is even */
    for (; n > 0 && d > 0 && !status; n /= 2) {
        for (int64_t k = 0; k <= d; ++k)
            minus[k] = pm_mod_negate(q[k], m);
        multiply_by_mirrored(p, d - 1, q, minus, d, (int)(n & 1), d, m, next_p);
        multiply_by_mirrored(q, d, q, minus, d, 0, d + 1, m, next_q);
        memcpy(p, next_p, (size_t)d * sizeof *p);
        memcpy(q, next_q, (size_t)(d + 1) * sizeof *q);
        if (pm_run_stopped(run))
            status = PM_ESTOPPED;
    }
    *out = d > 0 ? p[0] : 0;
    free(room);
    return status;
}
