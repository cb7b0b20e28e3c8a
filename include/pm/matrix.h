/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/matrix.h: sparse matrices, which are bipartite graphs: rows on the left, columns on the right.
 *
 * Compressed rows (CSR): the entries of row i are k = rowptr[i] .. rowptr[i+1]-1, in columns
 * colind[k], ascending, each column at most once, no entry 0.  The values are exact (pm/dyadic.h)
 * and in range; a pattern has no values, every entry is 1.  Rows and columns are counted from 0.
 *
 * Permutations: B = A(p,q) means that row k of B is row p[k] of A, and column k is column q[k].
 *
 * Vertices: where rows and columns are in one list (orders, odd cycles), row i is vertex i and
 * column j is vertex nrows + j. */
#ifndef PM_MATRIX_H
#define PM_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/dyadic.h"
#include "pm/field.h"
#include "pm/run.h"
#include "pm/status.h"

/* The labels of the rows or of the columns; pm_label gives label i.  Integers are kept as such.  A zeroed
 * struct has no labels: row or column i is named by its number i + 1. */
typedef struct {
    int64_t count;
    int32_t
        *value; /* [count] label i is value[i] in decimal; NULL: labels are in the pool, or none */
    char *pool; /* the strings, in order */
    int64_t *offset; /* [count] label i is the string at pool + offset[i]; NULL: there is no pool */
    int64_t bytes, cap_value, cap_pool, cap_offset; /* private: of the pool; what is allocated */
} pm_labels;

typedef struct {
    pm_field field;
    int64_t nrows, ncols; /* each below 2^31 */
    int64_t *rowptr;      /* nrows + 1 entries; NULL only in a zeroed struct */
    int32_t *colind;      /* rowptr[nrows] entries */
    pm_dyadic *re;        /* rowptr[nrows] entries, integers for PM_INTEGER; NULL for a pattern */
    pm_dyadic *im;        /* rowptr[nrows] entries; NULL unless complex */
    pm_labels row_labels, col_labels;
} pm_matrix;

/* The number of entries. */
static inline int64_t pm_matrix_nnz(const pm_matrix *a)
{
    return a->rowptr ? a->rowptr[a->nrows] : 0;
}

/* In this header, `out` of a function is overwritten on success and not changed on failure; what it
 * holds is owned by the caller.  All such functions can fail with PM_ENOMEM. */

/* An nrows x ncols matrix with room for nnz entries: rowptr and the values are 0, colind is not
 * initialised, there are no labels.
 * Fails: PM_UNABLE nrows or ncols above 2^31 - 1. */
pm_status pm_matrix_alloc(pm_matrix *out, pm_field field, int64_t nrows, int64_t ncols, int64_t nnz,
                          pm_error *err);

/* Frees what a holds and zeroes it.  a may be zeroed. */
void pm_matrix_free(pm_matrix *a);

pm_status pm_matrix_copy(const pm_matrix *a, pm_matrix *out, pm_error *err);

/* The transpose; row labels become column labels and the reverse. */
pm_status pm_matrix_transpose(const pm_matrix *a, pm_matrix *out, pm_error *err);

/* B = A(p,q), a permuted matrix or a submatrix.  p has length np, q has length nq; neither has
 * repeats.  Labels are selected too.
 * Cost: O(m log m), where m is np + nq and the entries of the selected rows. */
pm_status pm_matrix_select(const pm_matrix *a, const int32_t *p, int64_t np, const int32_t *q,
                           int64_t nq, pm_matrix *out, pm_error *err);

/* Row i of a repeated row_times[i] times, and column j col_times[j] times, one after another with
 * the same label; 0 leaves it out.  Both >= 0; NULL: each once.
 * The size is checked before anything is allocated, in O(rows + columns + entries of a).
 * Fails: PM_UNABLE more than 2^26 rows or columns or 2^31 entries, or more than the memory that is
 * available holds; PM_ENOMEM. */
pm_status pm_matrix_repeat(const pm_matrix *a, const int64_t *row_times, const int64_t *col_times,
                           pm_matrix *out, pm_error *err);

/* The numbers of rows, columns and entries of that matrix.  Returns false when one of them is above
 * 2^63 - 1; then they are not set. */
bool pm_matrix_repeat_size(const pm_matrix *a, const int64_t *row_times, const int64_t *col_times,
                           int64_t *nrows, int64_t *ncols, int64_t *nnz);

/* The symmetric matrix of a graph in which vertex i has times[i] copies, one after another with the same label; 0 leaves it out.
 * a: symmetric; its diagonal has the weights of the edges between two copies of a vertex.
 * loops: n x 1 of the same field, the weights of leaving a copy alone, which become the diagonal; NULL: it is empty.
 * Fails: as pm_matrix_repeat. */
pm_status pm_matrix_repeat_vertices(const pm_matrix *a, const int64_t *times,
                                    const pm_matrix *loops, pm_matrix *out, pm_error *err);

/* Makes field the field of a when it is wider. */
pm_status pm_matrix_widen(pm_matrix *a, pm_field field, pm_error *err);

/* Frees the values; the field becomes PM_PATTERN. */
void pm_matrix_make_pattern(pm_matrix *a);

/* A complex matrix that has an entry with a root of unity (PM_DYADIC_ROOTS). */
bool pm_matrix_has_roots(const pm_matrix *a);

/* The same, of an order that does not divide 4: root(4) is the imaginary unit. */
bool pm_matrix_has_other_roots(const pm_matrix *a);

