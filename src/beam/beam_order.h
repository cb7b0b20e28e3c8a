/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_order.h: the order of the vertices for a beam. */
#ifndef PM_BEAM_ORDER_H
#define PM_BEAM_ORDER_H

#include "order/vertex_order.h"

/* The order of the least cost that is found, as for exact counting, in a tenth of the nominal seconds
 * that this would take, 0.2 at most; where all are out of its reach
 * the one whose widest level has the fewest states, of a few that are made without a search.
 * Fails: PM_UNABLE 2^31 vertices, PM_ESTOPPED, PM_ENOMEM; nothing to free then. */
pm_status pm_beam_order_find(const pm_matrix *a, uint64_t seed, const pm_run *run,
                             pm_block_graph *g, pm_vertex_order *o, pm_error *err);

#endif
