/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/spmv_gpu_kernel.h"

#include "gpu/kernel_text.h"

static const char *const names[PM_SPMV_KERNELS] = {
    "pm_spmv_coo_atomic",    "pm_spmv_coo_threads",   "pm_spmv_coo_adjacent",
    "pm_spmv_coo_warp",      "pm_spmv_coo_block",     "pm_spmv_coo_scan",
    "pm_spmv_coo_scan_rows", "pm_spmv_coo_scan_warp", "pm_spmv_coo_scan_warps",
    "pm_spmv_coo_scan_tree", "pm_spmv_coo_jump",      "pm_spmv_coo_jump_unrolled",
    "pm_spmv_csr_scalar",    "pm_spmv_csr_vector",    "pm_spmv_csr_merge",
};

const char *pm_spmv_kernel_name(pm_spmv_kernel k)
{
    return names[k];
}

bool pm_spmv_kernel_can(pm_spmv_kernel k, pm_semiring s)
{
    return s == PM_SEMIRING_SUM || (k != PM_SPMV_COO_SCAN && k != PM_SPMV_COO_SCAN_TREE);
}

char *pm_spmv_text(const pm_spmv_kind *kind)
{
    return pm_kernel_text_make(
        "#define PM_THREADS %d\n#define PM_BLOCKS %d\n#define PM_TERMS "
        "0\n#define PM_SPMV_PART %d\n#define PM_SINGLE %d\n"
        "#define PM_HAS_VALUES %d\n#define PM_SEMIRING %d\n%s%s%s%s%s%s",
        kind->is_coo ? PM_SPMV_COO_BLOCK_THREADS : PM_SPMV_CSR_BLOCK_THREADS,
        kind->is_coo ? 1 : PM_SPMV_CSR_BLOCKS, PM_SPMV_PART, kind->is_single, kind->has_values,
        (int)kind->semiring, pm_text_prelude, pm_text_phases, pm_text_semiring, pm_text_spmv_arrays,
        pm_text_spmv_terms, kind->is_coo ? pm_text_spmv_coo : pm_text_spmv_csr);
}

/* ---- launches ---- */

static int64_t shares(int64_t of, int64_t each)
{
    return (of + each - 1) / each;
}

static int64_t blocks_of(pm_spmv_kernel k, const pm_spmv_arrays *a, int64_t resident)
{
    const int64_t csr = PM_SPMV_CSR_BLOCK_THREADS,
                  chunks = shares(a->nnz, PM_SPMV_COO_BLOCK_THREADS);
    switch (k) {
    case PM_SPMV_COO_ATOMIC:
    case PM_SPMV_COO_SCAN:
    case PM_SPMV_COO_SCAN_ROWS:
    case PM_SPMV_COO_SCAN_WARP:
    case PM_SPMV_COO_SCAN_WARPS: return chunks;
    case PM_SPMV_COO_SCAN_TREE: return shares(chunks, 2);
    case PM_SPMV_CSR_SCALAR: return shares(a->nrows, csr);
    case PM_SPMV_CSR_VECTOR: return shares(a->nrows, csr / a->group);
    case PM_SPMV_CSR_MERGE: return a->tiles;
    default: return chunks < resident ? chunks : resident;
    }
}

int pm_spmv_launches(pm_spmv_kernel k, const pm_spmv_arrays *a, int64_t resident,
                     pm_spmv_launch out[3])
{
    const int coo = PM_SPMV_COO_BLOCK_THREADS, csr = PM_SPMV_CSR_BLOCK_THREADS;
    const bool is_coo = k < PM_SPMV_CSR_SCALAR;
    int n = 0;
    if (a->nrows == 0)
        return 0;
    if (is_coo)
        out[n++] = (pm_spmv_launch){"pm_spmv_clear", shares(a->nrows, coo), coo};
    if (!is_coo || a->nnz > 0)
        out[n++] = (pm_spmv_launch){names[k], blocks_of(k, a, resident), is_coo ? coo : csr};
    if (k == PM_SPMV_CSR_MERGE && a->tiles > 1)
        out[n++] = (pm_spmv_launch){"pm_spmv_csr_carry", shares(a->tiles, csr), csr};
    return n;
}

int64_t pm_spmv_tiles(const pm_csr *a)
{
    return shares(a->nrows + a->rowptr[a->nrows], PM_SPMV_TILE);
}

void pm_spmv_tile_rows(const pm_csr *a, uint32_t *tile_row)
{
    int64_t tiles = pm_spmv_tiles(a), i = 0;
    for (int64_t t = 0; t < tiles; ++t) {
        while (i < a->nrows && a->rowptr[i + 1] + i < t * PM_SPMV_TILE)
            ++i;
        tile_row[t] = (uint32_t)i;
    }
    tile_row[tiles] = (uint32_t)a->nrows;
}

/* ---- the choice ---- */

/* Rows of about the same length keep all threads of a warp busy: a few threads for each row then wait
 * neither for each other nor for shared memory.  Limits: measured on an H200. */
enum { MEAN_OF_SCALAR = 4, MEAN_OF_TWO = 10, SPREAD = 8 };

pm_spmv_choice pm_spmv_choose(const pm_csr *a)
{
    int64_t longest = 0, rows = a->nrows > 0 ? a->nrows : 1;
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t length = a->rowptr[i + 1] - a->rowptr[i];
        longest = length > longest ? length : longest;
    }
    const double mean = (double)a->rowptr[a->nrows] / (double)rows;
    int group = 2;
    while (group < 32 && mean > MEAN_OF_TWO && 3 * group <= mean)
        group *= 2;
    const bool is_even = (double)longest <= SPREAD * (mean + 2);
    return (pm_spmv_choice){!is_even                 ? PM_SPMV_CSR_MERGE
                            : mean <= MEAN_OF_SCALAR ? PM_SPMV_CSR_SCALAR
                                                     : PM_SPMV_CSR_VECTOR,
                            group};
}
