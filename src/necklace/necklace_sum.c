/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "necklace/necklace_sum.h"

#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "core/vectorised.h"
#include "number/prime.h"
#include "pm/alloc.h"

enum {
    PREFIX = 16, /* beads that a task of a thread has in common, at most */
    CHAINS = 4   /* products that are computed at the same time */
};

/* Beads 1 .. t and the row sums over those of colour 1.  Such a word is a prefix of a necklace: the least of its
 * shifts, as far as it is known; it repeats after period[t] beads. */
typedef struct {
    int n;
    uint64_t m, inverse;    /* inverse: of m, for Montgomery's products */
    const uint64_t *column; /* column[k n + i] = a_ik */
    int bead[PM_NECKLACE_MOST + 1], period[PM_NECKLACE_MOST + 1], ones[PM_NECKLACE_MOST + 1];
    uint64_t sum[PM_NECKLACE_MOST + 1][PM_NECKLACE_MOST];
} word;

static inline void set_bead(word *w, int t, int bead, int period)
{
    const uint64_t *restrict before = w->sum[t - 1], *restrict c = w->column + (t - 1) * w->n;
    uint64_t *restrict sum = w->sum[t];
    const uint64_t m = w->m;
    const int n = w->n;
    w->bead[t] = bead;
    w->period[t] = period;
    w->ones[t] = w->ones[t - 1] + bead;
    if (!bead) {
        memcpy(sum, before, (size_t)w->n * sizeof *sum);
        return;
    }
#pragma omp simd
    for (int i = 0; i < n; ++i) { /* numbers below 2^63 */
        const int64_t x = (int64_t)(before[i] + c[i] - m);
        sum[i] = (uint64_t)(x + (x < 0 ? (int64_t)m : 0));
    }
}

/* The first word of `length` beads that begins with `t` of them. */
static inline void extend(word *w, int t, int length)
{
    for (++t; t <= length; ++t)
        set_bead(w, t, w->bead[t - w->period[t - 1]], w->period[t - 1]);
}

/* The next word of `length` beads, of which the first `fixed` stay.  Returns false when there is none. */
static inline bool next(word *w, int fixed, int length)
{
    int t = length;
    while (t > fixed && w->bead[t])
        --t;
    if (t == fixed)
        return false;
    set_bead(w, t, 1, t);
    extend(w, t, length);
    return true;
}

/* The product of the row sums, times 2^(-64 (n - 1)). */
static inline uint64_t product(const word *w)
{
    const uint64_t *sum = w->sum[w->n];
    uint64_t chain[CHAINS];
    int i = 0, chains = 0;
    for (; i < w->n && i < CHAINS; ++i)
        chain[chains++] = sum[i];
    for (; i + CHAINS <= w->n; i += CHAINS)
        for (int k = 0; k < CHAINS; ++k)
            chain[k] = pm_montgomery(chain[k], sum[i + k], w->m, w->inverse);
    for (; i < w->n; ++i)
        chain[0] = pm_montgomery(chain[0], sum[i], w->m, w->inverse);
    for (int k = 1; k < chains; ++k)
        chain[0] = pm_montgomery(chain[0], chain[k], w->m, w->inverse);
    return chain[0];
}

/* a + b modulo m, for numbers below m. */
static uint64_t sum_of(uint64_t a, uint64_t b, uint64_t m)
{
    return a + b >= m ? a + b - m : a + b;
}

/* The terms of all sets whose necklace begins with the first `fixed` beads of w. */
static PM_VECTORISED uint64_t sum_of_prefix(word *w, int fixed)
{
    uint64_t of_all = 0,
             of_some = 0; /* of orbits of n sets, each once; of smaller ones, every set */
    extend(w, fixed, w->n);
    do {
        const int period = w->period[w->n];
        if (period < w->n && w->n % period)
            continue;
        uint64_t term = product(w);
        if ((w->n - w->ones[w->n]) % 2 && term)
            term = w->m - term;
        if (period == w->n)
            of_all = sum_of(of_all, term, w->m);
        else
            of_some = sum_of(of_some, pm_mod_mul(term, (uint64_t)period % w->m, w->m), w->m);
    } while (next(w, fixed, w->n));
    return sum_of(of_some, pm_mod_mul(of_all, (uint64_t)w->n % w->m, w->m), w->m);
}

/* The words with no beads before the first one: bead 0 is 0, and the period is 1. */
static void begin(word *w, const uint64_t *column, int n, uint64_t m)
{
    memset(w, 0, sizeof *w);
    w->n = n;
    w->m = m;
    w->inverse = pm_montgomery_inverse(m);
    w->column = column;
    w->period[0] = 1;
}

/* Every thread goes through all prefixes, and takes those that no other one has. */
static pm_status sum_all(const uint64_t *column, int n, uint64_t m, const pm_run *run,
                         uint64_t *out, pm_error *err)
{
    const int length = n < PREFIX ? n : PREFIX, threads = pm_team(run, pm_run_threads(run));
    int64_t taken = 0;
    bool has_memory = true, is_stopped = false;
    uint64_t total = 0;
#pragma omp parallel num_threads(threads)
    {
        word *w = pm_alloc_array(1, sizeof *w);
        uint64_t mine = 0;
        int64_t at = 0, wanted = 0;
        bool is_there = w != NULL;
        if (w) {
            begin(w, column, n, m);
            extend(w, 0, length);
        }
        while (is_there && !pm_run_stopped(run)) {
#pragma omp atomic capture
            wanted = taken++;
            for (; is_there && at < wanted; ++at)
                is_there = next(w, 0, length);
            if (!is_there)
                break;
            mine = sum_of(mine, sum_of_prefix(w, length), m);
        }
#pragma omp critical(pm_necklace_sum)
        {
            has_memory = has_memory && w;
            is_stopped = is_stopped || is_there;
            total = sum_of(total, mine, m);
        }
        free(w);
    }
    *out = total;
    return !has_memory  ? pm_fail_memory(err, "necklaces")
           : is_stopped ? pm_fail(err, PM_ESTOPPED, "stopped")
                        : PM_OK;
}

pm_status pm_necklace_sum(const uint64_t *a, int n, uint64_t m, const pm_run *run, uint64_t *out,
                          pm_error *err)
{
    uint64_t *column = pm_alloc_array((int64_t)n * n, sizeof *column);
    if (!column)
        return pm_fail_memory(err, "necklaces");
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            column[k * n + i] = a[i * n + k];
    pm_status status = sum_all(column, n, m, run, out, err);
    free(column);
    const uint64_t radix = (UINT64_MAX % m + 1) % m; /* 2^64 */
    if (!status)
        *out = pm_mod_mul(*out, pm_mod_pow(radix, (uint64_t)n - 1, m), m);
    return status;
}
