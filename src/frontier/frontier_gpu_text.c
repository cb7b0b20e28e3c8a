/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_gpu_text.h"

#include "gpu/kernel_text.h"

/* Thread blocks on a multiprocessor at a time: the fastest that were measured. */
enum { RESIDUE_BLOCKS = 6, REAL_BLOCKS = 5, COMPLEX_BLOCKS = 4 };

char *pm_frontier_text(int lanes, int parts, int bits)
{
    const char *residues = bits == 32 ? pm_text_narrow : pm_text_residues;
    int blocks = lanes ? RESIDUE_BLOCKS : parts == 1 ? REAL_BLOCKS : COMPLEX_BLOCKS;
    return pm_kernel_text_make("#define PM_THREADS %d\n#define PM_TERMS 0\n#define PM_LANES %d\n"
                               "#define PM_ROW (32 / PM_LANES * PM_LANES)\n#define PM_PARTS %d\n"
                               "#define PM_BLOCKS %d\n%s%s%s%s",
                               PM_FLAT_THREADS, lanes ? lanes : 1, lanes ? 1 : parts, blocks,
                               pm_text_prelude, pm_text_frontier_step,
                               lanes ? residues : pm_text_numbers, pm_text_frontier);
}
