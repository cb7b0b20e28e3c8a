/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_order.h: the order in which the beam processes the vertices. */
#ifndef PM_BEAM_ORDER_H
#define PM_BEAM_ORDER_H

#include "order/vertex_order.h"

/* *g = the graph of a (is_general: on one set of vertices), *o = an order of its vertices.  The caller frees both; after a failure there
 * is nothing to free.
 * The order is the one of least cost for exact counting that the search finds in a twentieth of the
 * nominal seconds of that count, at most 0.1 seconds.  If every order is too costly for the search,
 * it is, among a few orders made without a search, the one whose widest level has the fewest
 * states.
 * Fails: PM_UNABLE (2^31 vertices), PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_beam_order_find(const pm_matrix *a, bool is_general, uint64_t seed, const pm_run *run,
                             pm_block_graph *g, pm_vertex_order *o, pm_error *err);

#endif
