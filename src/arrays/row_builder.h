/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays/row_builder.h: makes a matrix from all elements of an array, row after row.  Elements 0 are
 * no entries. */
#ifndef PM_ROW_BUILDER_H
#define PM_ROW_BUILDER_H

#include "io/formats.h"
#include "text/scalar.h"

/* A zeroed builder with its field set has no rows.  PM_PATTERN: only the positions are kept. */
typedef struct {
    pm_matrix a; /* the finished rows; im, if any, has im_count values */
    int64_t nnz, im_count;
    int64_t cap_row, cap_col, cap_re, cap_im;
    bool has_scalars; /* from pm_row_builder_add: their exponents may be far apart */
} pm_row_builder;

/* Makes room for so many rows and entries at once, if they are few.  Fails: PM_ENOMEM. */
pm_status pm_row_builder_expect(pm_row_builder *b, int64_t rows, int64_t entries, pm_error *err);
/* Adds the element in column `col`, above those before it in the row.  Unless the field is
 * PM_PATTERN it becomes the larger one of both fields.  v is moved out.
 * Fails: PM_ENOMEM. */
pm_status pm_row_builder_add(pm_row_builder *b, int64_t col, pm_scalar *v, pm_error *err);
/* Makes room for `count` more entries.  Fails: PM_ENOMEM. */
pm_status pm_row_builder_reserve(pm_row_builder *b, int64_t count, pm_error *err);
/* As pm_row_builder_add, where room is reserved: finite numbers in a builder whose field is PM_REAL or
 * PM_COMPLEX, PM_COMPLEX, and not PM_REAL. */
static inline void pm_row_builder_put_double(pm_row_builder *b, int64_t col, double v);
static inline void pm_row_builder_put_complex(pm_row_builder *b, int64_t col, double re, double im);
static inline void pm_row_builder_put_integer(pm_row_builder *b, int64_t col, int64_t v);
/* The same for bytes, those of columns first .. end - 1 at at + column * step, without a branch for 0: room is
 * reserved for end - first entries. */
static inline void pm_row_builder_put_bytes(pm_row_builder *b, const unsigned char *at,
                                            int64_t step, int64_t first, int64_t end,
                                            bool is_signed);
/* Ends a row.  Fails: PM_ENOMEM, PM_UNABLE more than 2^31 - 1 rows. */
pm_status pm_row_builder_end_row(pm_row_builder *b, pm_error *err);

/* The matrix with the rows that have been ended and ncols columns; read as pm_adjacency_read
 * says.  b: may be emptied; freed by the caller.
 * name: of the input, for messages.
 * Fails: PM_EDATA as pm_adjacency_read; PM_ENOMEM. */
pm_status pm_row_builder_matrix(pm_row_builder *b, int64_t ncols, const pm_read_options *opt,
                                const char *name, pm_matrix *out, pm_reading *about, pm_error *err);
void pm_row_builder_free(pm_row_builder *b);

/* What *a means.  Without opt->graph it is the matrix itself; *about warns if it looks like the adjacency
 * matrix of a graph (pm_one_set_doubt).  With opt->graph *a must be square, and symmetric unless all
 * its entries are on one side of the diagonal, and is replaced by the matrix of the one-sided graph with this adjacency matrix: entry i,j and entry j,i are
 * one edge; with opt->pattern values are not compared.
 * Fails: PM_EDATA not square, not symmetric (the message has row and column), not bipartite;
 * PM_ENOMEM. */
pm_status pm_adjacency_read(pm_matrix *a, const pm_read_options *opt, const char *name,
                            pm_reading *about, pm_error *err);

/* ---- inline functions ---- */

static inline void pm_row_builder_put_double(pm_row_builder *b, int64_t col, double v)
{
    if (v == 0)
        return;
    b->a.re[b->nnz] = pm_dyadic_from_d(v);
    b->a.colind[b->nnz++] = (int32_t)col;
}

static inline void pm_row_builder_put_complex(pm_row_builder *b, int64_t col, double re, double im)
{
    if (re == 0 && im == 0)
        return;
    b->a.im[b->nnz] = pm_dyadic_from_d(im);
    b->a.re[b->nnz] = pm_dyadic_from_d(re);
    b->a.colind[b->nnz++] = (int32_t)col;
    b->im_count = b->nnz;
}

static inline void pm_row_builder_put_integer(pm_row_builder *b, int64_t col, int64_t v)
{
    if (v == 0)
        return;
    if (b->a.field != PM_PATTERN)
        b->a.re[b->nnz] = pm_dyadic_from_si(v);
    b->a.colind[b->nnz++] = (int32_t)col;
}

static inline void pm_row_builder_put_bytes(pm_row_builder *b, const unsigned char *at,
                                            int64_t step, int64_t first, int64_t end,
                                            bool is_signed)
{
    pm_dyadic *re = b->a.field != PM_PATTERN ? b->a.re : NULL;
    int32_t *colind = b->a.colind;
    int64_t nnz = b->nnz;
    for (int64_t j = first; j < end; ++j) {
        const int32_t v = is_signed ? (int8_t)at[j * step] : at[j * step];
        const int twos = __builtin_ctz((unsigned)v | 1U << 31);
        if (re)
            re[nnz] = (pm_dyadic){.m.small = v >> twos, .exp = twos};
        colind[nnz] = (int32_t)j;
        nnz += v != 0;
    }
    b->nnz = nnz;
}

#endif
