/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dense/dense_exact_range.h"

#if PM_HAVE_X86

#include "dense/dense_exact_ifma.h"

PM_TARGET_AVX512IFMA
void pm_dense_exact_range_ifma(const void *problem, uint64_t first, uint64_t end, pm_sum *sum)
{
    const pm_dense_plan *p = problem;
    dense_tile tile;
    ifma_sum a;
    begin(p, sum, &a);
    run_tiles(p, first, end, &tile, add_tile_ifma, &a);
    empty(&a, p->limbs);
}

#endif
