/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_hash.h: the engine that keeps only the states that are reached, in hash tables.
 * A transition takes longer and a state more memory than in frontier_rank.h.  So it serves where
 * few of the states of a level are ever reached. */
#ifndef PM_FRONTIER_HASH_H
#define PM_FRONTIER_HASH_H

#include "frontier/frontier_program.h"
#include "frontier/ring.h"
#include "pm/run.h"

/* Fails: PM_UNABLE the digits of some level do not fit into 128-bit keys; PM_ENOMEM. */
pm_status pm_frontier_hash_fits(const pm_block_graph *g, const pm_vertex_order *o, pm_error *err);

/* Seconds on one core if all states are reached.  rate: seconds of a transition. */
double pm_frontier_hash_seconds(const pm_frontier_program *p, int residues, double rate);

/* Bytes of the two largest adjacent levels if all states are reached: keys, index and values, with
 * room to double. */
double pm_frontier_hash_bytes(const pm_frontier_program *p, int64_t value_bytes);

/* memory: bytes; a run that needs more fails with PM_UNABLE.  Otherwise as pm_frontier_rank_run. */
pm_status pm_frontier_hash_run(const pm_block_graph *g, const pm_vertex_order *o,
                               const pm_ring *ring, const pm_run *run, int64_t memory, double done,
                               double share, void *value, pm_error *err);

#endif
