/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce/block_edit.h: a block (pm/reduce.h) rewritten as another one, or as a matrix. */
#ifndef PM_BLOCK_EDIT_H
#define PM_BLOCK_EDIT_H

#include <gmp.h>
#include <stdbool.h>

#include "pm/reduce.h"

/* Rows become columns, in place. */
pm_status pm_block_transpose(pm_block *b, pm_error *err);

/* B = b with its rows and columns in the order p, q; in place. */
pm_status pm_block_permute(pm_block *b, const int32_t *p, const int32_t *q, pm_error *err);

/* *out: b with one of the rows that row i stands for cut down to the entries keep[0..count-1] of
 * row i, ascending.  Of a class of c rows the other c - 1 stay, and the result is worth c times
 * what it stands for, since that row is told apart. */
pm_status pm_block_restrict(const pm_block *b, int64_t i, const int64_t *keep, int64_t count,
                            pm_block *out, pm_error *err);

/* *out: the n x n matrix in which every class is written out as so many rows or columns; its
 * permanent is *times (initialised by the caller) the count of the block: the product of all c!.
 * field: of the matrix; a pattern is written as ones of a wider field. */
pm_status pm_block_write_out(const pm_block *b, pm_field field, pm_matrix *out, mpz_t times,
                             pm_error *err);
/* Entries of that matrix. */
int64_t pm_block_entries_written_out(const pm_block *b);

/* Same rows and columns, capacities and values. */
bool pm_block_equal(const pm_block *a, const pm_block *b);

#endif
