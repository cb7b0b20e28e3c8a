/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interpreters of tree.h for AVX2 and FMA. */
#include "config.h"

#include "core/isa.h"

#if PM_HAVE_X86
#define PM_LANES 4
#include "product_tree/tree_body.h"

PM_TREE_KERNELS(pm_tree_avx2)
#endif
