/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_permute.h: a permutation step: the same states with their slots in another
 * sequence. */
#ifndef PM_FRONTIER_PERMUTE_H
#define PM_FRONTIER_PERMUTE_H

#include <stdbool.h>

#include "cuda/frontier_step.h"
#include "frontier/frontier_program.h"
#include "frontier/ring.h"
#include "pm/run.h"
#include "pm/status.h"

/* Moves the value of each state from its number in level `from` (array old) to its number in level
 * `to` (array new).  Both layouts hold the same vertices.  The arrays may be the same if the layouts
 * differ by disjoint swaps of slots of equal ranges.
 * Fails: PM_EINTERNAL unless pm_frontier_can_permute(from); PM_ENOMEM. */
pm_status pm_frontier_permute(const pm_frontier_level *from, const pm_frontier_level *to,
                              const pm_ring *ring, const pm_run *run, const void *old, void *new,
                              pm_error *err);

/* Whether the slots of a level fit into the chunks of pm_frontier_permute_chunks. */
bool pm_frontier_can_permute(const pm_frontier_level *from);

/* Divides the slots of a level into chunks of at most 2^PM_FRONTIER_CHUNK_BITS digit vectors each.
 * Sets first, last and codes of each chunk, and for each slot the amount that one unit of its digit
 * adds to the packed codes.
 * chunks: PM_FRONTIER_CHUNKS entries; old_code: PM_FRONTIER_CHUNKS * PM_FRONTIER_CHUNK_BITS
 * entries.
 * Returns the number of chunks, or 0 if the slots do not fit. */
int pm_frontier_permute_chunks(const pm_frontier_level *l, pm_dev_frontier_chunk *chunks,
                               uint64_t *old_code);

#endif
