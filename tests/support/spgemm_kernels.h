/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/spgemm_kernels.h: products of sparse matrices on device 0 against the CPU. */
#ifndef PM_TEST_SPGEMM_KERNELS_H
#define PM_TEST_SPGEMM_KERNELS_H

#include "spgemm/product_gpu.h"

enum { SPGEMM_KINDS = 48 };

/* All kinds; number: 0 .. SPGEMM_KINDS - 1. */
pm_product_kind spgemm_kind_of(int number);

/* Called with the open product, all of whose rows were made, and these rows; may be NULL. */
typedef void spgemm_more(pm_product_gpu *g, const pm_csr *whole);

/* All rows, in ranges of at most `at_once` terms (0: as many as possible), each range twice: all digits;
 * for PM_SEMIRING_LOG up to the rounding of as many additions as a row has terms. */
void spgemm_kernels_check(const pm_product *p, bool has_values, int64_t at_once, spgemm_more *more);

#endif
