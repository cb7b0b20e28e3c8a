/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_float_problem.h: the input of the kernels of repeated_float.h.  Numbers have
 * components as in dense/dense_float_problem.h. */
#ifndef PM_REPEATED_FLOAT_PROBLEM_H
#define PM_REPEATED_FLOAT_PROBLEM_H

#include "repeated/repeated_digits.h"
#include "repeated/repeated_powers.h"
#include "sweep/float_kind.h"
#include "sweep/sum.h"

enum {
    PM_REPEATED_BLOCK = 128, /* tiles whose lanes are summed separately, as PM_DENSE_BLOCK */
    PM_REPEATED_SLICES = 10  /* bits of a multiplicity up to PM_REPEATED_FLOAT_MAX */
};

typedef struct {
    pm_dense_kind kind;
    pm_precision precision;
    pm_repeated_digits digits;
    pm_repeated_powers powers;
    int32_t rows; /* with their copies */
    double *
        room; /* holds all arrays below; they begin at multiples of 64 bytes.  They have doubles, or floats in
                   * single precision */
    /* [rows][components][padded]: of each pattern the sum over the inner columns, (c_j - 2 k_j)
     * a_ij; 0 behind the last pattern */
    double *table;
    /* [2][padded]: high and low part of the weight of each pattern, with its sign; 0 behind the
     * last pattern */
    double *weight;
    double *start; /* [rows][components]: the sums c_j a_ij over the outer columns */
    double *entry; /* [outer digits][rows][components]: 2 a_ij */
    /* Doubles: [2] for each digit and its values, one digit after another: high and low part of the weight,
     * (-1)^k C(c,k) / 2^c.  Digit j begins at first[j]. */
    double (*digit_weight)[2];
    int32_t first[PM_SQUARE_MAX];
    bool has_spread;
    uint64_t
        sample;   /* a power of two: the spread is computed for tiles whose hash is 0 modulo it */
    double scale; /* S of sweep/sweep.h, a power of two */
    double raised[PM_SQUARE_MAX]; /* of each row of the powers: S e_i */
} pm_repeated_float;

/* The range function of a pm_sweep for each kind.  All vector units give the same digits. */
typedef void pm_repeated_range(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);
extern pm_repeated_range *const pm_repeated_float_portable[PM_DENSE_KINDS];
extern pm_repeated_range *const pm_repeated_float_avx2[PM_DENSE_KINDS];
extern pm_repeated_range *const pm_repeated_float_avx512[PM_DENSE_KINDS];
/* Those in single precision are compiled apart: real and complex. */
extern pm_repeated_range *const pm_repeated_single_portable[PM_DENSE_SINGLE_KINDS];
extern pm_repeated_range *const pm_repeated_single_avx2[PM_DENSE_SINGLE_KINDS];
extern pm_repeated_range *const pm_repeated_single_avx512[PM_DENSE_SINGLE_KINDS];

#endif
