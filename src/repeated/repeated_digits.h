/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_digits.h: the indices and weights of Glynn's form with multiplicities.
 *
 * Column j occurs c_j times, row i r_i times; both sum to N.  With the matrix written out, the
 * product over all rows of a signed sum depends only on the number k_j of copies of column j that
 * have the sign -1.  So Glynn's 2^N terms become
 *
 *   per = 2^-N * sum over 0 <= k_j <= c_j of
 *         prod_j (-1)^k_j C(c_j, k_j) * prod_i (sum_j (c_j - 2 k_j) a_ij)^r_i.
 *
 * The numbers k_j are the digits of an index in mixed radix.  The inner digits distinguish the terms
 * (patterns) of a tile; the outer ones are the index of the tile, in reflected Gray code, so that
 * neighbours differ by 1 in one digit.
 *
 * The terms of k and c - k are equal.  So only the first half of the tiles is summed, with twice the
 * weight; if their number is odd, the middle tile comes last, with its own weight.  This is right
 * because in the Gray code of T numbers the second half consists of the complements of the first
 * half.  Proof by induction over the digits, from the lowest to the highest, of radix r: an even r
 * divides the values of this digit into two halves, which are complements.  With an odd r the middle
 * value remains; the numbers that have it run through the code of the lower digits, forwards or
 * backwards, and the halves of that code are complements.
 * Source: Glynn 2010, theorem 2.1; Knuth, The Art of Computer Programming 4A, 7.2.1.1, algorithm H
 * for the Gray code.  The binomial form is in Chin and Huh 2018 for Ryser's formula. */
#ifndef PM_REPEATED_DIGITS_H
#define PM_REPEATED_DIGITS_H

#include <stdint.h>

#include "pm/status.h"
#include "sweep/square.h"

enum {
    PM_REPEATED_LANES = 8,
    PM_REPEATED_PATTERNS_MAX = 1024 /* of pm_repeated_digits_make */
};
#define PM_REPEATED_NO_TILE UINT64_MAX

/* Rounded up to whole vectors. */
static inline int64_t pm_repeated_whole_vectors(int64_t numbers)
{
    return (numbers + PM_REPEATED_LANES - 1) / PM_REPEATED_LANES * PM_REPEATED_LANES;
}

/* The first multiple of the size of a vector in an array with room for PM_REPEATED_LANES numbers
 * more than are used. */
static inline double *pm_repeated_aligned(double *room)
{
    uintptr_t bytes = PM_REPEATED_LANES * sizeof(double), at = (uintptr_t)room;
    return (double *)((at + bytes - 1) / bytes * bytes);
}

typedef struct {
    int32_t column; /* of the square */
    int32_t times;  /* c_j */
    int64_t radix;  /* c_j + 1: k_j = 0 .. c_j */
} pm_repeated_digit;

typedef struct {
    int32_t count;                          /* columns with entries */
    pm_repeated_digit digit[PM_SQUARE_MAX]; /* the inner ones first */
    int32_t inner;
    int64_t patterns; /* the product of the inner radices */
    int64_t padded;   /* the same, rounded up to whole vectors */
    uint64_t tiles;   /* that are summed: half of the product of the outer radices, rounded up */
    uint64_t middle;  /* the tile that is not counted twice, or PM_REPEATED_NO_TILE */
} pm_repeated_digits;

/* The weight of the tile, beside those of its digits: 1 or 2. */
static inline int pm_repeated_tile_weight(const pm_repeated_digits *d, uint64_t tile)
{
    return tile == d->middle ? 1 : 2;
}

/* The digits of a square with classes.
 * bytes: of one pattern in the tables of a tile, for the choice of the inner digits.
 * Fails: PM_UNABLE 2^62 terms or more are left of all. */
pm_status pm_repeated_digits_make(const pm_square *s, double bytes, pm_repeated_digits *out,
                                  pm_error *err);

/* The same for kernels in which a thread sums a tile: as many inner digits, the ones with the largest
 * radices, as leave `least` tiles or more and make at most `most` patterns. */
pm_status pm_repeated_digits_divide(const pm_square *s, double least, int64_t most,
                                    pm_repeated_digits *out, pm_error *err);

/* The sum of all radices: the weights that are kept. */
double pm_repeated_values(const pm_repeated_digits *d);

/* The digits of pattern p, k[0 .. inner - 1]. */
void pm_repeated_pattern(const pm_repeated_digits *d, int64_t p, int32_t *k);

/* ---- walking over tiles ---- */

typedef struct {
    int32_t k[PM_SQUARE_MAX];    /* of the outer digits, from 0 on */
    int32_t step[PM_SQUARE_MAX]; /* 1 or -1: how the digit changes next */
} pm_repeated_walk;

void pm_repeated_walk_at(const pm_repeated_digits *d, uint64_t tile, pm_repeated_walk *w);

/* Moves to the next tile, which exists.  Returns the outer digit that changes, by w->step of it. */
static inline int32_t pm_repeated_walk_next(const pm_repeated_digits *d, pm_repeated_walk *w)
{
    int32_t j = 0;
    for (;; ++j) {
        int64_t k = (int64_t)w->k[j] + w->step[j];
        if (k >= 0 && k < d->digit[d->inner + j].radix) {
            w->k[j] = (int32_t)k;
            return j;
        }
        w->step[j] = -w->step[j];
    }
}

#endif