/* True for equal sizes, fields, positions and values.  Labels are ignored. */
bool pm_matrix_equal(const pm_matrix *a, const pm_matrix *b);

/* False when an entry is out of range (pm/dyadic.h).  Functions that make matrices check this and
 * fail with PM_UNABLE. */
bool pm_matrix_is_in_range(const pm_matrix *a);

/* ---- labels ---- */

void pm_labels_free(pm_labels *l);
/* Appends a label of `length` bytes, none of them 0.  Fails: PM_ENOMEM. */
pm_status pm_labels_append(pm_labels *l, const char *text, int64_t length, pm_error *err);
/* Appends a label that is this integer, 0 or more.  Fails: PM_ENOMEM. */
pm_status pm_labels_append_integer(pm_labels *l, int32_t value, pm_error *err);
/* False for a zeroed struct, and after pm_labels_free. */
static inline bool pm_labels_exist(const pm_labels *l)
{
    return l->value || l->offset;
}
/* Label i; when there are no labels, i + 1.  Numbers are in decimal, somewhere in `number`. */
const char *pm_label(const pm_labels *l, int64_t i, char number[24]);
/* out[k] = l[p[k]] for k < n; p == NULL: out[k] = l[k].  When l has no labels, out has none. */
pm_status pm_labels_select(const pm_labels *l, const int32_t *p, int64_t n, pm_labels *out,
                           pm_error *err);
/* The same, for p that is not NULL.  When l has no labels, the numbers p[k] + 1 become the labels;
 * but out has none if p[k] = k for all k. */
pm_status pm_labels_select_or_number(const pm_labels *l, const int32_t *p, int64_t n,
                                     pm_labels *out, pm_error *err);

/* ---- matrices from entries in any order ---- */

/* Where an entry is. */
typedef struct {
    int32_t row, col;
} pm_coordinates;

/* The text lines where entries were read, for messages.  Entries from mark[m].entry to mark[m + 1].entry - 1 were
 * read in consecutive lines, the first of them in mark[m].line; 0: the lines are unknown. */
typedef struct {
    struct {
        int64_t entry, line;
    } * mark;
    int64_t count, cap;
} pm_text_lines;

/* The line of an entry; 0: unknown. */
int64_t pm_text_lines_find(const pm_text_lines *lines, int64_t entry);

/* A list of entries.  To begin an empty list, set field, nrows and ncols and zero the rest. */
typedef struct {
    pm_field field;
    int64_t nrows, ncols;
    int64_t count, cap;
    pm_coordinates *at; /* count entries */
    pm_text_lines lines;
    pm_dyadic *re, *im; /* count entries, as in pm_matrix */
    int64_t cap_re, cap_im;
    const pm_labels *names; /* for messages: of the vertices, where rows and columns are one set;
                             * NULL: numbers from 1 */
    const pm_run *run;      /* its threads sort many entries; NULL: one thread */
} pm_triples;

/* Appends an entry.  v_re is NULL for a pattern, v_im is NULL unless complex; on success their
 * values are moved into t and they become 0.  row and col are not checked here, but by
 * pm_matrix_from_triples (assert). */
/* line: the text line where the entry was read, or 0. */
pm_status pm_triples_add(pm_triples *t, int64_t row, int64_t col, int64_t line, pm_dyadic *v_re,
                         pm_dyadic *v_im, pm_error *err);
/* Appends entries that were read in consecutive lines from this one on; 0: unknown.
 * t: not complex.  re: [count] their values, which own no memory; NULL for a pattern. */
pm_status pm_triples_add_many(pm_triples *t, const pm_coordinates *at, const pm_dyadic *re,
                              int64_t count, int64_t line, pm_error *err);
/* Room for so many entries of this field, where there is memory for it; and no more room than for those that are there. */
void pm_triples_reserve(pm_triples *t, int64_t count);
void pm_triples_shrink(pm_triples *t);
void pm_triples_free(pm_triples *t);
/* *out: the places and lines of the entries, without their values; freed by the caller. */
pm_status pm_triples_copy_places(const pm_triples *t, pm_triples *out, pm_error *err);
/* The text line of the first entry in this position, 0: unknown, or there is none.  Cost: linear. */
int64_t pm_triples_line(const pm_triples *t, int64_t row, int64_t col);

/* What to do with several entries in one position. */
typedef enum {
    PM_DUPLICATES_ERROR,
    PM_DUPLICATES_SUM,   /* add them; a pattern with duplicates becomes an integer matrix */
    PM_DUPLICATES_IGNORE /* use one of them; fail when their values differ */
} pm_duplicates;

/* For entries that were read, before they become a matrix: sums of values are exact, so that a short input
 * could need gigabytes.
 * Fails: PM_UNABLE real or complex values whose exponents (pm/dyadic.h) differ by more than 2^26; the message
 * names the lines. */
pm_status pm_triples_check_exponents(const pm_triples *t, const char *name, pm_error *err);

/* The matrix of the entries; entries of value 0 are left out (after duplicates are treated).
 * t: freed on success.
 * name: of the input, for messages.
 * Fails: PM_EDATA duplicates; PM_UNABLE more than 2^26 rows and columns of which nearly all are
 * empty, or a sum that is out of range.
 * Memory: 8 bytes an entry of a pattern besides t and 24 of another matrix, and 8 bytes a row and a column.  Cost:
 * linear. */
pm_status pm_matrix_from_triples(pm_triples *t, pm_duplicates how, const char *name, pm_matrix *out,
                                 pm_error *err);

#endif
