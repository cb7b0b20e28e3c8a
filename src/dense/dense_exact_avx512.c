/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dense/dense_exact_range.h"

#if PM_HAVE_X86

#define DENSE_BYTES  64
#define DENSE_TARGET PM_TARGET_AVX512

#include "dense/dense_exact_limbs.h"
#include "dense/dense_exact_tile.h"

PM_TARGET_AVX512
void pm_dense_exact_range_avx512(const void *problem, uint64_t first, uint64_t end, pm_sum *sum)
{
    dense_tile tile;
    run_tiles(problem, first, end, &tile, add_tile_limbs, sum);
}

#endif
