/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residues modulo n numbers m < 2^62, side by side: residue r of value i is at [i * n + r].
 * The sum of four residues is below 2^64, so up to four sources are added and then reduced. */
#include "config.h"

#include "frontier/ring.h"

#include <stdlib.h>
#include <string.h>

#include "core/vectorised.h"
#include "number/prime.h"
#include "pm/alloc.h"

enum { LANES = 8, MAX_RESIDUES = 32 };

typedef struct {
    pm_ring ring;
    int n;
    /* the moduli, repeated, so that loops for n <= LANES work in whole vectors; m2 = 2 m */
    uint64_t m[MAX_RESIDUES], m2[MAX_RESIDUES];
    uint64_t *constants; /* see ring.h; contains weight and shoup */
    uint64_t *weight;    /* [entry * n + r]; empty for a pattern */
    uint64_t *shoup;     /* [entry * n + r]: floor(weight 2^64 / m) */
} residues;

static inline uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- sums of arrays of `count` residues; residue i has the modulus m[i % LANES] ---- */

static inline uint64_t reduce2(uint64_t s, uint64_t m)
{
    return min64(s, s - m);
}

static inline uint64_t reduce4(uint64_t s, uint64_t m, uint64_t m2)
{
    return reduce2(min64(s, s - m2), m);
}

/* In these sums d may be equal to a: all loads of a vector come before its stores. */
PM_VECTORISED
static void sum2(uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *m,
                 int64_t count)
{
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        uint64_t s[LANES];
        for (int l = 0; l < LANES; ++l)
            s[l] = reduce2(a[i + l] + b[i + l], m[l]);
        memcpy(d + i, s, sizeof s);
    }
    for (int l = 0; i < count; ++i, ++l)
        d[i] = reduce2(a[i] + b[i], m[l]);
}

PM_VECTORISED
static void sum3(uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                 const uint64_t *m, const uint64_t *m2, int64_t count)
{
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        uint64_t s[LANES];
        for (int l = 0; l < LANES; ++l)
            s[l] = reduce4(a[i + l] + b[i + l] + c[i + l], m[l], m2[l]);
        memcpy(d + i, s, sizeof s);
    }
    for (int l = 0; i < count; ++i, ++l)
        d[i] = reduce4(a[i] + b[i] + c[i], m[l], m2[l]);
}

PM_VECTORISED
static void sum4(uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                 const uint64_t *e, const uint64_t *m, const uint64_t *m2, int64_t count)
{
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        uint64_t s[LANES];
        for (int l = 0; l < LANES; ++l)
            s[l] = reduce4(a[i + l] + b[i + l] + c[i + l] + e[i + l], m[l], m2[l]);
        memcpy(d + i, s, sizeof s);
    }
    for (int l = 0; i < count; ++i, ++l)
        d[i] = reduce4(a[i] + b[i] + c[i] + e[i], m[l], m2[l]);
}

/* d = sum of k arrays, 1 <= k <= 4; d may be a[0]. */
static void sum_arrays(uint64_t *d, const uint64_t *const *a, int k, const uint64_t *m,
                       const uint64_t *m2, int64_t count)
{
    switch (k) {
    case 1:
        if (d != a[0])
            memcpy(d, a[0], (size_t)count * sizeof *d);
        break;
    case 2: sum2(d, a[0], a[1], m, count); break;
    case 3: sum3(d, a[0], a[1], a[2], m, m2, count); break;
    default: sum4(d, a[0], a[1], a[2], a[3], m, m2, count); break;
    }
}

/* d = (first ? 0 : d) + weight * a, for `len` values. */
static void multiply_add(const residues *r, uint64_t *d, const uint64_t *a, int64_t entry,
                         int64_t len, int first)
{
    const uint64_t *w = r->weight + entry * r->n, *c = r->shoup + entry * r->n;
    for (int64_t i = 0; i < len; ++i)
        for (int k = 0; k < r->n; ++k) {
            uint64_t m = r->m[k], p = pm_shoup_mul(w[k], c[k], a[i * r->n + k], m);
            if (!first)
                p += d[i * r->n + k];
            d[i * r->n + k] = reduce4(p, m, r->m2[k]);
        }
}

/* d = sum of k arrays of `len` values, 1 <= k <= 4. */
static void sum_span(const residues *r, uint64_t *d, const uint64_t *const *a, int k, int64_t len)
{
    if (r->n <= LANES) {
        sum_arrays(d, a, k, r->m, r->m2, len * r->n);
        return;
    }
    for (int64_t i = 0; i < len; ++i)
        for (int part = 0; part < r->n; part += LANES) {
            const uint64_t *b[4];
            for (int s = 0; s < k; ++s)
                b[s] = a[s] + i * r->n + part;
            sum_arrays(d + i * r->n + part, b, k, r->m + part, r->m2 + part, LANES);
        }
}

