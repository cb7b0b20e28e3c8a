/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/spgemm_kernels.h: products of sparse matrices on device 0 against the CPU. */
#ifndef PM_TEST_SPGEMM_KERNELS_H
#define PM_TEST_SPGEMM_KERNELS_H

#include "spgemm/product_gpu.h"
#include "support/csr_shapes.h"

enum { SPGEMM_KINDS = 48 };

/* All kinds; number: 0 .. SPGEMM_KINDS - 1. */
pm_product_kind spgemm_kind_of(int number);

/* Called with the open product, all of whose rows were made, and these rows; may be NULL. */
typedef void spgemm_more(pm_product_gpu *g, const pm_csr *whole);

/* All rows, in ranges of at most `at_once` terms (0: as many as possible), each range twice: all digits;
 * for PM_SEMIRING_LOG up to the rounding of as many additions as a row has terms. */
void spgemm_kernels_check(const pm_product *p, bool has_values, int64_t at_once, spgemm_more *more);

/* The factors: shapes, sizes (rows x inner, inner x columns), and entries a row as in csr_case_make. */
typedef struct {
    csr_shape a, b;
    int64_t rows, inner, columns;
    double mean;
    int third; /* 1, 2 or 3: kinds of this third, in which all operands meet one semiring each; 0: all */
} spgemm_shapes;

enum { SPGEMM_THIRD = SPGEMM_KINDS / 6 };

/* `kinds` products of random kinds of such factors, each once if there are no more.  Columns decide on the keys, so
 * all are SPGEMM_KINDS / 2, and SPGEMM_THIRD in a third.  Their values are integers.
 * at_once: random up to this, or 0; more: as in spgemm_kernels_check. */
void spgemm_shapes_check(uint64_t *rng, const spgemm_shapes *x, int kinds, int64_t at_once,
                         spgemm_more *more);

#endif
