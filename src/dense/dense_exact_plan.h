/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_exact_plan.h: decides which rows are multiplied in which width, and which sums are
 * taken before the products.
 *
 * Row i has y_i = (sum_j d_j a_ij) / 2^h_i, where 2^h_i divides the row sum for all signs d (its
 * parity does not depend on the signs).  |y_i| has a known bound, so rows are packed into
 *
 *   halves   products below 2^15, in lanes of 16 bits
 *   words    products below 2^31, of two halves or one row, in 32 bits
 *   groups   products up to 2^52 or 2^62, of two words or one row, in 64 bits
 *
 * and a term is the product of the groups.
 *
 * A tile is all signs of three columns (PM_DENSE_TILE sign patterns) times all signs of the columns
 * that distinguish the vector lanes.  Within a tile a product is computed once for all sign
 * patterns that are equal on its rows: 2^flips times, if its rows have entries only in the last
 * `flips` of the tile's columns. Where a column has entries only in the rows of one factor, the
 * values of this factor can be summed over the signs of the column before other factors are
 * multiplied by them: the factor is folded.  Only the first half, word and group can be folded.
 * The first half carries the sign of the term, so it is computed for all sign patterns. */
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
    PM_DENSE_GRAIN_BITS = 8 /* log2 of the number of terms of the largest tile, of 32 lanes */
};

/* How the groups are multiplied. */
typedef enum {
    PM_DENSE_LIMBS, /* scalar, 64-bit limbs: dense_exact_limbs.h */
    PM_DENSE_IFMA   /* vectors, 52-bit limbs: dense_exact_ifma.h */
} pm_dense_tail;

typedef struct {
    int32_t first, rows; /* rows: 0 for the constant 1 */
    int32_t flips;       /* log2 of the sign patterns that it is computed for */
    int32_t fold;        /* the number of these flips that are then summed */
    int64_t bound;
} pm_dense_half;

typedef struct {
    bool is_row;  /* it is row `first`; else the product of two halves of the group */
    bool is_used; /* false: it is the constant 1 */
    int32_t first;
    int32_t flips, fold;
    int64_t bound;
} pm_dense_word;

typedef struct {
    bool is_row; /* it is row `first` alone */
    int32_t first;
    pm_dense_half half[PM_DENSE_HALVES]; /* 0 and 1 of word 0, 2 and 3 of word 1 */
    pm_dense_word word[2];
    int32_t flips, fold;
    int64_t bound; /* after folding */
} pm_dense_group;

/* Rows and columns are in the order of the plan.  Column k belongs to bit k of the index, the last
 * column is fixed, columns 0 .. PM_DENSE_FLIPS - 1 are the tile's.  The order of the columns
 * depends on the square only; with keep_order it is the given one. */
typedef struct {
    int32_t n, ngroups;
    pm_dense_tail tail;
    int32_t flips; /* log2 of the sign patterns of a tile that are left after folding */
    pm_dense_group group[PM_DENSE_GROUPS];

    int32_t column[PM_SQUARE_MAX];              /* of the square */
    int64_t base[PM_SQUARE_MAX];                /* y_i when all signs are + */
    int64_t step[PM_SQUARE_MAX][PM_SQUARE_MAX]; /* [column][row]: subtracted from y_i when d = -1 */
    uint8_t width[PM_SQUARE_MAX];               /* of each row, bytes */
    /* of each column: the rows in which it has entries */
    uint8_t touched[PM_SQUARE_MAX][PM_SQUARE_MAX];
    int32_t ntouched[PM_SQUARE_MAX];

    int limbs;       /* of 64 bits, for the sum of all terms with its sign */
    int64_t shift;   /* permanent = 2^shift * sum of all terms */
    double work;     /* of a term, with vectors of 64 bytes; see pm_dense_exact_work */
    double products; /* of it, to multiply groups */
} pm_dense_plan;

/* Makes the plan.
 * tail: the best one that may be used.  PM_DENSE_LIMBS replaces PM_DENSE_IFMA where the rows cannot
 * be packed for it: more than two groups of which one exceeds 2^52, or more than PM_DENSE_GROUPS
 * groups.
 * out: ngroups is 0 if the terms must be computed one by one (dense_exact_terms.c): for n <=
 * PM_DENSE_GRAIN_BITS, or if more than PM_DENSE_GROUPS groups were needed. */
void pm_dense_plan_make(const pm_square *s, pm_dense_tail tail, bool keep_order,
                        pm_dense_plan *out);

/* The order of the columns of such a plan; order: room for s->n columns. */
void pm_dense_exact_order(const pm_square *s, bool keep_order, int32_t *order);

#endif
