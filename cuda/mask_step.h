/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/mask_step.h: the steps of a mask program (masks/mask_program.h), and the predecessors of a state.  The text is C for
 * the CPU and CUDA C++ for kernels, after a prelude that defines PM_FN, so that both do the same.
 *
 * A state is a number: bit q is the digit of a slot.  The slots that two levels have in common keep their sequence, so the number of the
 * predecessor in which nothing of the step has happened (`base`) consists of segments of the new number, each
 * moved by some bits.  In it the vertex of the step and the neighbours that are matched now are unmatched, those that leave are
 * matched.  Each way to match the vertex changes one or two bits of it. */
#ifndef PM_MASK_STEP_H
#define PM_MASK_STEP_H

#ifndef PM_FN
#define PM_FN static inline
#endif

enum {
    PM_MASK_SLOTS = 60,                 /* of a level, at most */
    PM_MASK_SOURCES = PM_MASK_SLOTS + 4 /* predecessors of a state, at most */
};

/* A neighbour of the vertex of the step. */
typedef struct {
    unsigned long long bit;     /* of its digit in the new number; leaves: 0 */
    unsigned long long old_bit; /* in the old number; enters: 0 */
    int weight;                 /* of the edge: an entry of the block, or -1 for 1 */
    int unused;                 /* aligns the next member */
} pm_mask_partner;

/* Bits of the new number that are moved up together; permutations: one bit. */
typedef struct {
    unsigned long long mask;
    int up;     /* by so many places, down if negative; permutations: to this place from place 0 */
    int unused; /* aligns the next member */
} pm_mask_segment;

typedef struct {
    int is_permutation;
    int bits;      /* of the numbers of the new states */
    int span_bits; /* so many lowest bits are the same in all predecessors */
    int is_weighted;
    int segments;
    int staying, entering, leaving; /* partners, in this sequence */
    int both;                       /* neighbours that must be matched to the vertex; at most 1 */
    int both_weight;
    int has_own;  /* the vertex has a slot in the old level */
    int has_loop; /* it may stay alone */
    int loop_weight;
    int parity; /* of the digit sum of the new states, where a digit is implied */
    /* The digit of the lowest slot is not in the new number, but not inside the spans either:
     * 0 no, 1 untouched, 2 stays, 3 enters. */
    int implied;
    int implied_weight;
    int drops;  /* permutations: numbers with another parity than `parity` are no states */
    int unused; /* aligns the next member */
    unsigned long long fixed;       /* neighbours that leave, in the old number */
    unsigned long long own_bit;     /* the vertex in the old number, 0 if its digit is not in it */
    unsigned long long implied_bit; /* that digit in the old number */
    unsigned long long stays, enters; /* the bits of these partners */
    pm_mask_segment segment[PM_MASK_SLOTS + 1];
    pm_mask_partner partner[PM_MASK_SLOTS];
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

/* The digit of the lowest slot of a new state. */
PM_FN int pm_mask_implied(const pm_mask_flat *s, unsigned long long number)
{
    return s->implied && pm_mask_parity(number) != s->parity;
}

/* The old number of a state of a permutation, without the digit that is implied. */
PM_FN unsigned long long pm_mask_bits_moved(const pm_mask_flat *s, unsigned long long number)
{
    unsigned long long old = 0;
    for (int k = 0; k < s->segments; ++k)
        if (number & s->segment[k].mask)
            old |= 1ULL << s->segment[k].up;
    return old;
}

/* The old number of a state of a permutation. */
PM_FN unsigned long long pm_mask_moved(const pm_mask_flat *s, unsigned long long number)
{
    return pm_mask_bits_moved(s, number) | (pm_mask_implied(s, number) ? s->implied_bit : 0);
}

/* A number that is no state. */
PM_FN int pm_mask_is_dropped(const pm_mask_flat *s, unsigned long long number)
{
    return s->drops && pm_mask_parity(number) != s->parity;
}

/* The predecessors of the new state `number`: their numbers, and the weights with which they are added (entries, or -1).
 * Returns how many there are. */
PM_FN int pm_mask_sources(const pm_mask_flat *s, unsigned long long number, long long *src,
                          int *weight)
{
    const int implied = pm_mask_implied(s, number);
    const unsigned long long entered = number & s->enters;
    unsigned long long base = s->fixed + (implied ? s->implied_bit : 0);
    int n = 0;
    for (int k = 0; k < s->segments; ++k) {
        const unsigned long long part = number & s->segment[k].mask;
        base += s->segment[k].up < 0 ? part >> -s->segment[k].up : part << s->segment[k].up;
    }
    const int count = (entered ? pm_mask_ones(entered) : 0) + (implied && s->implied == 3);
    if (count > 1 || (count == 1 && s->both))
        return 0;
    if (count == 1) { /* the vertex is matched to a neighbour that enters */
        weight[0] = s->implied_weight;
        for (int k = s->staying; k < s->staying + s->entering; ++k)
            if (s->partner[k].bit & entered)
                weight[0] = s->partner[k].weight;
        src[0] = (long long)base;
        return 1;
    }
    if (s->both) {
        src[0] = (long long)base;
        weight[0] = s->both_weight;
        return 1;
    }
    if (s->has_own) {
        src[n] = (long long)(base + s->own_bit);
        weight[n++] = -1;
    }
    if (s->has_loop) {
        src[n] = (long long)base;
        weight[n++] = s->loop_weight;
    }
    if (implied && s->implied == 2) {
        src[n] = (long long)(base - s->implied_bit);
        weight[n++] = s->implied_weight;
    }
    for (int k = 0; k < s->staying; ++k)
        if (number & s->partner[k].bit) {
            src[n] = (long long)(base - s->partner[k].old_bit);
            weight[n++] = s->partner[k].weight;
        }
    for (int k = s->staying + s->entering; k < s->staying + s->entering + s->leaving; ++k) {
        src[n] = (long long)(base - s->partner[k].old_bit);
        weight[n++] = s->partner[k].weight;
    }
    return n;
}

#endif
