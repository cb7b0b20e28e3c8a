/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interpreters of tree.h for any machine. */
#include "config.h"

#define PM_LANES 2
#include "product_tree/tree_body.h"

PM_TREE_KERNELS(pm_tree_portable)
