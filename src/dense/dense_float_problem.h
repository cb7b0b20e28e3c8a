/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float_problem.h: the input of the kernels of dense_float.h.
 *
 * A number has 1, 2 or 4 components: real (x), complex (re, im), double-double (high, low),
 * complex double-double (re high, re low, im high, im low).  The signs of columns
 * 0 .. lane_bits - 1 distinguish the lanes of a vector, those of columns
 * lane_bits .. tile_bits - 1 the sign patterns of a tile, those of columns tile_bits .. n - 2 the
 * tiles; column n - 1 always has the sign +1. */
#ifndef PM_DENSE_FLOAT_PROBLEM_H
#define PM_DENSE_FLOAT_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "sweep/float_kind.h"
#include "sweep/square.h"
#include "sweep/sum.h"

enum {
    PM_DENSE_BLOCK = 128 /* tiles whose lanes are summed separately, then added in double-double */
};

typedef struct {
    pm_dense_kind kind;
    pm_precision precision;
    int32_t n; /* rows, with those of the extension */
    /* The tables have doubles, or floats in single precision. */
    double *start;  /* [n + 1][components][lanes]: row sums over all columns but those of the sign
                     * patterns, with the sign +1 outside the lanes; row n is 0 */
    double *column; /* [n - 1 - tile_bits][n][components]: the entries of column tile_bits + first
                     * index; a row of zeros at the end */
    double *table;  /* [n][components][patterns]: sums over the columns lane_bits .. tile_bits - 1;
                     * column lane_bits + j has the sign -1 if bit j of the pattern is set */
    bool has_spread;
    /* a power of two: the spread is computed for tiles whose hash is 0 modulo it */
    uint64_t sample;
    double scale;                 /* S of sweep/sweep.h, a power of two */
    double raised[PM_SQUARE_MAX]; /* of each row: S e_i */
} pm_dense_float;

/* The lanes that have sums of their own: a vector of 64 bytes, whatever the vector unit. */
static inline int pm_dense_lane_bits(pm_dense_kind kind)
{
    return pm_dense_is_single(kind) ? 4 : 3;
}

static inline int pm_dense_lanes(pm_dense_kind kind)
{
    return 1 << pm_dense_lane_bits(kind);
}

static inline int pm_dense_pattern_bits(pm_dense_kind kind)
{
    const int parts = pm_dense_components(kind);
    return parts == 1 ? 5 : parts == 2 ? 3 : 2;
}

/* Columns 0 .. tile_bits - 1 run through all signs within a tile, the grain of the sweep. */
static inline int pm_dense_tile_bits(pm_dense_kind kind)
{
    return pm_dense_lane_bits(kind) + pm_dense_pattern_bits(kind);
}

static inline int pm_dense_patterns(pm_dense_kind kind)
{
    return 1 << pm_dense_pattern_bits(kind);
}

/* The number of sign patterns whose terms are summed in registers: as many as 16 registers hold. */
static inline int pm_dense_unit(pm_dense_kind kind)
{
    return 8 / pm_dense_components(kind);
}

/* The range function of a pm_sweep for each kind.  All three vector units give the same digits. */
typedef void pm_dense_range(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);
extern pm_dense_range *const pm_dense_float_portable[PM_DENSE_KINDS];
extern pm_dense_range *const pm_dense_float_avx2[PM_DENSE_KINDS];
extern pm_dense_range *const pm_dense_float_avx512[PM_DENSE_KINDS];
/* Those in single precision are compiled apart: real and complex. */
extern pm_dense_range *const pm_dense_single_portable[PM_DENSE_SINGLE_KINDS];
extern pm_dense_range *const pm_dense_single_avx2[PM_DENSE_SINGLE_KINDS];
extern pm_dense_range *const pm_dense_single_avx512[PM_DENSE_SINGLE_KINDS];

#endif
