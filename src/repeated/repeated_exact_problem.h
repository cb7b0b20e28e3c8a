/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_exact_problem.h: the input of the kernels of repeated_exact.h.  All numbers are
 * integers in doubles. */
#ifndef PM_REPEATED_EXACT_PROBLEM_H
#define PM_REPEATED_EXACT_PROBLEM_H

#include <stdbool.h>

#include "repeated/repeated_digits.h"
#include "repeated/repeated_powers.h"
#include "sweep/sum.h"

typedef struct {
    pm_repeated_digits digits;
    pm_repeated_powers powers;
    uint64_t prime;
    double p, inverse;              /* the prime, and 1 / p rounded */
    bool is_residue[PM_SQUARE_MAX]; /* of each row of the powers: entries are residues of least
                                       * magnitude, and sums are reduced */
    bool ends_chunk[PM_SQUARE_MAX]; /* rows are multiplied as integers up to such a row; the
                                       * product of their bounds is at most p */
    double *room;                   /* holds all arrays below, at multiples of 64 bytes */
    double *table;                  /* [rows][padded]: sums over the inner columns; a residue has
                                       * magnitude at most p / 2 */
    double *weight;                 /* [padded]: residues; 0 behind the last pattern */
    double *start;                  /* [rows]: sums over the outer columns with k = 0 */
    double *entry;                  /* [outer digits][rows]: 2 a_ij */
    uint64_t *digit_weight; /* residues in 0 .. p - 1: (-1)^k C(c,k); digit j begins at first[j] */
    int32_t first[PM_SQUARE_MAX];
} pm_repeated_exact;

typedef void pm_repeated_exact_range(const void *problem, uint64_t first, uint64_t end,
                                     pm_sum *sum);
extern pm_repeated_exact_range pm_repeated_exact_portable, pm_repeated_exact_avx2,
    pm_repeated_exact_avx512;

#endif
