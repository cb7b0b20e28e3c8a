/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/sample_sequence.h: the random sequence of one sample, and a product with an exponent of its
 * own for the weight of the sample.  The text is C for the CPU and CUDA C++ for kernels
 * (cuda/philox_block.h).
 *
 * Philox's key is the seed; its counter is (position, block, low word of sample, high word of
 * sample).  Each position gives two numbers of 64 bits.
 * PM_MUL_HIGH(a, b) is the upper half of the product of two 64-bit numbers. */
#ifndef PM_SAMPLE_SEQUENCE_H
#define PM_SAMPLE_SEQUENCE_H

#ifndef PM_KERNEL_TEXT
#include "cuda/philox_block.h"
#endif

#ifndef PM_MUL_HIGH
#define PM_MUL_HIGH(a, b) ((uint64_t)((unsigned __int128)(a) * (b) >> 64))
#endif

/* Not thread-safe: one object a sample. */
typedef struct {
    uint32_t key[2], counter[4];
    uint64_t second; /* the second number of the last position, where has_second */
    int has_second;
} pm_sample_sequence;

/* The sequence of a sample, at its first position. */
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

/* The next 64 uniform bits. */
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

/* ---- a product of doubles ---- */

/* m 2^e >= 0, with 2^-100 <= m < 2^100 or m = 0: it neither overflows nor underflows. */
typedef struct {
    double m;
    int64_t e;
} pm_wide_product;

/* *p *= factor; factor is 0 or between 2^-900 and 2^900. */
PM_FN void pm_wide_product_multiply(pm_wide_product *p, double factor)
{
    p->m *= factor;
    while (p->m >= 0x1p100) {
        p->m *= 0x1p-100;
        p->e += 100;
    }
    while (p->m > 0 && p->m < 0x1p-100) {
        p->m *= 0x1p100;
        p->e -= 100;
    }
}

/* Changes m and e, not the value, to 0.5 <= m < 1, or to m = e = 0. */
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
