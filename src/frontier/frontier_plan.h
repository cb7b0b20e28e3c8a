/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_plan.h: the part of planning that all engines of the frontier method share. */
#ifndef PM_FRONTIER_PLAN_H
#define PM_FRONTIER_PLAN_H

#include "algorithm/algorithm.h"
#include "frontier/frontier_program.h"
#include "frontier/ring.h"
#include "order/vertex_order.h"

/* A block's graph, an order of its vertices and its program. */
typedef struct {
    pm_block_graph graph;
    pm_vertex_order order;
    pm_frontier_program program;
} pm_frontier_setup;

/* In reports: a program in place, with any words, on one device or spread over several. */
#define PM_FRONTIER_IN_PLACE_NAME "frontier-in-place"

/* The job's order, that of an earlier run whose levels are stored, or one that is found (pm_vertex_order_search), and its
 * cost.
 * seconds: nominal, of a transition with all its residues.
 * o: the caller frees it, also after a failure.
 * Fails: PM_UNABLE no order is found that could be run; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_frontier_order(const pm_job *job, double seconds, const pm_block_graph *g,
                            pm_vertex_order *o, pm_error *err);

/* The graph, its order (pm_frontier_order) and its program.
 * seconds: nominal, of a transition with all its residues.
 * Fails: PM_UNABLE no order is found that could be run; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_frontier_setup_make(const pm_job *job, double seconds, pm_frontier_setup *out,
                                 pm_error *err);
void pm_frontier_setup_free(pm_frontier_setup *w);

/* Whether all residues that could be computed in one pass fit into `allowed` bytes, so that a program
 * in place gains nothing.  bytes: of a value of them. */
bool pm_frontier_has_room(const pm_job *job, const pm_frontier_setup *w, double bytes,
                          double allowed);
/* The program of the same order in place.  Fails: as pm_frontier_program_compile. */
pm_status pm_frontier_setup_in_place(const pm_job *job, const pm_frontier_setup *w,
                                     pm_frontier_program *out, pm_error *err);

/* Nominal seconds of a transition with all its residues on one core, before a program is
 * compiled. */
double pm_frontier_transition_seconds(const pm_job *job);

/* Bytes of a value for pm_frontier_program_compile.  They are the same for every engine, since the
 * sequence of additions depends on the permutation steps. */
int64_t pm_frontier_value_bytes(const pm_job *job);

/* Sets a message that the job would take the given seconds and bytes, of which `allowed` are
 * allowed.  bound: "" or "more than ".  Returns PM_UNABLE. */
pm_status pm_frontier_refuse(const pm_job *job, double seconds, const char *bound, double bytes,
                             double allowed, pm_error *err);

/* The arithmetic of the job: residues modulo moduli[0 .. n-1] in words of `bits` bits, 64 or 32, if
 * the job has moduli; otherwise real or complex numbers, and moduli, n and bits are ignored.  The
 * caller calls (*out)->free. */
pm_status pm_frontier_ring(const pm_job *job, const uint64_t *moduli, int n, int bits,
                           pm_ring **out, pm_error *err);

/* What is counted where no state is left: residues of 0, or 0. */
void pm_frontier_set_zero(const pm_job *job, uint64_t *residues, pm_value *out);

#endif
