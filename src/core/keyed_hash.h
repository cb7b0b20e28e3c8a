/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/keyed_hash.h: hashes for tables whose keys come from the input.  Someone who does not know
 * the seed, pm_settings.hash_seed, cannot choose keys that collide.  Nothing that is printed may depend on
 * these hashes: only the place in a table may. */
#ifndef PM_KEYED_HASH_H
#define PM_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

/* SipHash-1-3 of size bytes, with the key pm_settings.hash_seed, where `before` is added to its
 * first word: 0, or the hash of what stands before these bytes.
 * Source: Aumasson and Bernstein 2012. */
uint64_t pm_keyed_hash(uint64_t before, const void *data, size_t size);

/* For keys of 128 bits where SipHash would take too long: one multiplication of the halves, each
 * XORed with a word of the seed.  Weaker than SipHash, but which keys collide depends on the seed.
 * Source: the mixing step of wyhash (Wang Yi 2019). */
static inline uint64_t pm_keyed_mix(const uint64_t seed[2], uint64_t low, uint64_t high)
{
    const unsigned __int128 product =
        (unsigned __int128)(low ^ seed[0] ^ UINT64_C(0xa0761d6478bd642f))
        * (high ^ seed[1] ^ UINT64_C(0xe7037ed1a0b428db));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
