/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spgemm/overlap.h: the pairs of rows that have a column in common, or of columns with a common row: a
 * one-mode projection of a bipartite graph (with columns: the column intersection graph).
 *
 * The pairs are the entries of A A^T above its diagonal.  They are made a range of rows at a time, so that memory is
 * proportional to the entries of A and not to the pairs. */
#ifndef PM_OVERLAP_H
#define PM_OVERLAP_H

#include "pm/backend.h"
#include "spgemm/product.h"

/* N(i): the neighbours of i; d(i): their number. */
typedef enum {
    PM_OVERLAP_COMMON,  /* |N(i) and N(k)| */
    PM_OVERLAP_JACCARD, /* |N(i) and N(k)| / |N(i) or N(k)| (Jaccard 1901) */
    PM_OVERLAP_COSINE,  /* |N(i) and N(k)| / sqrt(d(i) d(k)) (Salton's measure) */
    PM_OVERLAP_SMALLER, /* |N(i) and N(k)| / min(d(i), d(k)): the overlap coefficient */
    PM_OVERLAP_NEWMAN,  /* sum of 1 / (d(j) - 1) over common j (Newman 2001, eq. 2 of part II) */
    PM_OVERLAP_PRODUCT, /* sum of a_ij a_kj over common j, in double precision */
    PM_OVERLAP_WEIGHTS
} pm_overlap_weight;

/* "common", "jaccard", "cosine", "overlap", "newman", "product" */
const char *pm_overlap_weight_name(pm_overlap_weight w);

/* True where the sums of the product are numbers of common neighbours. */
static inline bool pm_overlap_is_counted(pm_overlap_weight w)
{
    return w < PM_OVERLAP_NEWMAN;
}

/* Between pm_overlap_open and pm_overlap_close.  Not thread-safe. */
typedef struct {
    const pm_matrix *matrix;
    pm_csr a, t; /* rows: the vertices that are paired; and the transpose */
    pm_overlap_weight weight;
    uint32_t *from;  /* of pm_product: the pairs above the diagonal */
    int64_t next;    /* the first row that is not done */
    bool may_vanish; /* PRODUCT: a term may be below the normal doubles */
    bool is_rounded; /* PRODUCT: sums may be rounded, and no term has another sign than others */
    struct pm_overlap_device *device; /* NULL: products are made on the CPU */
    void *owned[6];
} pm_overlap;

/* of_columns: pairs of columns instead of rows.  a: must outlive *out, which the caller closes.
 * Memory: 8 bytes for each entry (columns: 12), and 16 more with weights NEWMAN and PRODUCT.
 * Fails: PM_EDATA complex values, or values too large or too small for doubles, with PM_OVERLAP_PRODUCT;
 * PM_ENOMEM. */
pm_status pm_overlap_open(const pm_matrix *a, bool of_columns, pm_overlap_weight weight,
                          pm_overlap *out, pm_error *err);
void pm_overlap_close(pm_overlap *o);

/* From now on products are made where `backend` says; without this on the CPU.  PM_BACKEND_AUTO: on device 0 if
 * there is one and the pairs are many; where it fails, also later, a note of level 0 gives the reason and
 * the CPU goes on.  Neither changes a digit.
 * Fails: PM_ENODEV, PM_UNABLE only with PM_BACKEND_CUDA, also later; PM_ENOMEM. */
pm_status pm_overlap_use(pm_overlap *o, pm_backend backend, const pm_run *run, pm_error *err);

/* The next rows: rows.c has the pairs (first + i, k), k > first + i, of its row i.  Their values are sums: pm_overlap_value
 * makes the weight of one.  rows.c.nrows = 0 after the last row.  The caller frees out->rows.
 * Fails: PM_EDATA sums of products beyond the range of doubles, or so small that their terms may have become 0; PM_ENOMEM, PM_ESTOPPED; as pm_overlap_use. */
typedef struct {
    int64_t first;
    pm_product_rows rows;
} pm_overlap_part;
pm_status pm_overlap_next(pm_overlap *o, const pm_run *run, pm_overlap_part *out, pm_error *err);

/* The weight of the pair (i, k) with this sum. */
double pm_overlap_value(const pm_overlap *o, int64_t i, int64_t k, double sum);

/* The weight of the pair (i, k) is `least` or more, but perhaps for its rounding error: true for every pair whose exact weight
 * is.  The error is at most d 2^-52 of the weight in sums, d being the smaller number of neighbours, and 2^-51 of it with COSINE; other
 * weights are rounded once, as `least`.  Sums of products of both signs have no such bound: they are compared as
 * they are. */
bool pm_overlap_reaches(const pm_overlap *o, int64_t i, int64_t k, double weight, double least);

/* ---- figures ---- */

typedef struct {
    int64_t vertices, pairs; /* pairs that reach `least` */
    int64_t isolated;        /* vertices in none of these pairs */
    double total, largest;   /* of their weights; largest is 0 without pairs */
    bool has_cycles;
    unsigned __int128
        cycles; /* of length 4 in the bipartite graph: the sum of c (c - 1) / 2 over all pairs
                               * with c common neighbours; only for counted weights */
} pm_overlap_figures;

/* Of all rows from o->next on.  Fails: as pm_overlap_next; PM_EDATA the total is beyond the range of doubles. */
pm_status pm_overlap_measure(pm_overlap *o, double least, const pm_run *run,
                             pm_overlap_figures *out, pm_error *err);

#endif
