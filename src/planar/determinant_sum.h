/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/determinant_sum.h: a permanent as a sum of determinants, or a hafnian as a sum of Pfaffians:
 * one for a planar graph, one for each class of signs on a torus, one for each term of a graph that is split (planar/splitting.h).
 *
 * All terms have the vertices of the graph, and pair i of every term has row i.  So one elimination
 * order, that of the first term, serves all of them. */
#ifndef PM_DETERMINANT_SUM_H
#define PM_DETERMINANT_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "elimination/determinant_batches.h"
#include "elimination/elimination.h"
#include "ledger/ledger.h"
#include "planar/plain_graph.h"
#include "planar/splitting.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    pm_plain_graph graph;
    bool is_zero; /* no perfect matching: nothing below is set */
    int classes;  /* of signs, see planar/kasteleyn.h */
    pm_splitting splitting;
    int32_t *order;         /* elimination order of the pairs */
    pm_elimination first;   /* of the first term */
    double work;            /* average of the terms, as in pm_elimination */
    double multiplications; /* average of the terms */
} pm_determinant_sum;

/* graph: moved to *out; empty after the call, also on failure.
 * limits, checks: as in pm_splitting_find; splitting is not tried if limits->most is below 2.
 * Fails: PM_UNABLE the graph is neither planar nor a recognised torus and cannot be split, with the
 * reason; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_determinant_sum_make(pm_plain_graph *graph, const pm_deletion_limits *limits,
                                  int64_t checks, const pm_run *run, pm_determinant_sum *out,
                                  pm_error *err);
void pm_determinant_sum_free(pm_determinant_sum *t);

/* Sets residue[c * primes->count + i] to the sum of all terms in class c modulo primes->prime[i].
 * The members elimination, terms and classes of primes are ignored.  t->is_zero must not be set.
 * scope: NULL: nothing is recorded.  what: the name of the task, different for other integers.
 * Fails: PM_ESTOPPED, PM_ENOMEM; PM_PARTIAL other parts have to do the rest. */
pm_status pm_determinant_sum_residues(const pm_determinant_sum *t, const pm_determinants *primes,
                                      const pm_ledger_scope *scope, const char *what,
                                      const pm_run *run, uint64_t *residue, pm_error *err);
/* Bytes that pm_determinant_sum_residues needs with this number of primes.
 * memory: as in pm_determinants. */
double pm_determinant_sum_bytes(const pm_determinant_sum *t, int64_t primes, int64_t memory,
                                const pm_run *run);

#endif
