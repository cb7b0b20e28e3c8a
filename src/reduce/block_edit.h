/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce/block_edit.h: transposes, permutes and restricts blocks (pm/reduce.h), and writes a block
 * as a matrix.  `out` is freed by the caller and not changed on failure.  All functions that return
 * a status can fail with PM_ENOMEM. */
#ifndef PM_BLOCK_EDIT_H
#define PM_BLOCK_EDIT_H

#include <gmp.h>
#include <stdbool.h>

#include "pm/reduce.h"

/* Exchanges rows and columns, in place. */
pm_status pm_block_transpose(pm_block *b, pm_error *err);

/* Row k of the new block is row p[k] of b, column k is column q[k]; in place. */
pm_status pm_block_permute(pm_block *b, const int32_t *p, const int32_t *q, pm_error *err);

/* *out: b, with one row of the class i restricted to the entries keep[0..count-1] of row i,
 * ascending indices into b->a.colind.  When the class has capacity c > 1, the other c - 1 rows
 * remain as row i, and the restricted row becomes the last row.
 * If the lists `keep` of several results are a partition of row i, then the sum of their weighted
 * counts is c times the weighted count of b. */
pm_status pm_block_restrict(const pm_block *b, int64_t i, const int64_t *keep, int64_t count,
                            pm_block *out, pm_error *err);

/* The same for a vertex of a general block: *out is b, where vertex i has only the edges keep[0..count-1] of row i, and the loop
 * if it is among them.  If the lists `keep` of several results are a partition of row i, their weighted counts add up to that of b. */
pm_status pm_block_restrict_vertex(const pm_block *b, int64_t i, const int64_t *keep, int64_t count,
                                   pm_block *out, pm_error *err);

/* *out: the n x n matrix in which every class of capacity c is written out as c rows or columns.
 * Its permanent is the weighted count of the block multiplied by times = the product of all c!.
 * times: initialised by the caller.
 * field: of the matrix, the field of b or a wider one. */
pm_status pm_block_write_out(const pm_block *b, pm_field field, pm_matrix *out, mpz_t times,
                             pm_error *err);
/* The number of entries of that matrix. */
int64_t pm_block_entries_written_out(const pm_block *b);

/* True for equal matrices and equal capacities of blocks of one kind, general or not. */
bool pm_block_equal(const pm_block *a, const pm_block *b);

#endif
