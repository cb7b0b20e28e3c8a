/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/thin_rule.h: the arithmetic of thinning (beam/beam_thin.h): the threshold c of the scores,
 * and the part of a score below c.  The text is C for the CPU and CUDA C++ for kernels, after a
 * prelude that defines PM_FN, so that both decide alike.
 *
 * Scores are counted in buckets, eight for each octave.  All scores of a bucket are taken to be
 * equal to its middle, which is right within a factor of 1 +- 1/17.  Sums are sums of integers, or
 * are added from the lowest octave up, so they do not depend on the number of threads. */
#ifndef PM_THIN_RULE_H
#define PM_THIN_RULE_H

#ifndef PM_FN
#define PM_FN static inline
#endif

enum {
    PM_THIN_OCTAVES = 64, /* all smaller scores are counted in the last bucket */
    PM_THIN_BUCKETS = 8 * PM_THIN_OCTAVES,
    PM_THIN_FRACTION = 62, /* parts are integers in units of c 2^-62 */
    PM_THIN_SHIFT = 49     /* bits of a double below its exponent and three bits of its mantissa */
};

typedef union {
    double value;
    long long bits;
} pm_thin_word;

/* The exponent and three bits of the mantissa of x > 0: an integer that grows with x. */
PM_FN long long pm_thin_digits(double x)
{
    pm_thin_word w;
    w.value = x;
    return w.bits >> PM_THIN_SHIFT;
}

/* pm_thin_digits of bucket 0: the highest bucket of the octave of the largest score. */
PM_FN long long pm_thin_top(double largest)
{
    return pm_thin_digits(largest) | 7;
}

/* The bucket of a score > 0 that is at most the largest one; 0 is the highest bucket. */
PM_FN int pm_thin_bucket(long long top, double score)
{
    long long b = top - pm_thin_digits(score);
    return b < PM_THIN_BUCKETS ? (int)b : PM_THIN_BUCKETS - 1;
}

/* The unit of octave o; octave 0 is the highest.  The octave ends at 32 units, and its bucket k
 * holds the scores of 30 - 2 k .. 32 - 2 k units.  At least 2^-960, where scores are so small that a
 * threshold or its inverse would leave the range of a double: then fewer states are kept. */
PM_FN double pm_thin_unit(long long top, int o)
{
    pm_thin_word w;
    long long exponent = (top >> 3) - o - 4;
    w.bits = (exponent < 63 ? 63 : exponent) * (1ll << (PM_THIN_SHIFT + 3));
    return w.value;
}

/* The number of scores of an octave, and their sum in units of the octave. */
typedef struct {
    long long number, sum;
} pm_thin_octave;

PM_FN pm_thin_octave pm_thin_octave_of(const unsigned *count, int o)
{
    pm_thin_octave x = {0, 0};
    for (int k = 0; k < 8; ++k) {
        x.number += count[8 * o + k];
        x.sum += (long long)count[8 * o + k] * (31 - 2 * k);
    }
    return x;
}

/* The threshold c if it lies in octave o, in units of that octave.
 * above: number of scores in higher octaves; below: sum of the scores in lower octaves. */
PM_FN double pm_thin_cut(const unsigned *count, int o, long long above, double below, double keep)
{
    for (int k = 0; k < 7; ++k)
        above += count[8 * o + k];
    for (int k = 7; k >= 0; --k) {
        double sum = below + (double)count[8 * o + k] * (31 - 2 * k), room = keep - (double)above;
        if (sum <= room * (32 - 2 * k)) {
            double c = sum > 0 ? sum / room : 0, least = 30 - 2 * k;
            int is_last = o == PM_THIN_OCTAVES - 1 && k == 7;
            return c < least && !(is_last && c > 0) ? least : c;
        }
        below = sum;
        above -= k > 0 ? count[8 * o + k - 1] : 0;
    }
    return below / keep; /* above the largest score */
}

/* The threshold c: approximately the smallest number for which the sum over the states of
 * min(1, score / c), the expected number of states that are kept, is at most `keep`; this sum is
 * below 18/17 keep.  keep >= 1.
 * count, octave: the histogram; top: pm_thin_top of the largest score. */
PM_FN double pm_thin_threshold(const unsigned *count, const pm_thin_octave *octave, double keep,
                               long long top)
{
    long long above = 0;
    double below = 0;
    int o = PM_THIN_OCTAVES - 1;
    for (int i = 0; i < o; ++i)
        above += octave[i].number;
    for (; o > 0; --o) {
        double all = below + (double)octave[o].sum;
        if (all <= (keep - (double)above) * 32)
            break;
        below = all / 2;
        above -= octave[o - 1].number;
    }
    return pm_thin_cut(count, o, above, below, keep) * pm_thin_unit(top, o);
}

/* score / c in units of 2^-PM_THIN_FRACTION, score < c; inverse: 1 / c. */
PM_FN unsigned long long pm_thin_part(double score, double inverse)
{
    return (unsigned long long)(long long)(score * inverse * (double)(1ll << PM_THIN_FRACTION));
}

#endif
