/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/csr_shapes.h: sparse matrices of random and of degenerate shapes, with vectors, whose
 * products can be compared to the last digit. */
#ifndef PM_TEST_CSR_SHAPES_H
#define PM_TEST_CSR_SHAPES_H

#include <stdint.h>

#include "spmv/semiring.h"

typedef enum {
    CSR_RANDOM,      /* rows of about the same length; columns may occur twice */
    CSR_EMPTY_ROWS,  /* three rows of four are empty */
    CSR_FULL_ROW,    /* one row has each column, the others one entry or none */
    CSR_FULL_COLUMN, /* each row has one entry, in the same column */
    CSR_POWERS,      /* lengths from 0 to the number of columns, few of them long */
    CSR_SHAPES
} csr_shape;

typedef struct {
    pm_csr a;
    double *x, *y; /* [ncols], [nrows] */
    int64_t *rowptr;
    int32_t *colind;
    double *value;
} csr_case;

/* Values and x are integers from -4 to 4: sums of up to 10^6 terms are exact in floats, but for one
 * case in 10^9, and in doubles always.  mean: entries a row. */
csr_case csr_case_make(uint64_t *rng, csr_shape shape, int64_t nrows, int64_t ncols, double mean);
void csr_case_free(csr_case *c);

/* Fails unless y is the product by the CPU: all digits; for PM_SEMIRING_LOG up to the rounding of
 * as many additions as the longest row has.  unit: 2^-53, or 2^-24 for floats. */
void csr_case_check(const csr_case *c, pm_semiring s, bool has_values, const double *y, double unit,
                    const char *what);

#endif
