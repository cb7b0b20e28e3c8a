/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/front_kernel.h: dense fronts modulo several primes at once.
 *
 * A cell of a front is one residue modulo each of a few primes, its lanes, side by side in a vector;
 * everything is done for all lanes alike, so that vector units are full in the smallest front.
 * Primes are below 2^24 and residues are integers in doubles, of absolute value p/2 at most when
 * they are reduced: a product is below 2^46, and 32 of them are added to a cell before it is
 * reduced again, exactly.  The digits therefore do not depend on the vector unit. */
#ifndef PM_FRONT_KERNEL_H
#define PM_FRONT_KERNEL_H

#include <stdint.h>

#include "core/isa.h"

enum { PM_LANES_MAX = 8, PM_LANE_PRIME_BITS = 24, PM_LIMB_BITS = 22 };

/* Constants of the lanes; entries beyond the kernel's lanes are not looked at. */
typedef struct {
    double p[PM_LANES_MAX];     /* odd primes below 2^24 */
    double per_p[PM_LANES_MAX]; /* 1 / p, rounded */
    double radix[PM_LANES_MAX]; /* 2^PM_LIMB_BITS, reduced */
    double unit[PM_LANES_MAX];  /* what the imaginary unit is, reduced; a square root of -1 */
} pm_lane_primes;

/* An integer: the sum of limb[i] 2^(PM_LIMB_BITS (n - 1 - i)), |limb[i]| < 2^PM_LIMB_BITS. */
typedef struct {
    const double *limb;
    int64_t n;
} pm_limbs;

/* Cells are `lanes` doubles, aligned to their size. */
typedef struct {
    int lanes;

    /* *cell += re + im times the imaginary unit, or minus that. */
    void (*add_entry)(const pm_lane_primes *q, double *cell, pm_limbs re, pm_limbs im,
                      int is_negative);

    /* front, m x m, += part, size x size, row and column x of which go to at[x]. */
    void (*add_part)(double *front, int32_t m, const double *part, int32_t size, const int32_t *at);

    /* Eliminate in front, m x m, pairs among the first `most`: the result is the number e of those
     * that were, and cells (i, j) with i, j >= e hold what is left, reduced if e > 0; first of it
     * most - e rows and columns that could not be eliminated, as none of their cells is nonzero in
     * all lanes.  *determinant is multiplied by the pivots, and by -1 for every exchange of rows or
     * of columns.  column: scratch, m cells. */
    int32_t (*eliminate)(const pm_lane_primes *q, double *front, int32_t m, int32_t most,
                         double *column, double *determinant);
} pm_front_kernel;

/* The best one that isa allows. */
const pm_front_kernel *pm_front_kernel_for(pm_isa isa);

extern const pm_front_kernel pm_front_avx512, pm_front_avx2, pm_front_portable;

#endif
