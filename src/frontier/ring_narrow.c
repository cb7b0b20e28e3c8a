/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residues modulo n numbers m < 2^31, side by side in words of 32 bits: residue r of value i is at
 * [i * n + r].  The sum of two residues is below 2^32. */
#include "config.h"

#include "frontier/ring.h"

#include <stdlib.h>
#include <string.h>

#include "number/prime.h"
#include "pm/alloc.h"

enum { MAX_LANES = 8 };

typedef struct {
    pm_ring ring;
    int n;
    uint32_t m[MAX_LANES];
    uint64_t *constants; /* see ring.h; contains weight and shoup */
    uint64_t *weight;    /* [entry * n + r]; empty for a pattern */
    uint64_t *shoup;     /* [entry * n + r]: floor(weight 2^32 / m) */
} narrow_residues;

/* a modulo m, for a < 2 m */
static inline uint32_t once_less(uint32_t a, uint32_t m)
{
    uint32_t b = a - m;
    return a < b ? a : b;
}

/* w x modulo m, c = floor(w 2^32 / m).  Shoup's product is below 2 m. */
static inline uint32_t times(uint32_t w, uint32_t c, uint32_t x, uint32_t m)
{
    uint32_t high = (uint32_t)((uint64_t)c * x >> 32);
    return once_less(w * x - high * m, m);
}

/* d += weight(entry) a, for `len` values. */
static void add(const narrow_residues *r, uint32_t *d, const uint32_t *a, int64_t entry,
                int64_t len)
{
    const uint64_t *w = entry == PM_UNIT ? NULL : r->weight + entry * r->n;
    const uint64_t *c = entry == PM_UNIT ? NULL : r->shoup + entry * r->n;
    for (int k = 0; k < r->n; ++k) {
        uint32_t m = r->m[k];
        for (int64_t i = k; i < len * r->n; i += r->n)
            d[i] = once_less(d[i] + (w ? times((uint32_t)w[k], (uint32_t)c[k], a[i], m) : a[i]), m);
    }
}

static void zero(const pm_ring *ring, void *dst, int64_t len)
{
    memset(dst, 0, (size_t)(len * ring->value_bytes));
}

static void one(const pm_ring *ring, void *dst)
{
    const narrow_residues *r = (const narrow_residues *)ring;
    for (int k = 0; k < r->n; ++k)
        ((uint32_t *)dst)[k] = 1 % r->m[k];
}

static void pull(const pm_ring *ring, void *dst, const void *old, const int64_t *src,
                 const int64_t *entry, int nsrc, int64_t len)
{
    const narrow_residues *r = (const narrow_residues *)ring;
    int first = entry[0] == PM_UNIT && dst == (const uint32_t *)old + src[0] * r->n;
    if (!first)
        zero(ring, dst, len);
    for (int s = first; s < nsrc; ++s)
        add(r, dst, (const uint32_t *)old + src[s] * r->n, entry[s], len);
}

static void push(const pm_ring *ring, void *dst, const void *old, int64_t src, int64_t entry)
{
    const narrow_residues *r = (const narrow_residues *)ring;
    add(r, dst, (const uint32_t *)old + src * r->n, entry, 1);
}

static void gather(const pm_ring *ring, void *dst, const void *old, const int64_t *index,
                   int64_t len)
{
    const narrow_residues *r = (const narrow_residues *)ring;
    uint32_t *d = dst;
    const uint32_t *a = old;
    for (int64_t i = 0; i < len; ++i)
        for (int k = 0; k < r->n; ++k)
            d[i * r->n + k] = a[index[i] * r->n + k];
}

static void finish(const pm_ring *ring, const void *value, int64_t depth, pm_value *out,
                   uint64_t *result)
{
    const narrow_residues *r = (const narrow_residues *)ring;
    (void)depth;
    (void)out;
    for (int k = 0; k < r->n; ++k)
        result[k] = ((const uint32_t *)value)[k];
}

static void free_ring(pm_ring *ring)
{
    narrow_residues *r = (narrow_residues *)ring;
    free(r->constants);
    free(r);
}

static pm_status prepare_weights(narrow_residues *r, const pm_matrix *a, pm_error *err)
{
    int64_t nnz = a->field == PM_PATTERN ? 0 : pm_matrix_nnz(a), count = nnz * r->n;
    r->constants = pm_alloc_array(1 + r->n + 2 * count, sizeof *r->constants);
    if (!r->constants)
        return pm_fail_memory(err, "weights modulo primes");
    r->constants[0] = (uint64_t)count;
    for (int i = 0; i < r->n; ++i)
        r->constants[1 + i] = r->m[i];
    r->weight = r->constants + 1 + r->n;
    r->shoup = r->weight + count;
    for (int64_t k = 0; k < nnz; ++k)
        for (int i = 0; i < r->n; ++i) {
            uint64_t w = pm_dyadic_mod(&a->re[k], r->m[i]);
            r->weight[k * r->n + i] = w;
            r->shoup[k * r->n + i] = (w << 32) / r->m[i];
        }
    return PM_OK;
}

pm_status pm_ring_narrow(const pm_block *b, const uint64_t *m, int n, pm_ring **out, pm_error *err)
{
    narrow_residues *r = pm_calloc_array(1, sizeof *r);
    if (!r)
        return pm_fail_memory(err, "residues");
    r->n = n;
    for (int i = 0; i < n; ++i)
        r->m[i] = (uint32_t)m[i];
    pm_status status = prepare_weights(r, &b->a, err);
    if (status) {
        free_ring(&r->ring);
        return status;
    }
    int64_t constants = 1 + n + 2 * (int64_t)r->constants[0];
    r->ring = (pm_ring){.value_bytes = n * (int64_t)sizeof(uint32_t),
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
