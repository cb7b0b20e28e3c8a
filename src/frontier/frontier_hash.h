/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_hash.h: the frontier programme over the states that are reached, in hash tables.
 * Slower a transition than the rank kernel and heavier a state, so only for low fill: where few of
 * the states that the layout admits are ever reached. */
#ifndef PM_FRONTIER_HASH_H
#define PM_FRONTIER_HASH_H

#include <stdbool.h>

#include "frontier/frontier_program.h"
#include "frontier/ring.h"
#include "pm/run.h"

/* PM_UNABLE when the digits of some level do not fit the 128-bit keys. */
pm_status pm_hash_fits(const pm_block_graph *g, const pm_vertex_order *o, pm_error *err);

/* Seconds on one core, were all states reached, at `rate` seconds a transition. */
double pm_hash_seconds(const pm_frontier_program *p, int residues, double rate);

/* Bytes of the two largest neighbouring levels, were all states reached: keys, index and values,
 * with room to double. */
double pm_hash_bytes(const pm_frontier_program *p, int64_t value_bytes);

/* As pm_frontier_rank_run.  memory: bytes; beyond it the run ends with PM_UNABLE. */
pm_status pm_frontier_hash_run(const pm_block_graph *g, const pm_vertex_order *o,
                               const pm_ring *ring, const pm_run *run, int64_t memory, double done,
                               double share, void *value, pm_error *err);

#endif
