/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/remainder.h: the matrix without its matched rows and columns (the remainder), and the
 * scaling r_i a_ij c_j that makes it doubly stochastic (Sinkhorn and Knopp 1967).
 *
 * A matched row or column is removed from all lists of neighbours, so the cost of an iteration of
 * the scaling falls with the size of the remainder.  A line is a row or a column. */
#ifndef PM_REMAINDER_H
#define PM_REMAINDER_H

#include <stddef.h>

#include "pm/status.h"
#include "sampler/neighbours.h"

/* Lists of neighbours are padded to multiples of PM_STRIDE elements with the neighbour n, whose
 * scale is 0.  Sums run over whole strides, so the branch at the end of a loop is predicted well.
 * */
enum { PM_STRIDE = 4 };

/* ---- the whole matrix ---- */

/* Padded lists of the rows or of the columns: line i has the positions start[i] .. start[i + 1] -
 * 1, of which the first length[i] hold its neighbours. */
typedef struct {
    int32_t *start, *length, *neighbour;
    double *value; /* the entries; NULL: all entries are 1 */
} pm_padded_lists;

typedef struct {
    int32_t n, max_length; /* rows; entries of the longest line */
    pm_padded_lists row, column;
    double *r, *c; /* [n]: the scaling that every sample starts with */
} pm_padded_matrix;

/* *out = the matrix of *l, with r = c = 1.  The caller calls pm_padded_matrix_free, also after a
 * failure.  Fails: PM_UNABLE (2^31 positions), PM_ENOMEM. */
pm_status pm_padded_matrix_make(const pm_neighbours *l, pm_padded_matrix *out, pm_error *err);
void pm_padded_matrix_free(pm_padded_matrix *w);

/* ---- the remainder ---- */

/* The rows or the columns.  Unmatched line i has the neighbours
 * neighbour[start[i]] .. neighbour[start[i] + length[i] - 1], in any order, all unmatched. */
typedef struct {
    const int32_t *start;
    int32_t *neighbour, *length;
    double *value;     /* entries, parallel to neighbour; NULL: all entries are 1 */
    double *scale;     /* [n + 1]: r or c; scale[n] = 0 */
    int32_t *line;     /* the unmatched lines, the first `left` elements */
    int32_t *position; /* line[position[i]] = i */
    uint32_t *key; /* sampler/vertex_key.h; column j is the vertex n + j, its key follows those of
                        * the rows */
} pm_remainder_side;

typedef struct {
    int32_t n, left; /* rows of the matrix; unmatched rows (and columns) */
    pm_remainder_side row, column;
    double *share; /* working memory for pm_padded_matrix.max_length numbers */
} pm_remainder;

/* Bytes of memory for a remainder of *w. */
size_t pm_remainder_bytes(const pm_padded_matrix *w);
/* *x = the whole matrix and its scaling.  Stores all arrays in `memory`, of pm_remainder_bytes(w)
 * bytes, aligned to 64; nothing is to be freed.  w must outlive *x. */
void pm_remainder_start(pm_remainder *x, const pm_padded_matrix *w, void *memory);

/* Matches row i with column j, both unmatched.  Returns false if an unmatched line has no neighbour
 * left. */
bool pm_remainder_match(pm_remainder *x, int32_t i, int32_t j);

/* Scales the columns, then the rows, to sums of 1; `iterations` times.  Every unmatched line must
 * have a neighbour. */
void pm_remainder_scale(pm_remainder *x, int iterations);

#endif
