/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/philox.h"

#include <assert.h>

#include "cuda/philox_block.h"

void pm_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    pm_philox_block(counter, key, out);
}

uint64_t pm_random_bits(pm_random *r)
{
    const uint32_t counter[4] = {(uint32_t)r->position, (uint32_t)(r->position >> 32),
                                 (uint32_t)r->sequence, (uint32_t)(r->sequence >> 32)};
    const uint32_t key[2] = {(uint32_t)r->seed, (uint32_t)(r->seed >> 32)};
    uint32_t out[4];
    pm_philox(counter, key, out);
    ++r->position;
    return (uint64_t)out[1] << 32 | out[0];
}

/* Lemire 2019: the high half of bits * bound; low halves below 2^64 mod bound are drawn again. */
uint64_t pm_random_below(pm_random *r, uint64_t bound)
{
    assert(bound > 0);
    unsigned __int128 product = (unsigned __int128)pm_random_bits(r) * bound;
    if ((uint64_t)product < bound) {
        uint64_t reject = -bound % bound;
        while ((uint64_t)product < reject)
            product = (unsigned __int128)pm_random_bits(r) * bound;
    }
    return (uint64_t)(product >> 64);
}

double pm_random_unit(pm_random *r)
{
    return (double)((pm_random_bits(r) >> 11) + 1) * 0x1p-53;
}
