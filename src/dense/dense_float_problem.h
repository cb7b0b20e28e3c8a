/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float_problem.h: what the kernels of dense_float.h read.
 *
 * A number has 1, 2 or 4 components: real (x), complex (re, im), double-double (high, low),
 * complex double-double (re high, re low, im high, im low).  Columns 0..2 are the lanes, 3 up to
 * tile_bits - 1 the patterns of a tile, tile_bits up to n - 2 change from tile to tile, n - 1 is
 * never negative. */
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
    PM_DENSE_BLOCK = 128, /* tiles whose lanes are added up apart, then in double-double */
};

typedef struct {
    pm_dense_kind kind;
    pm_precision precision;
    int32_t n;      /* rows, with those that fill up */
    double *start;  /* [n + 1][components][lanes]: row sums over all columns but the tile's, those
                     * beyond the lanes positive; zeros at the end */
    double *column; /* [n - 1 - tile_bits][n][components]: entries of column tile_bits + first
                     * index; a row of zeros at the end */
    double *table;  /* [n][components][patterns]: sums over the columns of a tile, with bit j of the
                     * pattern set column 3 + j negative */
    bool has_spread;
    uint64_t sample; /* the spread is taken from tiles whose hash is 0 modulo this power of two */
    double scale;    /* S of sweep.h, a power of two */
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

/* Patterns whose terms are added up before they meet others: as many as 16 registers hold. */
static inline int pm_dense_unit(pm_dense_kind kind)
{
    return kind == PM_DENSE_REAL ? 8 : kind == PM_DENSE_COMPLEX_QUAD ? 2 : 4;
}

/* Of each kind: the range function of a pm_sweep.  The digits of all three are the same. */
typedef void pm_dense_range(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);
extern pm_dense_range *const pm_dense_float_portable[PM_DENSE_KINDS];
extern pm_dense_range *const pm_dense_float_avx2[PM_DENSE_KINDS];
extern pm_dense_range *const pm_dense_float_avx512[PM_DENSE_KINDS];

#endif
