/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interpreters of tree.h for AVX-512. */
#include "config.h"

#include "core/isa.h"

#if PM_HAVE_X86
#define PM_LANES 8
#include "product_tree/tree_body.h"

PM_TREE_KERNELS(pm_tree_avx512)
#endif
