/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/vertex_order.h: orders for the frontier programme, and what they cost.
 *
 * The programme processes the vertices of both sides in one order.  Processing v: if v is matched
 * it is dropped; else it is matched to one of its unmatched, unprocessed neighbours.  The frontier
 * holds the unprocessed vertices with a processed neighbour; the state says how often each of
 * them is matched.  A vertex whose last neighbour is processed must be full and leaves.
 *
 * The frontier after a step depends only on the set of vertices processed, and so does
 *   k = rows done - columns done = matched frontier columns - matched frontier rows,
 * where "done" counts capacities.  With the bits of rows complemented every state has the same
 * digit sum K = k + (capacity of the frontier rows), so with f frontier vertices of capacity 1
 * there are at most C(f, K) states (Vandermonde), known from the order alone.
 *
 * A vertex of capacity above 1 (a class of twins) is never processed; it leaves when its last
 * neighbour is.  No edge joins two of them, so every edge has an end that is processed. */
#ifndef PM_VERTEX_ORDER_H
#define PM_VERTEX_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/reduce.h"
#include "pm/run.h"
#include "pm/status.h"

enum {
    PM_UNIT = -1,
    PM_HUB_DEGREE =
        1000 /* degree: the greedy search neither begins at a vertex of a higher one nor makes
                     candidates of its neighbours, which every step would look at */
};

/* Adjacency of a block; vertices 0..nrows-1 are rows, nrows..nv-1 columns. */
typedef struct {
    int32_t nv, nrows;
    int64_t *ptr;    /* nv + 1 */
    int32_t *adj;    /* ptr[nv]; neighbours ascending */
    int64_t *entry;  /* ptr[nv]; index in the block's matrix, or PM_UNIT for the value 1 */
    int32_t *cap;    /* nv */
    bool all_single; /* every capacity is 1 */
    bool is_partial; /* vertices may leave unmatched, so that every digit vector is a state; set by
                      * callers, and only where all_single is */
    double weighted; /* share of the entries that are not 1 */
} pm_block_graph;

pm_status pm_block_graph_make(const pm_block *b, pm_block_graph *g, pm_error *err);
void pm_block_graph_free(pm_block_graph *g);

static inline bool pm_block_graph_is_row(const pm_block_graph *g, int32_t v)
{
    return v < g->nrows;
}

/* C(n, k) as a double: exact below 2^53, else correct to about 1e-13; 0 outside 0 <= k <= n;
 * infinity where a double ends. */
double pm_binomial(int64_t n, int64_t k);
/* log2 of it, finite however large; -1 where it is 0. */
double pm_binomial_log2(int64_t n, int64_t k);

/* Number of digit vectors of digit sum s with `singles` digits in {0,1} and some larger digits that
 * by themselves reach sum d in ways[d] ways, d < nways. */
double pm_state_count(int64_t singles, const double *ways, int32_t nways, int64_t s);

/* States, at most, of a frontier of f vertices of capacity 1; sum: the digit sum K, where the graph is
 * not partial; and log2 of them. */
double pm_state_bound(const pm_block_graph *g, int64_t f, int64_t sum);
double pm_state_bound_log2(const pm_block_graph *g, int64_t f, int64_t sum);

/* An order: len vertices of capacity 1, each at most once; those that left before their turn are
 * passed over.  pos[v] = index in seq, or INT32_MAX for a vertex that is not in it. */
typedef struct {
    int32_t *seq, *pos;
    int32_t len;
    double cost; /* transitions plus states, all steps */
} pm_vertex_order;

pm_status pm_vertex_order_alloc(const pm_block_graph *g, pm_vertex_order *o, pm_error *err);
void pm_vertex_order_free(pm_vertex_order *o);
/* Of its sequence, for reports. */
uint64_t pm_vertex_order_hash(const pm_vertex_order *o);
void pm_vertex_order_copy(const pm_block_graph *g, pm_vertex_order *to,
                          const pm_vertex_order *from);

/* Where the programme stands after some step. */
typedef struct {
    int32_t singles; /* frontier vertices of capacity 1 */
    int32_t sum;     /* K: the digit sum of every state */
    double cost;     /* transitions plus states of the step */
} pm_vertex_order_step;

/* The order without a search: the rows of a as they come, each column after the last of its rows.
 * order: a->nrows + a->ncols vertices (pm/matrix.h), the caller's.  Fails: PM_ENOMEM. */
pm_status pm_vertex_order_natural(const pm_matrix *a, int32_t *order, pm_error *err);

/* For a graph with all_single: the cost of steps first..last; fills point[first..last], reads
 * point[first - 1] (an empty frontier stands before the first step). */
double pm_vertex_order_cost_range(const pm_block_graph *g, const pm_vertex_order *o, int32_t first,
                                  int32_t last, pm_vertex_order_step *point);

/* For any graph: the cost of the whole order, set in o->cost too. */
pm_status pm_vertex_order_cost_all(const pm_block_graph *g, pm_vertex_order *o, pm_error *err);

/* ---- search ---- */

typedef enum { PM_GREEDY_MIXED, PM_GREEDY_ROWS, PM_GREEDY_COLUMNS } pm_greedy_mode;

/* From vertex `start` on, always the vertex that leaves the fewest states; fills o.  Stops early,
 * with cost infinity, once the cost exceeds give_up.  *work += elementary operations.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_vertex_order_greedy(const pm_block_graph *g, int32_t start, pm_greedy_mode mode,
                                 double give_up, const pm_run *run, pm_vertex_order *o,
                                 int64_t *work, pm_error *err);

/* Breadth-first order from start. */
pm_status pm_vertex_order_bfs(const pm_block_graph *g, int32_t start, pm_vertex_order *o,
                              pm_error *err);

/* Simulated annealing of o for the given number of moves, or until run is stopped; chain: which
 * stream of random numbers. */
pm_status pm_vertex_order_anneal(const pm_block_graph *g, pm_vertex_order *o, uint64_t seed,
                                 uint64_t chain, int64_t moves, const pm_run *run, int64_t *work,
                                 pm_error *err);

/* The best order found; searches until that takes about a tenth of the predicted run, or brings
 * nothing any more, counted in elementary operations, so that the same input and seed give the same
 * order on every machine.  seconds_per_transition: nominal, of the run that will follow.  rival:
 * seconds of another way to the answer; the search takes no more than a tenth of that either.
 * Fails: PM_UNABLE when every order is out of reach by far; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_vertex_order_search(const pm_block_graph *g, uint64_t seed,
                                 double seconds_per_transition, double rival, const pm_run *run,
                                 pm_vertex_order *o, pm_error *err);

/* The same, searching for so many nominal seconds, however long the run. */
pm_status pm_vertex_order_search_for(const pm_block_graph *g, uint64_t seed, double seconds,
                                     const pm_run *run, pm_vertex_order *o, pm_error *err);

#endif
