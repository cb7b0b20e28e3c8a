/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/spmv_arrays.h: the argument of the kernels for products of a sparse matrix and a vector
 * (cuda/spmv_coo.cuh, cuda/spmv_csr.cuh).  The text of the kernels contains this file, so it includes
 * nothing and uses types of any compiler. */
#ifndef PM_SPMV_ARRAYS_H
#define PM_SPMV_ARRAYS_H

/* Addresses of arrays in the memory of the device.  Entries are sorted by rows.  A value is a double
 * or a float, the same for all arrays of values. */
typedef struct {
    unsigned long long row;      /* int[nnz]: the row of each entry; only for kernels of COO */
    unsigned long long rowptr;   /* unsigned[nrows + 1]: the first entry of each row, and nnz */
    unsigned long long column;   /* int[nnz] */
    unsigned long long value;    /* values[nnz]; 0: all entries are the semiring's one */
    unsigned long long x, y;     /* values[ncols], values[nrows] */
    unsigned long long tile_row; /* unsigned[tiles + 1]: the first row that a tile of
                                  * pm_spmv_csr_merge may end, and nrows */
    unsigned long long carry; /* values[tiles]: what a tile has of the row that it does not end */
    long long nrows, nnz, tiles;
    int group;  /* threads for a row, of pm_spmv_csr_vector: 2, 4, 8, 16 or 32 */
    int blocks; /* of the launch */
} pm_spmv_arrays;

#endif
