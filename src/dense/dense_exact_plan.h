/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_exact_plan.h: which rows are multiplied in which width, and what is added up early.
 *
 * Row i has y_i = (sum_j d_j a_ij) / 2^h_i, where 2^h_i divides it for all signs d: the parity of
 * a row sum does not depend on them.  |y_i| has a bound that is known, so that rows are packed into
 *
 *   halves   products below 2^15, in lanes of 16 bits
 *   words    products below 2^31, of two halves or one row, in 32 bits
 *   groups   products up to 2^51 or 2^62, of two words or one row, in 64 bits
 *
 * and a term is the product of the groups.
 *
 * A tile is all signs of three columns, PM_DENSE_TILE patterns, times those of the columns that
 * the vector lanes stand for.  Within a tile a product is computed for as many patterns as its
 * rows tell apart: 2^flips, if they meet only the last `flips` of the tile's columns.  Where a
 * column meets the rows of one factor only, that factor's values can be added up over the signs of
 * the column before anything else is multiplied by them: the factor is folded.  Only the first
 * half, word and group can be; the first half carries the sign of the term, and so must be known
 * for all patterns. */
#ifndef PM_DENSE_EXACT_PLAN_H
#define PM_DENSE_EXACT_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "sweep/square.h"

enum {
    PM_DENSE_FLIPS = 3, /* columns of a tile */
    PM_DENSE_TILE = 1 << PM_DENSE_FLIPS,
    PM_DENSE_HALVES = 4, /* of a group */
    PM_DENSE_GROUPS = 24,
    PM_DENSE_GRAIN_BITS = 8 /* terms of the largest tile: 32 lanes */
};

/* What the groups are multiplied with. */
typedef enum {
    PM_DENSE_LIMBS, /* scalar, 64-bit limbs: dense_exact_limbs.h */
    PM_DENSE_IFMA   /* vectors, 52-bit limbs: dense_exact_ifma.h */
} pm_dense_tail;

typedef struct {
    int32_t first, rows; /* rows: 0 for the constant 1 */
    int32_t flips;       /* patterns it is computed for, in log2 */
    int32_t fold;        /* flips that are then added up */
    int64_t bound;
} pm_dense_half;

typedef struct {
    bool is_row;  /* of row `first`; else the product of two halves of the group */
    bool is_used; /* else the constant 1 */
    int32_t first;
    int32_t flips, fold;
    int64_t bound;
} pm_dense_word;

typedef struct {
    bool is_row; /* row `first` alone */
    int32_t first;
    pm_dense_half half[PM_DENSE_HALVES]; /* 0, 1: of word 0; 2, 3: of word 1 */
    pm_dense_word word[2];
    int32_t flips, fold;
    int64_t bound; /* after folding */
} pm_dense_group;

/* Rows and columns in the order of the plan: column k is that of bit k of the index, the last one
 * is fixed; bits 0 .. PM_DENSE_FLIPS - 1 are the tile's columns.  The order of the columns depends
 * on the square alone; with keep_order it is theirs. */
typedef struct {
    int32_t n, ngroups;
    pm_dense_tail tail;
    int32_t flips; /* patterns of a tile that are left when everything is folded, in log2 */
    pm_dense_group group[PM_DENSE_GROUPS];

    int32_t column[PM_SQUARE_MAX];                 /* of the square */
    int64_t base[PM_SQUARE_MAX];                   /* y_i when all signs are + */
    int64_t step[PM_SQUARE_MAX][PM_SQUARE_MAX];    /* [column][row]: what y_i loses by d = -1 */
    uint8_t width[PM_SQUARE_MAX];                  /* of each row, bytes */
    uint8_t touched[PM_SQUARE_MAX][PM_SQUARE_MAX]; /* of each column: its rows */
    int32_t ntouched[PM_SQUARE_MAX];

    int limbs;     /* of 64 bits: what the sum of all terms needs, with its sign */
    int64_t shift; /* permanent = 2^shift * sum of all terms */
    double work;   /* of a term, see pm_dense_exact_work */
} pm_dense_plan;

/* tail: the best one that may be used.  IFMA is left for LIMBS where rows pass 2^51.  More groups
 * than PM_DENSE_GROUPS, or n <= PM_DENSE_GRAIN_BITS: ngroups is 0, for term by term. */
void pm_dense_plan_make(const pm_square *s, pm_dense_tail tail, bool keep_order,
                        pm_dense_plan *out);

#endif
