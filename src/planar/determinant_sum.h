/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/determinant_sum.h: the determinants that a permanent is the sum of: one for a planar
 * graph, one for each class of signs on a torus, one a term for a graph that is split
 * (planar/splitting.h).
 *
 * All terms have the vertices of the graph, and pair i of each has its row i, so one order of
 * elimination, that of the first term, serves all of them. */
#ifndef PM_DETERMINANT_SUM_H
#define PM_DETERMINANT_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "elimination/determinant_batches.h"
#include "elimination/elimination.h"
#include "planar/plain_graph.h"
#include "planar/splitting.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    pm_plain_graph graph;
    bool is_zero; /* no perfect matching: nothing below is set */
    int classes;  /* of signs, see planar/kasteleyn.h */
    pm_splitting splitting;
    int32_t *order;       /* of the pairs */
    pm_elimination first; /* of the first term */
    double work;          /* of a term, on an average, as in pm_elimination */
    double multiplications;
} pm_determinant_sum;

/* graph: taken over.  limits: of splitting, which is not tried if limits->most is below 2; looks:
 * as in pm_splitting_find.
 * Fails: PM_UNABLE the graph is neither planar nor a torus that is recognised nor can be split,
 * with the reason; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_determinant_sum_make(pm_plain_graph *graph, const pm_deletion_limits *limits,
                                  int64_t looks, const pm_run *run, pm_determinant_sum *out,
                                  pm_error *err);
void pm_determinant_sum_free(pm_determinant_sum *t);

/* residue[c * primes->count + i]: the sum of all terms in class c modulo primes->prime[i]; what
 * `primes` says of eliminations and classes is not read.  is_zero is not set.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_determinant_sum_residues(const pm_determinant_sum *t, const pm_determinants *primes,
                                      const pm_run *run, uint64_t *residue, pm_error *err);
/* Bytes that this takes with so many primes. */
double pm_determinant_sum_bytes(const pm_determinant_sum *t, int64_t primes, int64_t memory,
                                const pm_run *run);

#endif
