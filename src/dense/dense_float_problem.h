/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float_problem.h: the input of the kernels of dense_float.h.
 *
 * A number has 1, 2 or 4 components: real (x), complex (re, im), double-double (high, low),
 * complex double-double (re high, re low, im high, im low).  The signs
 * of columns 0 .. 2 distinguish the lanes of a vector, those of columns 3 .. tile_bits - 1 the sign
 * patterns of a tile, those of columns tile_bits .. n - 2 the tiles; column n - 1 always has the
 * sign +1. */
#ifndef PM_DENSE_FLOAT_PROBLEM_H
#define PM_DENSE_FLOAT_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/value.h"
#include "sweep/float_kind.h"
#include "sweep/square.h"
#include "sweep/sum.h"

enum {
    PM_DENSE_LANES = 8,
    PM_DENSE_LANE_BITS = 3,
    PM_DENSE_BLOCK = 128, /* tiles whose lanes are summed separately, then added in double-double */
};

typedef struct {
    pm_dense_kind kind;
    pm_precision precision;
    int32_t n;      /* rows, with those of the extension */
    double *start;  /* [n + 1][components][lanes]: row sums over all columns but those of the sign
                     * patterns, with the sign +1 outside the lanes; row n is 0 */
    double *column; /* [n - 1 - tile_bits][n][components]: the entries of column tile_bits + first
                     * index; a row of zeros at the end */
    double *table;  /* [n][components][patterns]: sums over the columns 3 .. tile_bits - 1; column
                     * 3 + j has the sign -1 if bit j of the pattern is set */
    bool has_spread;
    /* a power of two: the spread is computed for tiles whose hash is 0 modulo it */
    uint64_t sample;
    double scale;                 /* S of sweep/sweep.h, a power of two */
    double raised[PM_SQUARE_MAX]; /* of each row: S e_i */
} pm_dense_float;

static inline bool pm_dense_is_complex(pm_dense_kind kind)
{
    return kind == PM_DENSE_COMPLEX || kind == PM_DENSE_COMPLEX_QUAD;
}

static inline bool pm_dense_is_quad(pm_dense_kind kind)
{
    return kind >= PM_DENSE_QUAD;
}

/* Columns 0 .. tile_bits - 1 run through all signs within a tile, the grain of the sweep. */
static inline int pm_dense_tile_bits(pm_dense_kind kind)
{
    return kind == PM_DENSE_REAL ? 8 : kind == PM_DENSE_COMPLEX_QUAD ? 5 : 6;
}

static inline int pm_dense_patterns(pm_dense_kind kind)
{
    return 1 << (pm_dense_tile_bits(kind) - PM_DENSE_LANE_BITS);
}

/* The number of sign patterns whose terms are summed in registers: as many as 16 registers hold. */
static inline int pm_dense_unit(pm_dense_kind kind)
{
    return kind == PM_DENSE_REAL ? 8 : kind == PM_DENSE_COMPLEX_QUAD ? 2 : 4;
}

/* The range function of a pm_sweep for each kind.  All three vector units give the same digits. */
typedef void pm_dense_range(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);
extern pm_dense_range *const pm_dense_float_portable[PM_DENSE_KINDS];
extern pm_dense_range *const pm_dense_float_avx2[PM_DENSE_KINDS];
extern pm_dense_range *const pm_dense_float_avx512[PM_DENSE_KINDS];

#endif
