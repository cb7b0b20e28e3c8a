/* SPDX-License-Identifier: GPL-3.0-or-later */
/* masks/mask_setup.h: the part of planning that CPUs and devices share: a block's graph, an order of its vertices, and its
 * program. */
#ifndef PM_MASK_SETUP_H
#define PM_MASK_SETUP_H

#include "algorithm/algorithm.h"
#include "frontier/frontier_state.h"
#include "masks/mask_program.h"

typedef struct {
    pm_block_graph graph;
    pm_vertex_order order;
    pm_mask_program program;
} pm_mask_setup;

/* seconds: nominal, of a unit of an order's cost (pm_vertex_order), with all residues.
 * Fails: PM_UNABLE no order is found that could be run, or its frontier has too many vertices; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_mask_setup_make(const pm_job *job, double seconds, pm_mask_setup *out, pm_error *err);
/* Where levels of the program are stored, and records the order.  Fails: PM_ENOMEM. */
pm_status pm_mask_setup_store(const pm_job *job, const pm_mask_setup *m, pm_frontier_states *out,
                              pm_error *err);
void pm_mask_setup_free(pm_mask_setup *m);

#endif
