/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spgemm/product_gpu.h: products of sparse matrices on a GPU, a range of rows at a time.
 *
 * Terms are expanded, sorted by columns and added up (Dalton, Olson and Bell 2015, "Optimizing sparse
 * matrix-matrix multiplication for the GPU"; the kernels are in cuda/spgemm_*.cuh).  The terms of an
 * entry are added in the order of pm_product_make, so sums and maxima have the same digits; logarithms
 * of sums differ by rounding. */
#ifndef PM_PRODUCT_GPU_H
#define PM_PRODUCT_GPU_H

#include "gpu/gpu.h"
#include "spgemm/product_gpu_text.h"

/* Not thread-safe. */
typedef struct {
    pm_gpu_session *session;
    const pm_product *product;
    pm_spgemm_arrays arrays;
    bool has_values;
    int64_t at_once; /* terms of a range */
    int64_t most;    /* rows of a range */
    int64_t longest; /* size of the longest row, as in cuda/spgemm_arrays.h */
    int64_t resident, long_blocks;
} pm_product_gpu;

/* Copies the factors to a device.  p must outlive *out, which the caller closes.
 * has_values: as in pm_product_make.
 * at_once: a range has at most so many terms; 0: as many as its memory permits.
 * Fails: PM_UNABLE a factor with more than 2^31 - 1 entries or rows; PM_ENODEV also where the memory of the
 * device is too small for the longest row; PM_ENOMEM. */
pm_status pm_product_gpu_open(int device, const pm_product *p, bool has_values, int64_t at_once,
                              pm_product_gpu *out, pm_error *err);
void pm_product_gpu_close(pm_product_gpu *g);

/* The end of the longest range that begins with row `first` and can be made at once. */
int64_t pm_product_gpu_end(const pm_product_gpu *g, int64_t first);

/* Rows first, ..., end - 1 in the memory of the device, end at most pm_product_gpu_end(g, first).
 * Does not wait.  Fails: PM_ENODEV. */
pm_status pm_product_gpu_make(pm_product_gpu *g, int64_t first, int64_t end, pm_error *err);

/* The number of entries of these rows.  Waits for the product.  Fails: PM_ENODEV. */
pm_status pm_product_gpu_entries(pm_product_gpu *g, int64_t *out, pm_error *err);

/* These rows.  Waits for the product.  The caller frees *out.  Fails: PM_ENODEV, PM_ENOMEM. */
pm_status pm_product_gpu_get(pm_product_gpu *g, pm_product_rows *out, pm_error *err);

#endif
