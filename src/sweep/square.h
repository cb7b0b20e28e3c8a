/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/square.h: a block as the Ryser family sees it: every class of twins written out as often
 * as its capacity says, entries by columns and by rows, values as integers.
 *
 * Integer fields: the values themselves, or their residues of least magnitude modulo a prime.
 * Real and complex: rows and columns are divided by what their entries have in common
 * (sweep/content.h) and brought to like size by powers of two, then each row is rounded to multiples
 * of one unit, so that sums of entries are exact: they never drift, do not depend on the order of
 * additions, and vanish exactly or not at all.  What the rounding changes is bounded by `inexact`. */
#ifndef PM_SQUARE_H
#define PM_SQUARE_H

#include "order/pattern.h"
#include "pm/reduce.h"
#include "pm/status.h"
#include "pm/value.h"

enum { PM_SQUARE_MAX = 64 };

typedef struct {
    int32_t n; /* 1 .. PM_SQUARE_MAX */
    pm_field field;
    int32_t colptr[PM_SQUARE_MAX + 1]; /* CCS: entries k = colptr[j] .. colptr[j+1]-1 of column j */
    int32_t rowptr[PM_SQUARE_MAX + 1]; /* CRS */
    int32_t *rowind;                   /* CCS: row of entry k, ascending in a column */
    int32_t *colind;                   /* CRS: column of the k-th entry by rows, ascending */
    int32_t *place;                    /* CRS: where that entry stands in CCS */
    int64_t *re, *im;                  /* CCS: entry = (re + i im) units; im NULL unless complex */
    double (*dd)[4]; /* CCS, real and complex: the entry in the same unit with about 106 bits
                       * before that rounding: re (high, low), im (high, low); else NULL */
    int64_t bound[PM_SQUARE_MAX];     /* of each row: sum of |re| + |im|; at most 2^bits */
    double inexact[PM_SQUARE_MAX];    /* of each row: sum over its entries of |true - rounded|, in
                                     * units; 0 when all are exact */
    double inexact_dd[PM_SQUARE_MAX]; /* the same for dd in place of the integers */
    /* Real and complex: the permanent of the block's values is factor * 2^shift * that of the
     * integers; 1 and 0 for integers. */
    pm_xreal factor; /* > 0, within 2^-100 of itself; 1 where nothing was divided out */
    int64_t shift;
} pm_square;

/* bits: row sums of absolute values stay within 2^bits, 8 <= bits <= 62.  Real and complex values
 * use them all: larger bits, finer units.  modulus: 0, or a prime p with p <= 2^(bits - 6): the
 * integers modulo p.  transposed: rows and columns exchanged.
 * Fails: PM_UNABLE n > PM_SQUARE_MAX, or integers too large (modulus == 0); PM_ENOMEM. */
pm_status pm_square_make(const pm_block *b, bool transposed, int bits, uint64_t modulus,
                         pm_square *out, pm_error *err);
void pm_square_free(pm_square *s);

/* cols[k], rows[k]: which column, row of a square comes k-th. */
typedef struct {
    int32_t cols[PM_SQUARE_MAX], rows[PM_SQUARE_MAX];
} pm_column_order;

static inline int32_t pm_square_nnz(const pm_square *s)
{
    return s->colptr[s->n];
}

/* The columns and rows in the order in which they stand. */
void pm_order_given(int32_t n, pm_column_order *out);
static inline pm_pattern pm_square_pattern(const pm_square *s)
{
    return (pm_pattern){s->n, s->colptr, s->rowind, s->rowptr, s->colind};
}

#endif
