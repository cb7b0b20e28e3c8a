/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spgemm/product.h: rows of C = A B, sparse, over a semiring: c_ij is the sum over k of a_ik b_kj.
 *
 * By rows: F. G. Gustavson, Two fast algorithms for sparse matrices (1978).  A first pass counts the columns of
 * each row (symbolic), so that the result is allocated once; a second one adds up (numeric).  The terms
 * of c_ij are added in ascending order of k: neither the number of threads nor the division into ranges
 * of rows changes a digit. */
#ifndef PM_PRODUCT_H
#define PM_PRODUCT_H

#include "pm/run.h"
#include "spmv/semiring.h"

/* The factors; they must outlive the product. */
typedef struct {
    pm_semiring semiring;
    const pm_csr *a, *b; /* a->ncols = b->nrows; value NULL: all entries are the semiring's one */
    /* [entries of a]: the lowest 32 bits of the first entry of its row of b that entry k of a meets.  NULL: it meets all. */
    const uint32_t *from;
} pm_product;

/* That entry of b: one to the end of its row, so 32 bits are enough.  Mostly all numbers have no more: then
 * nothing waits for the end of the row, which may be far away in memory. */
static inline int64_t pm_product_first(const pm_product *p, int64_t k)
{
    const pm_csr *b = p->b;
    if (b->rowptr[b->nrows] <= UINT32_MAX)
        return p->from[k];
    const int64_t end = b->rowptr[p->a->colind[k] + 1];
    return end - (int64_t)((uint32_t)end - p->from[k]);
}

/* For b the transpose of a (pm_csr_transpose): from[k] that leave the entries of the product above the diagonal.
 * from: [entries of a].  Fails: PM_ENOMEM. */
pm_status pm_product_above(const pm_csr *a, const pm_csr *b, uint32_t *from, pm_error *err);

/* The number of terms of a row, of all its columns. */
int64_t pm_product_terms(const pm_product *p, int64_t row);

/* The end of the shortest range of rows from `first` on with `terms` terms or more; a->nrows where there is none. */
int64_t pm_product_end(const pm_product *p, int64_t first, int64_t terms);

/* Rows of a product.  Columns ascend in each row. */
typedef struct {
    pm_csr c; /* its row 0 is the first one that was asked for */
    void *owned[3];
} pm_product_rows;

/* Rows first, ..., end - 1.  has_values: false leaves c.value NULL: only the pattern.
 * Entries whose terms cancel stay, with the value 0.  The caller frees *out.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_product_make(const pm_product *p, int64_t first, int64_t end, bool has_values,
                          const pm_run *run, pm_product_rows *out, pm_error *err);
void pm_product_rows_free(pm_product_rows *r);

#endif
