/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/iteration_arrays.h: the arguments of the kernels for iterations (cuda/vectors.cuh,
 * cuda/messages.cuh).  The text of the kernels contains this file, so it includes nothing and uses types
 * of any compiler.
 *
 * Members without a type are addresses of arrays in the memory of the device.  An array "by rows" has
 * the entries of a matrix in the order of its rows, one "by columns" in the order of its columns. */
#ifndef PM_ITERATION_ARRAYS_H
#define PM_ITERATION_ARRAYS_H

typedef struct {
    unsigned long long x, y, z; /* double[n]; 0: not there */
    unsigned long long partial; /* double[blocks] */
    double s;
    long long n;
    int op;     /* pm_map or pm_reduction */
    int blocks; /* of the launch */
} pm_vector_arrays;

typedef struct {
    unsigned long long row, column;  /* int[nnz], by rows: of each entry */
    unsigned long long place;        /* int[nnz], by rows: where the entry is by columns */
    unsigned long long value, other; /* double[nnz], by rows and by columns */
    unsigned long long x, z; /* double[n]: of the rows and of the columns; 0: factors of 1 */
    long long nnz;
    int blocks;
} pm_entry_arrays;

typedef struct {
    unsigned long long row, column, place; /* as above */
    unsigned long long value;              /* double[nnz], by rows */
    unsigned long long to_row, to_col;     /* double[nnz]: messages, by rows and by columns */
    unsigned long long probability;        /* double[nnz], by rows */
    unsigned long long sum_of_row,
        sum_of_col;             /* double[n]: of the messages to a row, to a column */
    unsigned long long partial; /* double[blocks]: largest changes */
    double least_share;         /* of pm_bethe_limits */
    long long nnz;
    int blocks;
} pm_message_arrays;

#endif
