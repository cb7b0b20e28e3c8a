/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/orders.h: orders of vertices, for the frontier. */
#ifndef PM_TEST_ORDERS_H
#define PM_TEST_ORDERS_H

#include "order/vertex_order.h"

/* A search that neither another plan nor a limit of time ends early. */
extern const pm_search_limits no_limits;

/* *o: all vertices of one copy in random order, with its cost.  o was allocated for g.  *rng is advanced. */
void random_order(uint64_t *rng, const pm_block_graph *g, pm_vertex_order *o);

#endif
