/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_powers.h: the rows of a square in groups of equal multiplicity.  The rows of a
 * group are multiplied; slice b is the product of the groups whose multiplicity has bit b; and
 * squaring and multiplying the slices, from the highest bit down, gives the product of all
 * powers. */
#ifndef PM_REPEATED_POWERS_H
#define PM_REPEATED_POWERS_H

#include "sweep/square.h"

enum { PM_REPEATED_BITS = 31 };

typedef struct {
    int32_t rows;               /* those with entries */
    int32_t row[PM_SQUARE_MAX]; /* their indices in the square, group by group */
    int32_t groups;
    int32_t end[PM_SQUARE_MAX];   /* rows end[g-1] .. end[g] - 1 of the list are group g */
    int32_t times[PM_SQUARE_MAX]; /* of each group */
    uint32_t all_bits;            /* the bits that the multiplicities have */
    int top;                      /* the highest of them */
} pm_repeated_powers;

pm_repeated_powers pm_repeated_powers_make(const pm_square *s);
/* The number of multiplications of a term, of rows, groups and slices. */
double pm_repeated_multiplications(const pm_repeated_powers *p);

#endif
