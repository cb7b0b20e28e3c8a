/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "masks/masks_gpu_kernel.h"

#include "gpu/kernel_text.h"

char *pm_mask_text(int lanes, int parts)
{
    return pm_kernel_text_make("#define PM_THREADS %d\n#define PM_TERMS 0\n#define PM_LANES %d\n"
                               "#define PM_ROW (32 / PM_LANES * PM_LANES)\n#define PM_PARTS %d\n"
                               "%s%s%s%s",
                               PM_MASK_THREADS, lanes ? lanes : 1, lanes ? 1 : parts,
                               pm_text_prelude, pm_text_mask_step,
                               lanes ? pm_text_residues : pm_text_numbers, pm_text_masks);
}
