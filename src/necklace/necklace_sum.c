/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "necklace/necklace_sum.h"

#include <stdlib.h>

#include "core/team.h"
#include "core/vectorised.h"
#include "cuda/necklace_step.h"
#include "number/prime.h"
#include "pm/alloc.h"

enum {
    CHUNK = 6, /* beads whose row sums are in a table */
    CHAINS = 4 /* products that are computed at the same time */
};

/* What all threads read. */
typedef struct {
    const pm_necklace_terms *t;
    uint64_t inverse; /* of m, for Montgomery's products */
    int prefix, free_beads, chunks;
    uint64_t
        *sum; /* [chunks][2^CHUNK][rows]: row sums over some of CHUNK beads, the last ones first */
    uint64_t *weight; /* of the terms, in Montgomery's form */
} tables;

static void set_sums(const pm_necklace_terms *t, int chunks, uint64_t *sum)
{
    for (int c = 0; c < chunks; ++c)
        for (int set = 0; set < 1 << CHUNK; ++set)
            for (int i = 0; i < t->rows; ++i) {
                uint64_t x = 0;
                for (int b = 0; b < CHUNK && c * CHUNK + b < t->n; ++b)
                    if (set >> b & 1)
                        x = (x + t->power[(t->n - 1 - c * CHUNK - b) * t->rows + i]) % t->m;
                sum[((c << CHUNK) + set) * t->rows + i] = x;
            }
}

/* A term takes a product for each row. */
static void set_weights(const pm_necklace_terms *t, uint64_t *weight)
{
    const uint64_t radix = (UINT64_MAX % t->m + 1) % t->m; /* 2^64 */
    const uint64_t form = pm_mod_pow(radix, (uint64_t)t->rows, t->m);
    for (int k = 0; k < (t->n + 1) * t->units; ++k)
        weight[k] = pm_mod_mul(t->weight[k], form, t->m);
}

static pm_status begin(const pm_necklace_terms *t, tables *out, pm_error *err)
{
    *out = (tables){.t = t,
                    .inverse = pm_montgomery_inverse(t->m),
                    .prefix = pm_necklace_prefix(t, PM_NECKLACE_FREE),
                    .chunks = (t->n + CHUNK - 1) / CHUNK};
    out->free_beads = pm_necklace_free(t, out->prefix);
    out->sum = pm_alloc_array(((int64_t)out->chunks << CHUNK) * t->rows + 1, sizeof *out->sum);
    out->weight = pm_alloc_array((int64_t)(t->n + 1) * t->units, sizeof *out->weight);
    if (!out->sum || !out->weight)
        return pm_fail_memory(err, "necklaces");
    set_sums(t, out->chunks, out->sum);
    set_weights(t, out->weight);
    return PM_OK;
}

static void end(tables *x)
{
    free(x->sum);
    free(x->weight);
}

/* The row sums over the columns of a word. */
static inline void add_chunks(const tables *x, uint64_t word, uint64_t *restrict sum)
{
    const int rows = x->t->rows;
    const uint64_t m = x->t->m, *restrict first =
                                    x->sum + (word & ((1 << CHUNK) - 1)) * (uint64_t)rows;
    for (int i = 0; i < rows; ++i)
        sum[i] = first[i];
    for (int c = 1; c < x->chunks; ++c) {
        const uint64_t set = word >> (c * CHUNK) & ((1 << CHUNK) - 1);
        const uint64_t *restrict more = x->sum + (((uint64_t)c << CHUNK) + set) * (uint64_t)rows;
        if (set == 0)
            continue;
#pragma omp simd
        for (int i = 0; i < rows; ++i) { /* numbers below 2^63 */
            const int64_t y = (int64_t)(sum[i] + more[i] - m);
            sum[i] = (uint64_t)(y + (y < 0 ? (int64_t)m : 0));
        }
    }
}

