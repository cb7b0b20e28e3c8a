/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bethe.h: belief propagation for the perfect matchings of a weighted bipartite graph.
 *
 * The message from i to j along an edge is
 *
 *   m(i -> j) = a_ij / sum over the other neighbours k of i of m(k -> i).
 *
 * On a tree it compares matchings of the part of the tree on i's side of the edge: the weight of
 * those that use the edge, divided by the weight of those that match i to another vertex.  On other
 * graphs the messages are a fixed point of these equations, the Bethe approximation.  The edge is
 * used with probability t / (a_ij + t), t = m(i -> j) m(j -> i).  These probabilities are a
 * doubly stochastic matrix at which Bethe's functional has its maximum.
 * Source: Vontobel 2013, "The Bethe permanent of a nonnegative matrix", section V. */
#ifndef PM_BETHE_H
#define PM_BETHE_H

#include "pm/matrix.h"
#include "pm/run.h"
#include "spmv/workspace.h"

/* Multiplying all messages to columns by a number and dividing all messages to rows by it changes
 * no probability.  For entry k in row i, column j: to_col[k] = m(i -> j), to_row[k] = m(j -> i). */
typedef struct {
    double *to_col, *to_row; /* pm_matrix_nnz entries each, finite and > 0 */
    double *probability;     /* that a matching uses the entry, by these messages */
} pm_bethe;

/* When belief propagation ends. */
typedef struct {
    /* The sum over the other neighbours is raised to this part of the sum over all: then messages are finite when a line has one
     * entry, and not too large on cycles (on a single cycle the heavier of its two matchings would have probability 1). */
    double least_share;
    int sweeps; /* the most, at least 1 */
    /* Where no probability changes by more in half a sweep, on a GPU in a whole one.  On the CPU a large graph is tested after each
     * eighth sweep; it also ends where what all later sweeps would change is small beside what the approximation does not tell. */
    double tolerance;
} pm_bethe_limits;

/* What the approximation does not tell of a permanent, a natural logarithm: at least this, and a part of the sum of b - 1/2 over
 * entries whose probability b is above 1/2.  Fitted on grids, regular and dense graphs (doc/measurements.md). */
#define PM_BETHE_UNKNOWN         0.05
#define PM_BETHE_UNKNOWN_OF_HIGH 0.7

/* a: square, no empty line.  value[k][0] > 0: its entries, near 1; NULL: all are 1.
 * on: NULL, or a workspace with the pattern of a: where it has a GPU, the messages are computed there, and
 * its entries and the vectors 0 and 1 are overwritten.
 * *out: freed by the caller.  Fails: PM_ENOMEM, PM_ESTOPPED; PM_ENODEV. */
pm_status pm_bethe_make(const pm_matrix *a, double (*value)[2], const pm_bethe_limits *limits,
                        pm_workspace *on, const pm_run *run, pm_bethe *out, pm_error *err);
/* The same with one message for each entry, in one direction and the other in turn, in on->x.a.value; in the end on->x.a.value[k]
 * is the probability of entry k; sum_to_col[j]: the sum of the last messages to column j, [ncols].  on: of a, with entries that are stored. */
pm_status pm_bethe_probabilities(const pm_matrix *a, double (*value)[2],
                                 const pm_bethe_limits *limits, pm_workspace *on, const pm_run *run,
                                 double *sum_to_col, pm_error *err);
/* Sweeps for the best answer that is worth its time: at most 2000, and fewer where there are many
 * entries, so that all together change 10^8 messages, but at least 50. */
int pm_bethe_sweeps(int64_t nnz);
/* Gives both kinds of messages the same geometric mean. */
void pm_bethe_balance(int64_t nnz, pm_bethe *b);
void pm_bethe_free(pm_bethe *b);

#endif
