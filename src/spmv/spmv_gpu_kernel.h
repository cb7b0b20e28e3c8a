/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/spmv_gpu_kernel.h: the kernels for products of a sparse matrix and a vector: their text, their
 * launches, and which one is for which matrix.  Needs no device. */
#ifndef PM_SPMV_GPU_KERNEL_H
#define PM_SPMV_GPU_KERNEL_H

#include "cuda/spmv_arrays.h"
#include "spmv/semiring.h"

typedef enum {
    /* COO: y = y + A x, in an order that is not fixed */
    PM_SPMV_COO_ATOMIC,
    PM_SPMV_COO_THREADS,
    PM_SPMV_COO_ADJACENT,
    PM_SPMV_COO_WARP,
    PM_SPMV_COO_BLOCK,
    PM_SPMV_COO_SCAN,
    PM_SPMV_COO_SCAN_ROWS,
    PM_SPMV_COO_SCAN_WARP,
    PM_SPMV_COO_SCAN_WARPS,
    PM_SPMV_COO_SCAN_TREE,
    PM_SPMV_COO_JUMP,
    PM_SPMV_COO_JUMP_UNROLLED,
    /* CSR: y = A x, always the same digits */
    PM_SPMV_CSR_SCALAR,
    PM_SPMV_CSR_VECTOR,
    PM_SPMV_CSR_MERGE,
    PM_SPMV_KERNELS
} pm_spmv_kernel;

/* Its name in the text, as "pm_spmv_csr_merge". */
const char *pm_spmv_kernel_name(pm_spmv_kernel k);

/* False for kernels that take differences, which only the semiring `sum` has. */
bool pm_spmv_kernel_can(pm_spmv_kernel k, pm_semiring s);

/* What values are. */
typedef struct {
    pm_semiring semiring;
    bool is_single;  /* floats instead of doubles */
    bool has_values; /* otherwise all entries are the semiring's one */
    bool is_coo;     /* kernels of COO, otherwise of CSR */
} pm_spmv_kind;

enum {
    PM_SPMV_COO_BLOCK_THREADS = 1024,
    PM_SPMV_CSR_BLOCK_THREADS = 256,
    PM_SPMV_CSR_BLOCKS = 5, /* on a multiprocessor */
    PM_SPMV_PART = 9,       /* places of a thread of pm_spmv_csr_merge */
    PM_SPMV_TILE = PM_SPMV_PART * PM_SPMV_CSR_BLOCK_THREADS
};

/* CUDA C++ and C.  The caller frees it with free().  Returns NULL when out of memory. */
char *pm_spmv_text(const pm_spmv_kind *kind);

/* A launch; group: of pm_spmv_arrays, for PM_SPMV_CSR_VECTOR. */
typedef struct {
    const char *name;
    int64_t blocks;
    int threads;
} pm_spmv_launch;

/* The launches of a product, in this order: clearing, the kernel, and what follows it.  Returns their
 * number, at most 3; 0 for a matrix without rows.
 * resident: thread blocks of 1024 threads that run at a time on the device, for strided maps. */
int pm_spmv_launches(pm_spmv_kernel k, const pm_spmv_arrays *a, int64_t resident,
                     pm_spmv_launch out[3]);

/* The tiles of a matrix for pm_spmv_csr_merge. */
int64_t pm_spmv_tiles(const pm_csr *a);
/* tile_row: [pm_spmv_tiles(a) + 1] */
void pm_spmv_tile_rows(const pm_csr *a, uint32_t *tile_row);

/* ---- the choice ---- */

typedef struct {
    pm_spmv_kernel kernel;
    int group; /* of PM_SPMV_CSR_VECTOR */
} pm_spmv_choice;

/* The kernel for a matrix, by the lengths of its rows.  Time: one pass over the rows. */
pm_spmv_choice pm_spmv_choose(const pm_csr *a);

#endif
