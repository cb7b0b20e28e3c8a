/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/spmv_kernels.h: all kernels for sparse products on device 0 against the CPU. */
#ifndef PM_TEST_SPMV_KERNELS_H
#define PM_TEST_SPMV_KERNELS_H

#include "spmv/spmv_gpu.h"
#include "support/csr_shapes.h"

enum { SPMV_KINDS = 24 };

/* All kinds; number: 0 .. SPMV_KINDS - 1, those of CSR first. */
pm_spmv_kind spmv_kind_of(int number);

/* Called with the open product and room for its result, after the kernels; may be NULL. */
typedef void spmv_more(const csr_case *c, pm_spmv_gpu *g, double *y);

/* All kernels of a kind on one matrix. */
void spmv_kernels_check(const csr_case *c, const pm_spmv_kind *kind, uint64_t *rng,
                        spmv_more *more);

#endif
