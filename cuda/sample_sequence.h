/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/sample_sequence.h: the random numbers of one sample, and the weight that it collects.
 *
 * Key: the seed; counter: (position, block, sample low, sample high).  A position gives two numbers
 * of 64 bits.  The text is CUDA C++ too (cuda/philox_block.h); PM_MUL_HIGH(a, b) is the upper half
 * of a product of two 64-bit numbers. */
#ifndef PM_SAMPLE_SEQUENCE_H
#define PM_SAMPLE_SEQUENCE_H

#ifndef PM_KERNEL_TEXT
#include "cuda/philox_block.h"
#endif

#ifndef PM_MUL_HIGH
#define PM_MUL_HIGH(a, b) ((uint64_t)((unsigned __int128)(a) * (b) >> 64))
#endif

typedef struct {
    uint32_t key[2], counter[4];
    uint64_t second; /* the other number of the position before */
    int has_second;
} pm_sample_sequence;

PM_FN pm_sample_sequence pm_sample_sequence_of(uint64_t seed, uint32_t block, uint64_t sample)
{
    pm_sample_sequence s;
    s.key[0] = (uint32_t)seed;
    s.key[1] = (uint32_t)(seed >> 32);
    s.counter[0] = 0;
    s.counter[1] = block;
    s.counter[2] = (uint32_t)sample;
    s.counter[3] = (uint32_t)(sample >> 32);
    s.second = 0;
    s.has_second = 0;
    return s;
}

PM_FN uint64_t pm_sample_sequence_bits(pm_sample_sequence *s)
{
    uint32_t word[4];
    if (s->has_second) {
        s->has_second = 0;
        return s->second;
    }
    pm_philox_block(s->counter, s->key, word);
    ++s->counter[0];
    s->second = (uint64_t)word[3] << 32 | word[2];
    s->has_second = 1;
    return (uint64_t)word[1] << 32 | word[0];
}

/* Uniform in 0 .. bound - 1, without bias; bound > 0 (Lemire 2019). */
PM_FN uint64_t pm_sample_sequence_below(pm_sample_sequence *s, uint64_t bound)
{
    uint64_t bits = pm_sample_sequence_bits(s), low = bits * bound;
    if (low < bound) {
        uint64_t reject = (0 - bound) % bound;
        while (low < reject) {
            bits = pm_sample_sequence_bits(s);
            low = bits * bound;
        }
    }
    return PM_MUL_HIGH(bits, bound);
}

/* Uniform in [0, 1), a multiple of 2^-53. */
PM_FN double pm_sample_sequence_unit(pm_sample_sequence *s)
{
    return (double)(pm_sample_sequence_bits(s) >> 11) * 0x1p-53;
}

/* ---- a product that never overflows: m 2^e ---- */

typedef struct {
    double m;
    int64_t e;
} pm_wide_product;

/* by: 0, or within 2^-900 .. 2^900 */
PM_FN void pm_wide_product_multiply(pm_wide_product *p, double by)
{
    p->m *= by;
    while (p->m >= 0x1p100) {
        p->m *= 0x1p-100;
        p->e += 100;
    }
    while (p->m > 0 && p->m < 0x1p-100) {
        p->m *= 0x1p100;
        p->e -= 100;
    }
}

/* *p with 0.5 <= m < 1, or zero. */
PM_FN void pm_wide_product_normalise(pm_wide_product *p)
{
    union {
        double value;
        uint64_t bits;
    } m;
    m.value = p->m;
    if (!(p->m > 0)) {
        p->m = 0;
        p->e = 0;
        return;
    }
    p->e += (int64_t)(m.bits >> 52) - 1022;
    m.bits = (m.bits & 0x000fffffffffffff) | (uint64_t)1022 << 52;
    p->m = m.value;
}

#endif
