/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/general_blocks.h: the graph that is left, as blocks. */
#ifndef PM_GENERAL_BLOCKS_H
#define PM_GENERAL_BLOCKS_H

#include "general/general_graph.h"
#include "pm/reduce.h"

/* *out: the values and the factor are moved out of g.  One block for each component, or a single one if !opt->blocks;
 * a bipartite component without a loop is reduced as a permanent (pm_reduce), unless keep_general.
 * Fails: PM_UNABLE a number is out of range; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_general_blocks(pm_general_graph *g, const pm_reduce_options *opt, bool keep_general,
                            const pm_run *run, pm_reduced *out, pm_error *err);

#endif
