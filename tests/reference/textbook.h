/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/reference/textbook.h: methods as a textbook has them, to be read first, and the slow
 * definitions of the tests.  Exact in every field; no method of the library is used. */
#ifndef PM_TEXTBOOK_H
#define PM_TEXTBOOK_H

#include <stdint.h>

#include "number/cnum.h"
#include "pm/matrix.h"

/* Entry k of a sparse matrix as an exact number, 1 in a pattern. */
void textbook_entry(const pm_matrix *a, int64_t k, pm_cnum *x);

/* The permanent of a square matrix.  Cost: 2^n n^2 additions. */
void textbook_ryser(const pm_matrix *a, pm_cnum *permanent);

/* The same.  Cost: at most 2^n numbers, n 2^n additions and multiplications. */
void textbook_transfer_matrix(const pm_matrix *a, pm_cnum *permanent);

/* The loop hafnian of a symmetric matrix; without a diagonal, the hafnian.  Cost: 2^n numbers, n 2^n additions and
 * multiplications. */
void textbook_hafnian(const pm_matrix *a, pm_cnum *hafnian);

/* A maximum matching: the column of each row, the row of each column, or -1.  Returns its size.
 * Cost: O(nnz sqrt(n)). */
int64_t textbook_hopcroft_karp(const pm_matrix *a, int32_t *col_of, int32_t *row_of);

#endif
