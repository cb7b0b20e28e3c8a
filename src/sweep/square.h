/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/square.h: a block as an n x n matrix for the Ryser family.  A class of twins of capacity c
 * becomes c equal lines, or, for methods that use classes, equal lines become one line with a
 * multiplicity.  The entries are listed by columns and by rows; their values are integers.
 *
 * Integer fields: the values themselves, or their residues of least magnitude modulo a prime.
 * Real and complex fields: rows and columns are divided by the common divisors of their entries
 * (sweep/content.h) and scaled by powers of two (matrix/equilibrate.h); then each row is rounded to
 * multiples of one unit.  So sums of entries are exact: they do not drift, do not depend on the
 * order of additions, and are exactly 0 where the true sum of the rounded entries is.  `inexact`
 * bounds the effect of the rounding. */
#ifndef PM_SQUARE_H
#define PM_SQUARE_H

#include "order/column_order.h"
#include "order/pattern.h"
#include "pm/reduce.h"
#include "pm/status.h"
#include "pm/value.h"

enum { PM_SQUARE_MAX = PM_COLUMN_ORDER_MAX };

typedef struct {
    int32_t n; /* 1 .. PM_SQUARE_MAX */
    pm_field field;
    /* Multiplicities.  All are 1 where twins are written out.  With classes, n is the larger one of
     * the numbers of different rows and columns; the lines beyond them have no entries and the
     * multiplicity 0. */
    int32_t row_times[PM_SQUARE_MAX], col_times[PM_SQUARE_MAX];
    /* The entries are listed by columns (CCS) and by rows (CRS). */
    int32_t colptr[PM_SQUARE_MAX + 1]; /* CCS: entries k = colptr[j] .. colptr[j+1]-1 of column j */
    int32_t rowptr[PM_SQUARE_MAX + 1]; /* CRS: the same for rows */
    int32_t *rowind;                   /* CCS: row of entry k, ascending in a column */
    int32_t *colind;                   /* CRS: column of the k-th entry by rows, ascending */
    int32_t *in_ccs;                   /* CRS: the index of that entry in CCS */
    int64_t *re, *im;                  /* CCS: entry = (re + i im) units; im NULL unless complex */
    /* CCS, real and complex: the entry before the rounding, in the same unit, with about 106 bits:
     * re (high, low), im (high, low).  Else NULL. */
    double (*dd)[4];
    /* of each row: sum of |re| + |im|, each times the multiplicity of its column; at most 2^bits,
     * but for integers with classes at most 2^63 - 1, where a larger sum is counted as that */
    int64_t bound[PM_SQUARE_MAX];
    double inexact[PM_SQUARE_MAX];    /* of each row: the same sum of |true - rounded|, in units; 0
                                     * when all entries are exact */
    double inexact_dd[PM_SQUARE_MAX]; /* the same for dd instead of the integers */
    /* Real and complex: the permanent of the block's values is factor * 2^shift * that of the
     * integers; 1 and 0 for integers. */
    pm_xreal factor; /* > 0, relative error at most 2^-100; 1 where nothing was divided */
    int64_t shift;
} pm_square;

/* Makes the square of a block.
 * bits: 8 .. 62; row sums of absolute values are at most 2^bits.  For real and complex values a
 * larger number of bits gives finer units.
 * modulus: 0, or a prime p <= 2^(bits - 6): the integers are taken modulo p.
 * transposed: rows and columns are exchanged.
 * out: set on success; the caller calls pm_square_free.
 * Fails: PM_UNABLE n > PM_SQUARE_MAX, or integers too large (modulus == 0); PM_ENOMEM. */
pm_status pm_square_make(const pm_block *b, bool transposed, int bits, uint64_t modulus,
                         pm_square *out, pm_error *err);
/* The same with classes: equal rows become one row, equal columns one column.
 * Fails: PM_UNABLE more than PM_SQUARE_MAX different rows or columns; PM_ENOMEM. */
pm_status pm_square_make_classes(const pm_block *b, bool transposed, int bits, uint64_t modulus,
                                 pm_square *out, pm_error *err);
/* Only n, the field and the multiplicities of that square.  Fails: as pm_square_make_classes. */
pm_status pm_square_make_shape(const pm_block *b, pm_square *out, pm_error *err);
/* That of the transposed block. */
pm_square pm_square_transposed_shape(const pm_square *shape);
void pm_square_free(pm_square *s);

static inline int32_t pm_square_nnz(const pm_square *s)
{
    return s->colptr[s->n];
}

static inline pm_pattern pm_square_pattern(const pm_square *s)
{
    return (pm_pattern){s->n, s->colptr, s->rowind, s->rowptr, s->colind};
}

#endif
