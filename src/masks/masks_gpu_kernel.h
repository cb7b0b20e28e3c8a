/* SPDX-License-Identifier: GPL-3.0-or-later */
/* masks/masks_gpu_kernel.h: the text of the kernels that run mask programs. */
#ifndef PM_MASKS_GPU_KERNEL_H
#define PM_MASKS_GPU_KERNEL_H

enum {
    PM_MASK_THREADS = 256, /* of a thread block */
    PM_MASK_LANES_MAX = 8  /* residues side by side */
};

/* lanes: number of residues, or 0 for numbers.  parts: of a number, 1 real, 2 complex; ignored unless lanes is 0.
 * The caller frees the text.  Returns NULL when memory runs out. */
char *pm_mask_text(int lanes, int parts);

#endif
