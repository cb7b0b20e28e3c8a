/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/general_graphs.h: graphs on one set of vertices, as symmetric patterns; small ones by brute force. */
#ifndef PM_TEST_GENERAL_GRAPHS_H
#define PM_TEST_GENERAL_GRAPHS_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "support/testing.h"

/* A list of edges; to begin one, set n and zero the rest. */
typedef struct {
    int64_t n;
    pm_coordinates *edge;
    int64_t count, cap;
} test_edges;

/* Joins v and u, v == u: a loop; the second time nothing happens. */
void test_join(test_edges *g, int64_t v, int64_t u);
/* Joins each of the vertices first .. first+count-1 to the next, and the last one to the first. */
void test_join_cycle(test_edges *g, int64_t first, int64_t count);
/* Joins each two of these vertices. */
void test_join_all(test_edges *g, int64_t first, int64_t count);
/* The adjacency matrix; frees the list. */
void test_edges_end(test_edges *g, pm_matrix *out);

/* n vertices, each edge with probability p. */
void random_general_graph(uint64_t *rng, int64_t n, double p, pm_matrix *out);
/* n vertices, about `degree` n / 2 edges between random vertices. */
void sparse_general_graph(uint64_t *rng, int64_t n, double degree, pm_matrix *out);

/* The graph with a weight for each edge and loop; PM_PATTERN: as it is. */
void weigh_general_graph(uint64_t *rng, const pm_matrix *pattern, pm_field field,
                         double (*weight)(uint64_t *rng), pm_matrix *out);

/* Of graphs with at most 14 vertices: the sizes of maximum matchings of all their induced subgraphs, by sets of vertices. */
enum { SMALL_GRAPH = 14 };
typedef struct {
    int n;
    uint32_t neighbours[SMALL_GRAPH];
    signed char size[1 << SMALL_GRAPH];
} small_matchings;
void small_matchings_find(const pm_matrix *a, small_matchings *out);

/* Fails the test unless partner is a matching of a with `size` edges. */
void assert_matching(const pm_matrix *a, const int32_t *partner, int64_t size);

#endif
