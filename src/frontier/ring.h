/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/ring.h: the arithmetic of the frontier kernels, on runs of values.
 *
 * A kernel knows which states flow into which; a ring knows what a value is: residues modulo
 * several primes side by side, or a real or complex number with exponent and error bound.  The
 * kernels call a ring once a run of neighbouring states, so that the call costs nothing. */
#ifndef PM_RING_H
#define PM_RING_H

#include <stdint.h>

#include "order/block_graph.h"
#include "pm/reduce.h"
#include "pm/status.h"
#include "pm/value.h"

typedef struct pm_ring pm_ring;

struct pm_ring {
    int64_t value_bytes;

    /* For kernels elsewhere.  Residues: lanes = n, and in constants the number of weights (0 for a
     * pattern), the moduli, the weights [entry * n + r], their Shoup companions, all uint64_t.
     * Real and complex: parts = 1 and 2, lanes = 0, constants are the weights as values. */
    int lanes, parts;
    const void *constants;
    int64_t constants_bytes;

    /* dst[0..len-1] = 0; dst[0] = 1 */
    void (*zero)(const pm_ring *r, void *dst, int64_t len);
    void (*one)(const pm_ring *r, void *dst);

    /* dst[i] = sum over s < nsrc of weight(entry[s]) * old[src[s] + i] for i < len, nsrc >= 1,
     * added from s = 0 on.  entry: of the block's matrix, or PM_UNIT.  dst and old apart. */
    void (*pull)(const pm_ring *r, void *dst, const void *old, const int64_t *src,
                 const int64_t *entry, int nsrc, int64_t len);

    /* dst[0] += weight(entry) * old[src] */
    void (*push)(const pm_ring *r, void *dst, const void *old, int64_t src, int64_t entry);

    /* dst[i] = old[index[i]] */
    void (*gather)(const pm_ring *r, void *dst, const void *old, const int64_t *index, int64_t len);

    /* Answer of a finished programme that made `depth` additions and multiplications one after
     * the other at most: an inexact ring sets out; residues[] is set by an exact one. */
    void (*finish)(const pm_ring *r, const void *value, int64_t depth, pm_value *out,
                   uint64_t *residues);
    void (*free)(pm_ring *r);
};

/* Residues modulo m[0..n-1], each below 2^62; n in 1, 2, 4, 8, 16, 32.
 * Block of field pattern or integer. */
pm_status pm_ring_residues(const pm_block *b, const uint64_t *m, int n, pm_ring **out,
                           pm_error *err);

/* Double-double real or complex numbers with exponents, and the sum of absolute values beside. */
pm_status pm_ring_real(const pm_block *b, pm_ring **out, pm_error *err);
pm_status pm_ring_complex(const pm_block *b, pm_ring **out, pm_error *err);

#endif
