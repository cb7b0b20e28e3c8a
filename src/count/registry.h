/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/registry.h: the table of exact algorithms. */
#ifndef PM_REGISTRY_H
#define PM_REGISTRY_H

#include "algorithm/algorithm.h"

extern const pm_algorithm pm_algorithm_frontier, pm_algorithm_frontier_rank,
    pm_algorithm_frontier_hash, pm_algorithm_ryser, pm_algorithm_sparyser, pm_algorithm_skipper,
    pm_algorithm_product_tree, pm_algorithm_enumerate, pm_algorithm_planar, pm_algorithm_rook,
    pm_algorithm_ryser_gpu, pm_algorithm_product_tree_gpu, pm_algorithm_sparyser_gpu,
    pm_algorithm_skipper_gpu, pm_algorithm_codegen, pm_algorithm_hybrid, pm_algorithm_frontier_gpu;

/* NULL when there is none of this name on the backend (PM_BACKEND_AUTO: on any). */
const pm_algorithm *pm_algorithm_find(const char *name, pm_backend backend);
/* Table entries in the order of preference, those of the CPU first; NULL-terminated.  Two of a name
 * do the same on different backends. */
extern const pm_algorithm *const pm_algorithms[];

#endif
