/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/remainder.h: the matrix without the rows and columns taken so far, and its scaling to a
 * doubly stochastic one: r_i a_ij c_j (Sinkhorn and Knopp 1967).
 *
 * Lists of neighbours shrink as vertices leave, so that a sweep costs what is left. */
#ifndef PM_REMAINDER_H
#define PM_REMAINDER_H

#include <stddef.h>

#include "pm/status.h"
#include "sampler/neighbours.h"

/* Lines are padded to multiples of PM_STRIDE places by the neighbour n, whose scale is 0: sums run
 * over whole strides and hardly ever guess wrong where they end. */
enum { PM_STRIDE = 4 };

/* The lines of one side of the whole matrix: line i has the places start[i] .. start[i + 1] - 1. */
typedef struct {
    int32_t *start, *length, *at;
    double *value; /* NULL: all entries are 1 */
} pm_padded_lists;

typedef struct {
    int32_t n, most; /* entries in a line */
    pm_padded_lists row, column;
    double *r, *c; /* where scaling starts */
} pm_padded_matrix;

/* r = c = 1.  Fails: PM_ENOMEM; what is there goes to pm_padded_matrix_free. */
pm_status pm_padded_matrix_make(const pm_neighbours *l, pm_padded_matrix *out, pm_error *err);
void pm_padded_matrix_free(pm_padded_matrix *w);

/* The lines of what is left.  Line i has the neighbours at[start[i]] ..
 * at[start[i] + length[i] - 1] and, where there are entries, value[...]. */
typedef struct {
    const int32_t *start;
    int32_t *at, *length;
    double *value;
    double *scale;  /* r or c; scale[n] = 0 */
    int32_t *line;  /* the lines left, `left` of them */
    int32_t *place; /* line[place[i]] = i */
    uint32_t *key;  /* sampler/vertex_key.h; those of columns follow those of rows */
} pm_remainder_side;

typedef struct {
    int32_t n, left; /* rows, and columns */
    pm_remainder_side row, column;
    double *score; /* room for the entries of a line */
} pm_remainder;

size_t pm_remainder_bytes(const pm_padded_matrix *w);
/* memory: pm_remainder_bytes, aligned to 64. */
void pm_remainder_start(pm_remainder *x, const pm_padded_matrix *w, void *memory);

/* Row i and column j leave.  False: a line of what is left is empty. */
bool pm_remainder_take(pm_remainder *x, int32_t i, int32_t j);

/* Columns, then rows, to sums of 1; so often.  No line may be empty. */
void pm_remainder_scale(pm_remainder *x, int sweeps);

#endif