static void pull(const pm_ring *ring, void *dst, const void *old, const int64_t *src,
                 const int64_t *entry, int nsrc, int64_t len)
{
    const residues *r = (const residues *)ring;
    uint64_t *d = dst;
    const uint64_t *source[4];
    int k = 0, is_set = 0;
    for (int s = 0; s < nsrc; ++s) {
        if (entry[s] != PM_UNIT)
            continue;
        if (k == 0 && is_set)
            source[k++] = d;
        source[k++] = (const uint64_t *)old + src[s] * r->n;
        if (k == 4) {
            sum_span(r, d, source, k, len);
            is_set = 1;
            k = 0;
        }
    }
    if (k) {
        sum_span(r, d, source, k, len);
        is_set = 1;
    }
    for (int s = 0; s < nsrc; ++s)
        if (entry[s] != PM_UNIT) {
            multiply_add(r, d, (const uint64_t *)old + src[s] * r->n, entry[s], len, !is_set);
            is_set = 1;
        }
}

static void push(const pm_ring *ring, void *dst, const void *old, int64_t src, int64_t entry)
{
    const residues *r = (const residues *)ring;
    uint64_t *d = dst;
    const uint64_t *a = (const uint64_t *)old + src * r->n;
    if (entry != PM_UNIT) {
        multiply_add(r, d, a, entry, 1, 0);
        return;
    }
    for (int k = 0; k < r->n; ++k)
        d[k] = reduce2(d[k] + a[k], r->m[k]);
}

static void gather(const pm_ring *ring, void *dst, const void *old, const int64_t *index,
                   int64_t len)
{
    const residues *r = (const residues *)ring;
    uint64_t *d = dst;
    const uint64_t *a = old;
    switch (r->n) {
    case 1:
        for (int64_t i = 0; i < len; ++i)
            d[i] = a[index[i]];
        break;
    case 2:
        for (int64_t i = 0; i < len; ++i)
            memcpy(d + 2 * i, a + 2 * index[i], 2 * sizeof *d);
        break;
    case 4:
        for (int64_t i = 0; i < len; ++i)
            memcpy(d + 4 * i, a + 4 * index[i], 4 * sizeof *d);
        break;
    default:
        for (int64_t i = 0; i < len; ++i)
            memcpy(d + r->n * i, a + r->n * index[i], (size_t)r->n * sizeof *d);
    }
}

static void zero(const pm_ring *ring, void *dst, int64_t len)
{
    memset(dst, 0, (size_t)(len * ring->value_bytes));
}

static void one(const pm_ring *ring, void *dst)
{
    const residues *r = (const residues *)ring;
    for (int k = 0; k < r->n; ++k)
        ((uint64_t *)dst)[k] = 1 % r->m[k];
}

static void finish(const pm_ring *ring, const void *value, int64_t depth, pm_value *out,
                   uint64_t *result)
{
    (void)depth;
    (void)out;
    memcpy(result, value, (size_t)ring->value_bytes);
}

static void free_ring(pm_ring *ring)
{
    residues *r = (residues *)ring;
    free(r->constants);
    free(r);
}

static pm_status prepare_weights(residues *r, const pm_matrix *a, pm_error *err)
{
    int64_t nnz = a->field == PM_PATTERN ? 0 : pm_matrix_nnz(a), count = nnz * r->n;
    r->constants = pm_alloc_array(1 + r->n + 2 * count, sizeof *r->constants);
    if (!r->constants)
        return pm_fail_memory(err, "weights modulo primes");
    r->constants[0] = (uint64_t)count;
    memcpy(r->constants + 1, r->m, (size_t)r->n * sizeof *r->m);
    r->weight = r->constants + 1 + r->n;
    r->shoup = r->weight + count;
    for (int64_t k = 0; k < nnz; ++k)
        for (int i = 0; i < r->n; ++i) {
            uint64_t w = pm_dyadic_mod(&a->re[k], r->m[i]);
            r->weight[k * r->n + i] = w;
            r->shoup[k * r->n + i] = pm_shoup_prepare(w, r->m[i]);
        }
    return PM_OK;
}

pm_status pm_ring_residues(const pm_block *b, const uint64_t *m, int n, pm_ring **out,
                           pm_error *err)
{
    residues *r = pm_calloc_array(1, sizeof *r);
    if (!r)
        return pm_fail_memory(err, "residues");
    r->n = n;
    for (int i = 0; i < MAX_RESIDUES; ++i) {
        r->m[i] = m[i % n];
        r->m2[i] = 2 * r->m[i];
    }
    pm_status status = prepare_weights(r, &b->a, err);
    if (status) {
        free_ring(&r->ring);
        return status;
    }
    int64_t constants = 1 + n + 2 * (int64_t)r->constants[0];
    r->ring = (pm_ring){.value_bytes = n * (int64_t)sizeof(uint64_t),
                        .lanes = n,
                        .constants = r->constants,
                        .constants_bytes = constants * (int64_t)sizeof(uint64_t),
                        .zero = zero,
                        .one = one,
                        .pull = pull,
                        .push = push,
                        .gather = gather,
                        .finish = finish,
                        .free = free_ring};
    *out = &r->ring;
    return PM_OK;
}
