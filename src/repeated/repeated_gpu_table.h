/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_gpu_table.h: the table of numbers that cuda/repeated.cuh reads. */
#ifndef PM_REPEATED_GPU_TABLE_H
#define PM_REPEATED_GPU_TABLE_H

#include "repeated/repeated_digits.h"
#include "repeated/repeated_powers.h"
#include "sweep/gpu_arithmetic.h"

/* What the text and the table of a kernel follow from, beside the entries. */
typedef struct {
    pm_gpu_arithmetic arithmetic; /* its rows are those of the powers */
    pm_repeated_digits digits;
    pm_repeated_powers powers;
} pm_repeated_gpu_shape;

/* The numbers of one vector of row sums, and of one weight. */
static inline int64_t pm_repeated_gpu_width(const pm_repeated_gpu_shape *h)
{
    return (int64_t)h->arithmetic.n * pm_gpu_parts(&h->arithmetic);
}

static inline int pm_repeated_gpu_weight(const pm_repeated_gpu_shape *h)
{
    const pm_gpu_arithmetic *a = &h->arithmetic;
    return a->nprimes ? a->nprimes : pm_dense_is_single((pm_dense_kind)a->kind) ? 1 : 2;
}

/* The radix of digit 0, and the product of the other inner radices; 1 where there are none. */
int64_t pm_repeated_gpu_run(const pm_repeated_gpu_shape *h);
int64_t pm_repeated_gpu_runs(const pm_repeated_gpu_shape *h);

/* The numbers of the table. */
int64_t pm_repeated_gpu_cells(const pm_repeated_gpu_shape *h);

/* The parts of the table, which the caller has zeroed.  Integers stay below 2^51, residues are at
 * most half a prime; in words below 2^30.
 * put_weights fails: PM_ENOMEM. */
pm_status pm_repeated_gpu_put_weights(const pm_repeated_gpu_shape *h, double *table, pm_error *err);
void pm_repeated_gpu_put_integers(const pm_repeated_gpu_shape *h, const pm_square *s,
                                  double *table);
/* entry: [n][n][components] of the square with n rows; raised: [rows of the powers], or NULL where
 * there is no spread. */
void pm_repeated_gpu_put_floats(const pm_repeated_gpu_shape *h, int32_t n, const double *entry,
                                const double *raised, double *table);

#endif