/* first * sum[0] ... sum[rows - 1], times 2^(-64 rows). */
static inline uint64_t product(const tables *x, uint64_t first, const uint64_t *sum)
{
    const int rows = x->t->rows;
    const uint64_t m = x->t->m;
    uint64_t chain[CHAINS] = {first};
    int i = 0, chains = 1;
    for (; chains < CHAINS && i < rows; ++i)
        chain[chains++] = sum[i];
    for (; i + CHAINS <= rows; i += CHAINS)
        for (int k = 0; k < CHAINS; ++k)
            chain[k] = pm_montgomery(chain[k], sum[i + k], m, x->inverse);
    for (; i < rows; ++i)
        chain[0] = pm_montgomery(chain[0], sum[i], m, x->inverse);
    for (int k = 1; k < chains; ++k)
        chain[0] = pm_montgomery(chain[0], chain[k], m, x->inverse);
    return chain[0];
}

/* How many units have as many pairs as 1, or 0 where one has more. */
static inline int ties_of(const pm_necklace_terms *t, uint64_t word)
{
    const int most = pm_beads_pairs(word, 1, t->n);
    int ties = 1;
    for (int k = 1; k < t->units; ++k) {
        const int pairs = pm_beads_pairs(word, t->unit[k], t->n);
        if (pairs > most)
            return 0;
        ties += pairs == most;
    }
    return ties;
}

/* The terms of all words with this prefix.  sum: room for all rows. */
static PM_VECTORISED uint64_t sum_of_prefix(const tables *x, uint64_t prefix, uint64_t *sum)
{
    const pm_necklace_terms *t = x->t;
    const int n = t->n, ones = (int)PM_POPCOUNT(prefix);
    const uint64_t start = prefix << (n - x->prefix);
    uint64_t total = 0;
    for (uint64_t number = 0; number >> x->free_beads == 0; ++number) {
        const uint64_t word = start | pm_necklace_end(number, ones, t->is_even);
        const int ties = ties_of(t, word), k = (int)PM_POPCOUNT(word);
        const int words = ties && k <= t->most ? pm_necklace_words(word, n, t->has_sides) : 0;
        if (!words)
            continue;
        add_chunks(x, word, sum);
        const uint64_t term = product(x, x->weight[k * t->units + ties - 1], sum);
        total = (total + pm_mod_mul(term, (uint64_t)words % t->m, t->m)) % t->m;
    }
    return total;
}

/* Every thread goes through all prefixes, and takes those that no other one has. */
static pm_status sum_all(const tables *x, const pm_run *run, uint64_t *out, pm_error *err)
{
    const int threads = pm_team(run, pm_run_threads(run));
    const uint64_t m = x->t->m;
    int64_t taken = 0;
    bool is_stopped = false;
    uint64_t total = 0;
#pragma omp parallel num_threads(threads)
    {
        uint64_t mine = 0, prefix = 0, sum[PM_NECKLACE_MOST];
        int64_t at = 0, wanted = 0;
        bool is_there = true;
        while (is_there && !pm_run_stopped(run)) {
#pragma omp atomic capture
            wanted = taken++;
            for (; is_there && at < wanted; ++at)
                is_there = pm_necklace_next(&prefix, x->prefix);
            if (is_there)
                mine = (mine + sum_of_prefix(x, prefix, sum)) % m;
        }
#pragma omp critical(pm_necklace_sum)
        {
            is_stopped = is_stopped || is_there;
            total = (total + mine) % m;
        }
    }
    *out = total;
    return is_stopped ? pm_fail(err, PM_ESTOPPED, "stopped") : PM_OK;
}

pm_status pm_necklace_terms_sum(const pm_necklace_terms *t, const pm_run *run, uint64_t *out,
                                pm_error *err)
{
    tables x = {.sum = NULL};
    uint64_t sum = 0;
    pm_status status = PM_OK;
    if (t->n > 1) {
        status = begin(t, &x, err);
        if (!status)
            status = sum_all(&x, run, &sum, err);
        end(&x);
    }
    if (!status)
        *out = pm_necklace_whole(t, sum);
    return status;
}
