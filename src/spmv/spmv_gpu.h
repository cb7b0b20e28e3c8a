/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/spmv_gpu.h: a sparse matrix and two vectors in the memory of a GPU, and their product. */
#ifndef PM_SPMV_GPU_H
#define PM_SPMV_GPU_H

#include "gpu/gpu.h"
#include "spmv/spmv_gpu_kernel.h"

/* ---- in an open session ---- */

/* Copies what a product needs of the matrix, but for x and y, to the device of a session.  The text of the
 * session contains pm_spmv_text(kind).  value: the values as the device has them; ignored unless
 * kind->has_values; NULL leaves them undefined.
 * Fails: PM_UNABLE more than 2^31 - 1 entries or rows; PM_ENODEV, PM_ENOMEM. */
pm_status pm_spmv_gpu_load(pm_gpu_session *s, const pm_csr *a, const pm_spmv_kind *kind,
                           const void *value, pm_spmv_arrays *out, pm_error *err);

/* Launches y = A x.  Does not wait.  resident: as in pm_spmv_launches; sets a->blocks.
 * Fails: PM_ENODEV. */
pm_status pm_spmv_gpu_launch(pm_gpu_session *s, pm_spmv_kernel kernel, pm_spmv_arrays *a,
                             int64_t resident, pm_error *err);

/* An array of the session with a copy of these bytes; from: NULL leaves it undefined.  An empty one
 * has an address too.  Fails: PM_ENODEV. */
pm_status pm_spmv_gpu_array(pm_gpu_session *s, const void *from, int64_t bytes,
                            unsigned long long *address, pm_error *err);

/* An array of the session with the row of each entry, as int.  Fails: PM_ENODEV, PM_ENOMEM. */
pm_status pm_spmv_gpu_rows(pm_gpu_session *s, const pm_csr *a, unsigned long long *address,
                           pm_error *err);

/* ---- in a session of its own ---- */

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
