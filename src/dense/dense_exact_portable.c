/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dense/dense_exact_range.h"

#define DENSE_BYTES 16
#define DENSE_TARGET

#include "dense/dense_exact_limbs.h"
#include "dense/dense_exact_tile.h"

void pm_dense_exact_range_portable(const void *problem, uint64_t first, uint64_t end, pm_sum *sum)
{
    dense_tile tile;
    run_tiles(problem, first, end, &tile, add_tile_limbs, sum);
}
