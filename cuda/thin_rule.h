/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/thin_rule.h: where scores are cut, and who stays: the arithmetic of beam_thin.h.  The text
 * is CUDA C++ too, after a prelude that defines PM_FN, so that processors and devices decide alike.
 *
 * Scores are counted in buckets, eight an octave, each taken to hold scores of its middle: that is
 * right within 1/17.  Sums are of integers, or go from the lowest octave up, so that nothing depends
 * on who adds what. */
#ifndef PM_THIN_RULE_H
#define PM_THIN_RULE_H

#ifndef PM_FN
#define PM_FN static inline
#endif

enum {
    PM_THIN_OCTAVES = 64, /* the last bucket holds all that is smaller too */
    PM_THIN_BUCKETS = 8 * PM_THIN_OCTAVES,
    PM_THIN_FRACTION = 62, /* bits of c */
    PM_THIN_SHIFT = 49     /* bits of a double below exponent and three digits of the mantissa */
};

typedef union {
    double value;
    long long bits;
} pm_thin_word;

/* Exponent and three digits of the mantissa. */
PM_FN long long pm_thin_digits(double x)
{
    pm_thin_word w;
    w.value = x;
    return w.bits >> PM_THIN_SHIFT;
}

/* The digits that buckets are counted from: of the end of the octave of the largest score. */
PM_FN long long pm_thin_top(double largest)
{
    return pm_thin_digits(largest) | 7;
}

/* Of 0 < score <= the largest. */
PM_FN int pm_thin_bucket(long long top, double score)
{
    long long b = top - pm_thin_digits(score);
    return b < PM_THIN_BUCKETS ? (int)b : PM_THIN_BUCKETS - 1;
}

/* Octave o, counted down from the top one, ends at 32 units; bucket k of it holds scores of
 * 30 - 2 k .. 32 - 2 k units. */
PM_FN double pm_thin_unit(long long top, int o)
{
    pm_thin_word w;
    w.bits = ((top >> 3) - o - 4) * (1ll << (PM_THIN_SHIFT + 3));
    return w.value;
}

/* How many scores an octave has, and their sum in its units. */
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

/* c in octave o, in its units: above it there are `above` scores, below it they sum to `below`. */
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
    return below / keep; /* more than the largest */
}

/* About the least c for which sum over states of min(1, score / c) <= keep: that sum is less than
 * 18/17 keep.  keep >= 1. */
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

/* A score below c in units of 2^-PM_THIN_FRACTION c; inverse: 1 / c. */
PM_FN unsigned long long pm_thin_part(double score, double inverse)
{
    return (unsigned long long)(long long)(score * inverse * (double)(1ll << PM_THIN_FRACTION));
}

#endif
