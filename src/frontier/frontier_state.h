/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_state.h: levels of a pass that are stored while it runs, and the passes that can go on
 * from a stored level (ledger/state_store.h).
 *
 * A level belongs to a program.  The same order, compiled for the same arithmetic, gives the same
 * program, whichever engine runs it: so a level that a device stored can be continued by another number
 * of devices, or by the CPU.  The digest of the program decides. */
#ifndef PM_FRONTIER_STATE_H
#define PM_FRONTIER_STATE_H

#include "algorithm/algorithm.h"
#include "frontier/frontier_program.h"
#include "frontier/ring.h"
#include "ledger/state_store.h"

/* Where a run stores levels, and what they are levels of.  {0}: nowhere. */
typedef struct {
    const pm_state_store *store;
    pm_ledger_key scope, engine;
    int32_t nsteps;
    int bits; /* of a residue, if the pass has no other: 64; 0: inexact numbers */
} pm_frontier_states;

pm_frontier_states pm_frontier_states_of(const pm_job *job, const pm_frontier_program *p);
/* The same without a digest of the program, `engine`, which the caller adds if there is a store. */
pm_frontier_states pm_frontier_states_new(const pm_job *job, int32_t nsteps);
/* Records the order of the vertices, where levels may be stored: a later run makes the program from it, on whatever
 * device.  No effect where there are twins or more than 636 vertices.  Fails: PM_ENOMEM. */
pm_status pm_frontier_record_order(const pm_job *job, const pm_block_graph *g,
                                   const pm_vertex_order *o, pm_error *err);
/* *order: the vertices in the recorded order, which the caller frees; NULL: there is none for this graph.
 * Fails: PM_ENOMEM. */
pm_status pm_frontier_recorded_order(const pm_job *job, const pm_block_graph *g, int32_t **order,
                                     int64_t *len, pm_error *err);
/* Whether a level of this computation is stored that this program has made. */
bool pm_frontier_is_stored(const pm_job *job, const pm_frontier_program *p);
/* Whether one is stored, and none that this program has made: so another one may go on with it. */
bool pm_frontier_other_is_stored(const pm_job *job, const pm_frontier_program *p);

/* A pass, and where its levels are stored. */
typedef struct {
    const pm_state_store *store; /* NULL: they are not */
    int slot;                    /* where they go */
    pm_state_head head;          /* of the next one that is stored; step: of the last one, or 0 */
    pm_state_head stored;        /* of the level that the pass begins with; step 0: of one state */
    int from;                    /* the slot that has it */
    double since;                /* clock: when it was begun, or its last level was stored */
} pm_frontier_pass;

/* A pass from its first step on.  modulus: `lanes` of them, of which `wanted` are wanted, the others fill values up. */
pm_frontier_pass pm_frontier_pass_new(const pm_frontier_states *s, int slot, int bits,
                                      const uint64_t *modulus, int lanes, int wanted);

/* The next pass whose level is stored.  moduli: those that are not done, n of them; the pass computes consecutive ones.
 * *slot: where to look, at first 0; behind the slot of the pass afterwards.
 * *first: the number of its first modulus.  A level of this computation that has another program is refused.
 * Returns false when there is no more. */
bool pm_frontier_pass_stored(const pm_frontier_states *s, const uint64_t *moduli, int n, int *slot,
                             pm_frontier_pass *out, int *first);

/* Bytes of a value of the level that a pass begins with; inexact: those of a value of inexact numbers. */
int64_t pm_frontier_pass_stored_bytes(const pm_frontier_pass *p, int64_t inexact);

/* Writes the level that the pass begins with, which has so many bytes.
 * *step: so many steps are done then.  It is 0, and what was written is not valid, where there is no such level
 * or it is damaged, which has been told.  Fails: as copy. */
pm_status pm_frontier_pass_load(pm_frontier_pass *p, int64_t bytes, pm_state_copy *copy,
                                void *engine, int32_t *step, pm_error *err);

/* After `step` steps, with their level complete: stores the level if it is worth it.
 * stops: the run ends.  Fails: as copy. */
pm_status pm_frontier_pass_store(pm_frontier_pass *p, int32_t step, double bytes, bool stops,
                                 pm_state_copy *copy, void *engine, pm_error *err);

/* Both for levels in the memory of the CPU: arrays of values of the ring, one for each state.  p: may be NULL, and is not stored then.
 * The ring has the lanes of p->head; if these are more than the stored ones, they repeat the first one. */
pm_status pm_frontier_pass_read(pm_frontier_pass *p, const pm_ring *ring, int64_t states,
                                void *level, int32_t *step, pm_error *err);
pm_status pm_frontier_pass_write(pm_frontier_pass *p, const pm_ring *ring, int64_t states,
                                 const void *level, int32_t step, bool stops, pm_error *err);

#endif
