/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/spmv_gpu.h: a sparse matrix and two vectors in the memory of a GPU, and their product. */
#ifndef PM_SPMV_GPU_H
#define PM_SPMV_GPU_H

#include "gpu/gpu.h"
#include "spmv/spmv_gpu_kernel.h"

/* Not thread-safe. */
typedef struct {
    pm_gpu_session *session;
    pm_spmv_kind kind;
    pm_spmv_arrays arrays;
    pm_spmv_choice choice; /* of pm_spmv_choose; without meaning for COO */
    int64_t ncols, resident;
    void *staged; /* values on their way, where they are floats */
} pm_spmv_gpu;

/* Copies the matrix to a device.  kind: with has_values a->value must not be NULL.
 * The caller closes *out.
 * Fails: PM_UNABLE more than 2^31 - 1 entries or rows; PM_ENODEV, PM_ENOMEM. */
pm_status pm_spmv_gpu_open(int device, const pm_csr *a, const pm_spmv_kind *kind, pm_spmv_gpu *out,
                           pm_error *err);
void pm_spmv_gpu_close(pm_spmv_gpu *g);

/* x: [ncols].  Fails: PM_ENODEV. */
pm_status pm_spmv_gpu_put(pm_spmv_gpu *g, const double *x, pm_error *err);
/* y = A x in the memory of the device, by a kernel of the format that was opened.  Does not wait.
 * Fails: PM_ENODEV. */
pm_status pm_spmv_gpu_multiply(pm_spmv_gpu *g, pm_spmv_kernel kernel, pm_error *err);
/* y: [nrows].  Waits for the product.  Fails: PM_ENODEV. */
pm_status pm_spmv_gpu_get(pm_spmv_gpu *g, double *y, pm_error *err);

#endif
