/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/scaled_entries.h: the entries of a nonnegative matrix as double-doubles near 1. */
#ifndef PM_SCALED_ENTRIES_H
#define PM_SCALED_ENTRIES_H

#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"

/* The matrix multiplied by 2^r_i in row i and by 2^c_j in column j, r and c integers:
 * value[k] = 2^(r_i + c_j) times entry k, with a relative error of at most 2^-106.
 * The permanent of the matrix is 2^exp times that of the values, exp = -sum r - sum c.
 * Values of a pattern are all 1 and exp is 0. */
typedef struct {
    double (*value)[2]; /* [pm_matrix_nnz]: high and low part */
    int64_t exp;
    int64_t *shift; /* [2 n]: r, then c; NULL for a pattern: all are 0 */
} pm_scaled_entries;

/* r and c are the logarithms of Sinkhorn's scaling, rounded to integers: where the matrix has total
 * support, the rows and columns of the values sum to about 1.  The caller frees *out.
 * a: square, entries > 0; run: its threads, which change no digit; NULL: one.
 * Fails: PM_UNABLE (a scaled entry is below 2^-900 or above 2^900), PM_ENOMEM. */
pm_status pm_scaled_entries_make(const pm_matrix *a, const pm_run *run, pm_scaled_entries *out,
                                 pm_error *err);
/* The same for a symmetric matrix and its loop hafnian: value[k] = 2^(x_i + x_j) times entry k, or 2^x_i times a loop, where x_i is
 * half of r_i + c_i; so an entry is the geometric mean of the two that it had.  r and c are those of the matrix with the squares of
 * its loops, so that values of loops, too, are about 1 at most.  The loop hafnian is 2^exp times that of the values; shift has x twice. */
pm_status pm_scaled_entries_make_symmetric(const pm_matrix *a, const pm_run *run,
                                           pm_scaled_entries *out, pm_error *err);
void pm_scaled_entries_free(pm_scaled_entries *s);

#endif
