/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/graphs.h: graphs to be estimated, some with counts known in closed form. */
#ifndef PM_TEST_GRAPHS_H
#define PM_TEST_GRAPHS_H

#include <stdint.h>

#include "pm/matrix.h"

/* Ends the program with the message unless s is PM_OK. */
void graphs_must(pm_status s, const pm_error *err);

/* Adds an entry of a pattern; then makes the matrix and frees the list. */
void graphs_add(pm_triples *t, int64_t i, int64_t j);
void graphs_end(pm_triples *t, pm_matrix *out);

/* m x n cells, m n even, a row for every black one. */
void grid_graph(int m, int n, pm_matrix *out);

/* Logarithm of its number of perfect matchings; Kasteleyn 1961. */
double grid_log(int m, int n);

/* Every entry with probability p. */
void dense_graph(int n, double p, uint64_t seed, pm_matrix *out);

/* The union of d random permutation matrices that share no entry. */
void regular_graph(int n, int d, uint64_t seed, pm_matrix *out);

/* Path of n + n vertices: 1 matching. */
void path_graph(int n, pm_matrix *out);

/* n x n, 1 at i, j with i - left <= j <= i + right.  Unless left = right the factors of its scaling grow by a number from row to row. */
void band_graph(int n, int left, int right, pm_matrix *out);

#endif
