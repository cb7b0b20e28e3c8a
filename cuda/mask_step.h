/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/mask_step.h: one step of a mask program (masks/mask_program.h) as CPU and GPU run it: which states it writes, and what
 * each of them becomes.  The text is C for the CPU and CUDA C++ for kernels, after a prelude that defines PM_FN, so that both do the same.
 *
 * The number of a state is the set of its bits.  A step writes states in place, in any sequence: a sum reads states that
 * it does not write, or the state itself; an exchange writes pairs of states. */
#ifndef PM_MASK_STEP_H
#define PM_MASK_STEP_H

#ifndef PM_FN
#define PM_FN static inline
#endif

enum {
    PM_MASK_SLOTS = 60,                  /* bits of a number, at most */
    PM_MASK_SOURCES = PM_MASK_SLOTS + 2, /* of a state, at most */
    PM_MASK_LOW = 8                      /* the lowest bits, which exchanges of bits fill */
};

/* A term of a sum: the state `number ^ flip`, times a weight.  It is present where
 * (number & mask) == value, and, if parity >= 0, the bits of number & live have this parity. */
typedef struct {
    unsigned long long mask, value, flip;
    int weight; /* an entry of the block, or -1 for 1 */
    int parity;
} pm_mask_source;

/* Bits of an index that are moved up together. */
typedef struct {
    unsigned long long mask;
    int up;
    int unused; /* aligns the next member */
} pm_mask_segment;

typedef struct {
    /* The numbers of the step: `fixed`, and 2^bits indices whose bits the segments move to their places. */
    unsigned long long fixed;
    int bits, segments;
    pm_mask_segment segment[PM_MASK_SLOTS];

    /* Sums: the state itself if `keeps`, then the sources. */
    int is_exchange, keeps, sources;
    int span_bits; /* so many lowest bits of an index are those of the number, and change no source but by themselves */
    int count, unused;       /* count: see below; unused aligns the next member */
    unsigned long long live; /* the bits whose parity sources and exchanges ask for */
    pm_mask_source source[PM_MASK_SOURCES];
    /* Unless `counted` is 0, only states are written in which `count` of these bits differ from `base`. */
    unsigned long long counted, base;

    /* Exchanges: bits low[k] and high[k] change places; or, if `turned` is a bit, it is turned where the bits of
     * number & live have the parity `odd`. */
    int pairs, odd;
    unsigned long long turned;
    int low[PM_MASK_LOW], high[PM_MASK_LOW];
} pm_mask_flat;

/* 0 or 1: the sum of the bits modulo 2. */
PM_FN int pm_mask_parity(unsigned long long x)
{
    x ^= x >> 32;
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    return 0x6996 >> (x & 15) & 1;
}

PM_FN int pm_mask_ones(unsigned long long x)
{
    int count = 0;
    for (; x; x &= x - 1)
        ++count;
    return count;
}

/* Number `index` of the numbers of the step, in ascending sequence. */
PM_FN unsigned long long pm_mask_number(const pm_mask_flat *s, unsigned long long index)
{
    unsigned long long number = s->fixed;
    for (int k = 0; k < s->segments; ++k)
        number |= (index & s->segment[k].mask) << s->segment[k].up;
    return number;
}

/* Whether a sum writes the state `number`. */
PM_FN int pm_mask_is_written(const pm_mask_flat *s, unsigned long long number)
{
    return !s->counted || pm_mask_ones((number ^ s->base) & s->counted) == s->count;
}

/* Whether a state that a sum writes has this source. */
PM_FN int pm_mask_has(const pm_mask_flat *s, const pm_mask_source *t, unsigned long long number)
{
    return (number & t->mask) == t->value
           && (t->parity < 0 || pm_mask_parity(number & s->live) == t->parity);
}

/* The state that an exchange puts in the place of `number`, and `number` in its place. */
PM_FN unsigned long long pm_mask_partner(const pm_mask_flat *s, unsigned long long number)
{
    unsigned long long other = number;
    for (int k = 0; k < s->pairs; ++k)
        if ((number >> s->low[k] ^ number >> s->high[k]) & 1)
            other ^= 1ULL << s->low[k] | 1ULL << s->high[k];
    if (s->turned && pm_mask_parity(number & s->live) == s->odd)
        other ^= s->turned;
    return other;
}

#endif
