/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/necklace_step.h: words of n beads of the colours 0 and 1, n <= 62, as numbers: the first bead is bit n - 1.  A bead of colour 1
 * is a column of a set.  The text is C for the CPU and CUDA C++ for kernels, after a prelude that defines PM_FN and PM_POPCOUNT, so that
 * both choose the same words.
 *
 * A necklace is a word that none of its shifts is below. */
#ifndef PM_NECKLACE_STEP_H
#define PM_NECKLACE_STEP_H

#ifndef PM_FN
#define PM_FN static inline
#endif
#ifndef PM_POPCOUNT
#define PM_POPCOUNT(x) __builtin_popcountll(x)
#endif
#ifdef __CUDACC__
#define PM_LEADING(x) __clzll((long long)(x))
#define PM_TURNED(x)  __brevll(x)
#else
#define PM_LEADING(x) __builtin_clzll(x)
#define PM_TURNED(x)  pm_turned_bits(x)

/* The bits of x from the last one to the first one. */
PM_FN unsigned long long pm_turned_bits(unsigned long long x)
{
    x = __builtin_bswap64(x);
    x = (x & 0x0f0f0f0f0f0f0f0full) << 4 | (x >> 4 & 0x0f0f0f0f0f0f0f0full);
    x = (x & 0x3333333333333333ull) << 2 | (x >> 2 & 0x3333333333333333ull);
    return (x & 0x5555555555555555ull) << 1 | (x >> 1 & 0x5555555555555555ull);
}
#endif

/* The beads `by` + 1, ..., n, 1, ..., `by` of a word; 0 < by < n. */
PM_FN unsigned long long pm_beads_from(unsigned long long x, int by, int n)
{
    return (x << by | x >> (n - by)) & ((1ull << n) - 1);
}

/* The pairs of beads of colour 1 at a distance of d in one direction around the circle, 0 < d < n. */
PM_FN int pm_beads_pairs(unsigned long long x, int d, int n)
{
    return (int)PM_POPCOUNT(x & (x >> d | x << (n - d)));
}

/* The places, as bits, where `count` beads of colour 0 begin, 0 < count < n. */
PM_FN unsigned long long pm_beads_zeros(unsigned long long x, int count, int n)
{
    unsigned long long at = ~x & ((1ull << n) - 1);
    for (int have = 1, more; have < count; have += more) {
        more = count - have < have ? count - have : have;
        at &= pm_beads_from(at, more, n);
    }
    return at;
}

/* The number of different shifts of x, if x is a necklace; or 0.  x: the first bead is 0, the last one 1. */
PM_FN int pm_necklace_shifts(unsigned long long x, int n)
{
    const int zeros = PM_LEADING(x) - (64 - n);
    unsigned long long at = pm_beads_zeros(x, zeros, n);
    if (zeros + 1 < n && at & pm_beads_from(~x & ((1ull << n) - 1), zeros, n))
        return 0;
    for (at ^= 1ull << (n - 1); at;) {
        const int by = PM_LEADING(at) - (64 - n);
        const unsigned long long shifted = pm_beads_from(x, by, n);
        if (shifted <= x)
            return shifted == x ? by : 0;
        at ^= 1ull << (n - 1 - by);
    }
    return n;
}

/* 2 if the necklace of the turned word is above x, which is a necklace, 1 if it is the same, 0 if it is below. */
PM_FN int pm_necklace_sides(unsigned long long x, int n)
{
    const unsigned long long turned = PM_TURNED(x) >> (64 - n);
    int sides = 2;
    for (unsigned long long at = pm_beads_zeros(turned, PM_LEADING(x) - (64 - n), n); at;) {
        const int by = PM_LEADING(at) - (64 - n);
        const unsigned long long shifted = by ? pm_beads_from(turned, by, n) : turned;
        if (shifted < x)
            return 0;
        if (shifted == x)
            sides = 1;
        at ^= 1ull << (n - 1 - by);
    }
    return sides;
}

/* The words that x stands for: its shifts and, if has_sides, those of the turned word; 0 where another word stands for them. */
PM_FN int pm_necklace_words(unsigned long long x, int n, int has_sides)
{
    const int shifts = pm_necklace_shifts(x, n);
    return shifts && has_sides ? shifts * pm_necklace_sides(x, n) : shifts;
}

/* The last beads of a word that begins with a prefix: all free ones from the bits of `number`, then, if is_even, one that makes
 * the ones of the word an even number, then a 1.  ones: of the prefix. */
PM_FN unsigned long long pm_necklace_end(unsigned long long number, int ones, int is_even)
{
    return is_even
               ? number << 2
                     | ((unsigned long long)PM_POPCOUNT(number) + (unsigned)ones + 1) % 2 * 2 | 1
               : number << 1 | 1;
}

#endif
