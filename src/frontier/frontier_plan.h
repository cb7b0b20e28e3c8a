/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_plan.h: what planning for the frontier has in common, whatever will run it. */
#ifndef PM_FRONTIER_PLAN_H
#define PM_FRONTIER_PLAN_H

#include "algorithm/algorithm.h"
#include "frontier/frontier_program.h"
#include "frontier/ring.h"
#include "order/vertex_order.h"

/* A block, an order for it, and that compiled. */
typedef struct {
    pm_block_graph graph;
    pm_vertex_order order;
    pm_frontier_program program;
} pm_frontier_way;

/* The order is the job's or is searched for, as pm_vertex_order_search has it; seconds: nominal, of a
 * transition with all its residues.
 * Fails: PM_UNABLE out of reach; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_frontier_way_find(const pm_job *job, double seconds, pm_frontier_way *out,
                               pm_error *err);
/* Nominal seconds of a transition with all its residues, on a core, before a programme is
 * compiled. */
double pm_frontier_transition_seconds(const pm_job *job);
/* Bytes of a value, for the choice between permuting and short runs: the same whatever runs the
 * programme, since the sequence of additions depends on it. */
int64_t pm_frontier_value_bytes(const pm_job *job);
void pm_frontier_way_free(pm_frontier_way *w);

/* PM_UNABLE: it would take so many seconds and bytes, of which `allowed` are.
 * bound: "" or "more than ". */
pm_status pm_frontier_way_refuse(const pm_job *job, double seconds, const char *bound, double bytes,
                                 double allowed, pm_error *err);

/* The arithmetic of the job: residues modulo n of the moduli, or inexact numbers. */
pm_status pm_frontier_ring(const pm_job *job, const uint64_t *moduli, int n, pm_ring **out,
                           pm_error *err);

#endif
