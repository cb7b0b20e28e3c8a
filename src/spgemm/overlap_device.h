/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spgemm/overlap_device.h: the rows of a product on a GPU, for as long as it works. */
#ifndef PM_OVERLAP_DEVICE_H
#define PM_OVERLAP_DEVICE_H

#include "pm/backend.h"
#include "spgemm/product.h"

/* Not thread-safe. */
typedef struct pm_overlap_device pm_overlap_device;

/* *out: closed by the caller, or NULL: products are to be made on the CPU.  The factors of p must outlive it.
 * backend, failures: as in pm_overlap_use. */
pm_status pm_overlap_device_open(const pm_product *p, pm_backend backend, const pm_run *run,
                                 pm_overlap_device **out, pm_error *err);
/* d: may be NULL. */
void pm_overlap_device_close(pm_overlap_device *d);

/* Rows first, ..., *end - 1, with values, some ten megabytes; the caller frees *out.
 * Where the device failed and the CPU can go on, *d is closed and becomes NULL; then *out is not set.
 * Fails: as pm_overlap_use; PM_ESTOPPED. */
pm_status pm_overlap_device_next(pm_overlap_device **d, int64_t first, const pm_run *run,
                                 int64_t *end, pm_product_rows *out, pm_error *err);

#endif
