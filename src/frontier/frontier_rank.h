/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_rank.h: running a compiled frontier programme over plain arrays of values. */
#ifndef PM_FRONTIER_RANK_H
#define PM_FRONTIER_RANK_H

#include "cuda/frontier_step.h"
#include "frontier/frontier_program.h"
#include "frontier/ring.h"
#include "pm/run.h"

/* value: ring->value_bytes, the value of the only state of the last level.
 * done, share: progress so far and what this run adds to it, as fractions.
 * The result does not depend on the number of threads. */
pm_status pm_frontier_rank_run(const pm_frontier_program *p, const pm_ring *ring, const pm_run *run,
                               double done, double share, void *value, pm_error *err);

/* new[i] = the state of level `to` moved from its number in level `from`; the layouts hold the
 * same slots in another sequence and share the lowest `low`. */
pm_status pm_rank_permute(const pm_level *from, const pm_level *to, const pm_ring *ring,
                          int threads, const void *old, void *new, pm_error *err);

/* Cut the slots of a level into chunks of at most PM_FRONTIER_CHUNK_BITS bits of digits (first,
 * last and codes are set), and say what a unit of each slot's digit adds to their packed codes.
 * chunks: PM_FRONTIER_CHUNKS of them; old_code: that times PM_FRONTIER_CHUNK_BITS.
 * Returns how many chunks; 0: the slots do not fit. */
int pm_rank_cut(const pm_level *l, pm_frontier_chunk *chunks, uint64_t *old_code);
/* Whether pm_rank_permute takes a level with such slots. */
bool pm_rank_can_permute(const pm_level *from);

#endif
