/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/philox_block.h: the random number generator Philox4x32-10.  The text is C for the host and,
 * after cuda/prelude.cuh and cuda/words.cuh, CUDA C++ for devices, so both draw the same numbers.
 * Source: Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3". */
#ifndef PM_PHILOX_BLOCK_H
#define PM_PHILOX_BLOCK_H

#ifndef PM_KERNEL_TEXT
#include <stdint.h>
#endif

#ifndef PM_FN
#define PM_FN static inline __attribute__((always_inline)) /* into each PM_VECTORISED clone */
#endif

/* out: the block of four words for this counter and key. */
PM_FN void pm_philox_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; ++round) {
        uint64_t a = (uint64_t)0xD2511F53u * c0, b = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)b;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)a;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

#endif
