/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/ring.h: the arithmetic of the frontier method.
 *
 * An engine knows which states flow into which; a ring knows what a value is: residues modulo
 * several numbers side by side, or a real or complex number with an exponent and an error bound.
 * An engine calls a ring once for each span of states, so the cost of the call is negligible. */
#ifndef PM_RING_H
#define PM_RING_H

#include <stdint.h>

#include "order/block_graph.h"
#include "pm/reduce.h"
#include "pm/status.h"
#include "pm/value.h"

typedef struct pm_ring pm_ring;

/* An array of values is given as a pointer to its first value; indices and lengths count values.
 * All functions but free are thread-safe. */
struct pm_ring {
    int64_t value_bytes; /* of one value */

    /* For engines on a device.  Residues: lanes is their number, parts is 0, and constants is an
     * array of uint64_t: the number of weights (0 for a pattern), the moduli, the weights
     * [entry * lanes + r] and their Shoup companions (number/prime.h; for residues of 32 bits with
     * 2^32 in place of 2^64).  Real and complex numbers:
     * lanes is 0, parts is 1 and 2, and constants is an array of values: the weights. */
    int lanes, parts;
    const void *constants;
    int64_t constants_bytes;

    /* zero: dst[i] = 0 for i < len.  one: dst[0] = 1. */
    void (*zero)(const pm_ring *r, void *dst, int64_t len);
    void (*one)(const pm_ring *r, void *dst);

    /* dst[i] = sum over s < nsrc of weight(entry[s]) * old[src[s] + i] for i < len.
     * nsrc >= 1; the terms are added in the sequence of s.  entry[s]: an entry of the block's
     * matrix, or PM_UNIT.  dst does not overlap what is read; but it may be the first source, if this has the
     * entry PM_UNIT, or, but for residues of 32 bits, is the only one. */
    void (*pull)(const pm_ring *r, void *dst, const void *old, const int64_t *src,
                 const int64_t *entry, int nsrc, int64_t len);

    /* dst[0] += weight(entry) * old[src] */
    void (*push)(const pm_ring *r, void *dst, const void *old, int64_t src, int64_t entry);

    /* dst[i] = old[index[i]] for i < len */
    void (*gather)(const pm_ring *r, void *dst, const void *old, const int64_t *index, int64_t len);

    /* Converts the final value of a program.  Residues: sets residues[0 .. lanes-1] and ignores
     * out.  Real and complex numbers: sets *out with its error bound and ignores residues.
     * depth: as in pm_frontier_program. */
    void (*finish)(const pm_ring *r, const void *value, int64_t depth, pm_value *out,
                   uint64_t *residues);
    void (*free)(pm_ring *r);
};

/* Residues modulo m[0 .. n-1], each below 2^62; n is 1, 2, 4, 8, 16 or 32.
 * b: a pattern or integer block.  Fails: PM_ENOMEM. */
pm_status pm_ring_residues(const pm_block *b, const uint64_t *m, int n, pm_ring **out,
                           pm_error *err);

/* The same in words of 32 bits: half the bytes a value.  Each modulus is below 2^31; n is 1 .. 8. */
pm_status pm_ring_narrow(const pm_block *b, const uint64_t *m, int n, pm_ring **out, pm_error *err);

/* Real and complex numbers: double-doubles with an exponent, each with the sum of the absolute
 * values of its terms.  Fails: PM_ENOMEM. */
pm_status pm_ring_real(const pm_block *b, pm_ring **out, pm_error *err);
pm_status pm_ring_complex(const pm_block *b, pm_ring **out, pm_error *err);

#endif
