/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planner/registry.h: the table of exact algorithms.  A new algorithm is its file with a constant
 * pm_algorithm_ID, one line here and one in the man page; where it has a rate of its own, one line
 * in core/machine.h and one in calibration/calibrate.c. */
#ifndef PM_REGISTRY_H
#define PM_REGISTRY_H

#include "algorithm/algorithm.h"

/* The order of preference: of two plans with equal cost the earlier one is taken.  Those of the CPU
 * come first.  Two of one name do the same on different backends, or for bipartite and for general graphs. */
#define PM_ALGORITHMS(X)                                                                           \
    X(glynn)                                                                                       \
    X(frontier)                                                                                    \
    X(frontier_rank)                                                                               \
    X(frontier_hash)                                                                               \
    X(hafnian_small)                                                                               \
    X(hafnian)                                                                                     \
    X(masks)                                                                                       \
    X(periodic)                                                                                    \
    X(planar)                                                                                      \
    X(planar_general)                                                                              \
    X(rook)                                                                                        \
    X(necklace)                                                                                    \
    X(product_tree)                                                                                \
    X(repeated)                                                                                    \
    X(repeated_general)                                                                            \
    X(ryser)                                                                                       \
    X(skipper)                                                                                     \
    X(sparyser)                                                                                    \
    X(enumerate)                                                                                   \
    X(frontier_gpu)                                                                                \
    X(hafnian_gpu)                                                                                 \
    X(masks_gpu)                                                                                   \
    X(necklace_gpu)                                                                                \
    X(product_tree_gpu)                                                                            \
    X(repeated_gpu)                                                                                \
    X(ryser_gpu)                                                                                   \
    X(skipper_gpu)                                                                                 \
    X(sparyser_gpu)                                                                                \
    X(codegen)                                                                                     \
    X(hybrid)

#define PM_DECLARE(id) extern const pm_algorithm pm_algorithm_##id;
PM_ALGORITHMS(PM_DECLARE)
#undef PM_DECLARE

#define PM_ONE(id) +1
enum { PM_NALGORITHMS = 0 PM_ALGORITHMS(PM_ONE) };
#undef PM_ONE

/* i = 0, 1, ...; NULL after the last one. */
const pm_algorithm *pm_algorithm_at(int i);
/* general: for blocks of that kind (pm_block.general).
 * NULL when there is none of this name on the backend (PM_BACKEND_AUTO: on any). */
const pm_algorithm *pm_algorithm_find(const char *name, bool general, pm_backend backend);

#endif
