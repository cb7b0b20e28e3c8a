/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/matrix.h: a sparse matrix = a bipartite graph, rows on the left and columns on the right.
 *
 * Compressed rows (CSR): the entries of row i are k = rowptr[i] .. rowptr[i+1]-1, in columns
 * colind[k], ascending, each column at most once, no entry 0.  Compressed columns (CCS) are the
 * CSR of the transpose.  Values are exact (pm/dyadic.h); a pattern has none and every entry is 1.
 *
 * Permutations: B = A(p,q) means that row k of B is row p[k] of A, column k is column q[k].
 *
 * A vertex, where rows and columns stand in one list (orders, labels of odd cycles), is
 * 0 .. nrows-1 for rows and nrows + j for column j. */
#ifndef PM_MATRIX_H
#define PM_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/dyadic.h"
#include "pm/field.h"
#include "pm/status.h"

/* Names of the rows or columns: label i is the NUL-terminated text at pool + offset[i].
 * offset == NULL: no names were given, i is called by its number, i + 1. */
typedef struct {
    int64_t count;
    char *pool;
    int64_t *offset; /* count entries */
} pm_labels;

typedef struct {
    pm_field field;
    int64_t nrows, ncols; /* each below 2^31 */
    int64_t *rowptr;      /* nrows + 1 entries; NULL only in a zeroed struct */
    int32_t *colind;      /* rowptr[nrows] entries */
    pm_dyadic *re;        /* as many; NULL for a pattern; integers for PM_INTEGER */
    pm_dyadic *im;        /* as many; NULL unless complex */
    pm_labels row_labels, col_labels;
} pm_matrix;

static inline int64_t pm_matrix_nnz(const pm_matrix *a)
{
    return a->rowptr ? a->rowptr[a->nrows] : 0;
}

/* An nrows x ncols matrix with room for nnz entries (rowptr zeroed, values 0), no labels.
 * Fails: PM_UNABLE nrows or ncols beyond 2^31 - 1, PM_ENOMEM. */
pm_status pm_matrix_alloc(pm_matrix *out, pm_field field, int64_t nrows, int64_t ncols, int64_t nnz,
                          pm_error *err);

/* Release what a holds and zero it.  A zeroed pm_matrix is fine. */
void pm_matrix_free(pm_matrix *a);

pm_status pm_matrix_copy(const pm_matrix *a, pm_matrix *out, pm_error *err);

/* Labels change sides too. */
pm_status pm_matrix_transpose(const pm_matrix *a, pm_matrix *out, pm_error *err);

/* B = A(p,q) with p of length np, q of length nq, each without repeats: permutation or submatrix.
 * Without row_labels in a, the labels of the result are left out too. */
pm_status pm_matrix_select(const pm_matrix *a, const int32_t *p, int64_t np, const int32_t *q,
                           int64_t nq, pm_matrix *out, pm_error *err);

/* Forget the values: in place, field becomes PM_PATTERN. */
void pm_matrix_make_pattern(pm_matrix *a);

/* Same size, field, positions and values (labels ignored). */
bool pm_matrix_equal(const pm_matrix *a, const pm_matrix *b);

/* False when an entry is out of range (pm/dyadic.h): no function takes such a matrix. */
bool pm_matrix_is_in_range(const pm_matrix *a);

/* ---- labels ---- */

void pm_labels_free(pm_labels *l);
/* Append text (length bytes, no NUL inside); *cap_pool, *cap_offset: room so far, 0 at first. */
pm_status pm_labels_append(pm_labels *l, const char *text, int64_t length, int64_t *cap_pool,
                           int64_t *cap_offset, pm_error *err);
/* The i-th label, or i + 1 in decimal written to number (24 bytes) when there are none. */
const char *pm_label(const pm_labels *l, int64_t i, char number[24]);
/* out[k] = l[p[k]] for k < n, or l[k] when p is NULL; an empty l gives an empty out. */
pm_status pm_labels_select(const pm_labels *l, const int32_t *p, int64_t n, pm_labels *out,
                           pm_error *err);
/* The same with p not NULL, but nothing is forgotten: lines without labels are called by the
 * numbers that they had, unless these are the ones that they get. */
pm_status pm_labels_keep(const pm_labels *l, const int32_t *p, int64_t n, pm_labels *out,
                         pm_error *err);

/* ---- one entry at a time ---- */

/* Entries collected in any order. */
typedef struct {
    int32_t row, col;
    int64_t line; /* where it was read, for messages; 0 unknown */
} pm_place;

typedef struct {
    pm_field field;
    int64_t nrows, ncols;
    int64_t count, cap;
    pm_place *at; /* count entries */
    pm_dyadic *re, *im;
    int64_t cap_re, cap_im;
} pm_triples;

/* v_re, v_im: NULL for a pattern; taken over (moved out, zeroed) on success.
 * Does not check the range of row and col. */
pm_status pm_triples_add(pm_triples *t, int64_t row, int64_t col, int64_t line, pm_dyadic *v_re,
                         pm_dyadic *v_im, pm_error *err);
void pm_triples_free(pm_triples *t);

typedef enum { PM_DUPLICATES_ERROR, PM_DUPLICATES_SUM, PM_DUPLICATES_IGNORE } pm_duplicates;

/* Build a matrix; entries of value 0 are dropped (after the treatment of duplicates).
 * PM_DUPLICATES_SUM adds them, and makes a pattern with repeats an integer matrix;
 * PM_DUPLICATES_IGNORE keeps one and fails on unequal values.
 * name: of the input, for messages.  t is emptied on success.
 * Fails: PM_EDATA "name:LINE: duplicate edge ..."; PM_ENOMEM. */
pm_status pm_matrix_from_triples(pm_triples *t, pm_duplicates how, const char *name, pm_matrix *out,
                                 pm_error *err);

#endif
