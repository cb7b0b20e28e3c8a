/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/spgemm_arrays.h: the argument of the kernels for products of sparse matrices C = A B
 * (cuda/spgemm_rows.cuh and its neighbours).  The text of the kernels contains this file, so it includes
 * nothing and uses types of any compiler. */
#ifndef PM_SPGEMM_ARRAYS_H
#define PM_SPGEMM_ARRAYS_H

/* The size of a row of C: its terms or the entries of its row of A, whichever are more.  Bin b has the rows
 * of size up to 8 * 2^b, the last bin all longer ones; rows without terms are in none. */
enum {
    PM_SPGEMM_LONG = 8, /* the bin of long rows */
    PM_SPGEMM_BINS,
    PM_SPGEMM_SORTED = 1024,   /* the most terms that are sorted at a time */
    PM_SPGEMM_ROWS = 1024,     /* rows that a thread block adds up or places */
    PM_SPGEMM_ENTRIES = 2048,  /* entries that a thread block moves at a time */
    PM_SPGEMM_ORDER_BITS = 10, /* of a key, below the column: the place of a term */
};

/* All are 0 before a product. */
typedef struct {
    unsigned long long used;    /* places of found_* that rows have taken */
    unsigned long long entries; /* of C, at the end */
    unsigned in_bin[PM_SPGEMM_BINS];
} pm_spgemm_counts;

/* Addresses of arrays in the memory of the device.  A value is a double. */
typedef struct {
    unsigned long long a_first;  /* unsigned[rows of A + 1]: the first entry of each row, and nnz */
    unsigned long long a_column; /* int[nnz of A] */
    unsigned long long a_value;  /* values[nnz of A] */
    unsigned long long from;     /* unsigned[nnz of A]: the first entry of B that an entry meets;
                                  * 0: that of its row */
    unsigned long long b_first, b_column, b_value;
    unsigned long long counts; /* pm_spgemm_counts */
    unsigned long long bin; /* unsigned[PM_SPGEMM_BINS][rows]: the rows of each bin, in any order */
    unsigned long long place;  /* 64-bit [rows]: where in found_* a row begins */
    unsigned long long length; /* unsigned[rows]: its entries there */
    unsigned long long tile;   /* 64-bit: entries of C before each PM_SPGEMM_ROWS rows */
    unsigned long long found_column, found_value; /* int[], values[]: rows with gaps */
    unsigned long long c_first;                   /* 64-bit [rows + 1] */
    unsigned long long c_column, c_value;         /* int[], values[]: rows without gaps */
    unsigned long long sum, seen; /* values[blocks][ncols], unsigned[blocks][words]: of long rows */
    long long first, rows;        /* of A that are multiplied */
    long long ncols;              /* of B */
    unsigned window; /* entries of A that a long row takes at a time: their terms are below 2^32 */
    int group;       /* threads that count the terms of a row: 2, 4, 8, 16 or 32 */
    int blocks;      /* of the launch */
} pm_spgemm_arrays;

#endif
