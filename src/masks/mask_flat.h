/* SPDX-License-Identifier: GPL-3.0-or-later */
/* masks/mask_flat.h: a mask program without pointers, as CPUs and devices run it. */
#ifndef PM_MASK_FLAT_H
#define PM_MASK_FLAT_H

#include "cuda/mask_step.h"
#include "masks/mask_program.h"

/* Step i of p.  The block has fewer than 2^31 entries. */
void pm_mask_flatten(const pm_mask_program *p, int32_t i, pm_mask_flat *out);

#endif
