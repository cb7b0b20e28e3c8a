/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spgemm/product_gpu_text.h: the text of the kernels for products of sparse matrices.  Needs no device. */
#ifndef PM_PRODUCT_GPU_TEXT_H
#define PM_PRODUCT_GPU_TEXT_H

#include "cuda/spgemm_arrays.h"
#include "spgemm/product.h"

typedef struct {
    pm_semiring semiring;
    bool has_a, has_b; /* the factors have values; otherwise all entries are the semiring's one */
    bool has_sums;     /* C has values */
    bool is_wide;      /* keys of 64 bits: needed from PM_PRODUCT_NARROW columns on */
} pm_product_kind;

enum {
    PM_PRODUCT_NARROW = (1 << (32 - PM_SPGEMM_ORDER_BITS)) - 1,
    PM_PRODUCT_THREADS = 256, /* of a thread block */
};

pm_product_kind pm_product_kind_of(const pm_product *p, bool has_values);

/* CUDA C++ and C.  The caller frees it with free().  Returns NULL when out of memory. */
char *pm_product_text(const pm_product_kind *kind);

#endif
