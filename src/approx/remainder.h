/* SPDX-License-Identifier: GPL-3.0-or-later */
/* approx/remainder.h: the matrix without the rows and columns taken so far, and its scaling to a
 * doubly stochastic one: r_i a_ij c_j (Sinkhorn and Knopp 1967).
 *
 * Lists of neighbours shrink as vertices leave, so that a sweep costs what is left. */
#ifndef PM_REMAINDER_H
#define PM_REMAINDER_H

#include <stddef.h>

#include "approx/lists.h"

/* The lines of one side.  Line i has the neighbours at[start[i]] .. at[start[i] + length[i] - 1]
 * and, where there are entries, value[...]. */
typedef struct {
    const int32_t *start;
    int32_t *at, *length;
    double *value;  /* NULL: all entries are 1 */
    double *scale;  /* r or c */
    int32_t *line;  /* the lines left, `left` of them */
    int32_t *place; /* line[place[i]] = i */
    uint32_t *key;  /* approx/fewest.h; those of columns follow those of rows */
} pm_side;

typedef struct {
    const pm_lists *lists;
    int32_t left; /* rows, and columns */
    pm_side row, column;
    double *score; /* room for the entries of a line */
} pm_remainder;

size_t pm_remainder_bytes(const pm_lists *l);
/* memory: pm_remainder_bytes, aligned to 64.  Starts from r_i, c_j; NULL: 1. */
void pm_remainder_start(pm_remainder *x, const pm_lists *l, const double *r, const double *c,
                        void *memory);

/* Row i and column j leave.  False: a line of what is left is empty. */
bool pm_remainder_take(pm_remainder *x, int32_t i, int32_t j);

/* Columns, then rows, to sums of 1; so often.  No line may be empty. */
void pm_remainder_scale(pm_remainder *x, int sweeps);

#endif
