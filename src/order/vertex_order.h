/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/vertex_order.h: orders of the vertices for the frontier method, and what they cost.
 *
 * Begin here.  This room holds two kinds of order: of the vertices, for the frontier method (this
 * file, block_graph.h, state_count.h, vertex_*.c), and of the columns, for the Ryser family
 * (column_order.h, pattern.h, column_*.c).  It finds orders and computes their cost; other rooms
 * use them.  It may include reduce, matrix, number and core.
 *
 * The frontier method is the transfer-matrix method of statistical physics; programmers call it
 * broken-profile dynamic programming.  It processes the vertices of both sides in one order.  The
 * step that processes v drops v if it is matched already; otherwise it matches v to one of its
 * unmatched neighbours that are not processed yet.  The frontier is the set of unprocessed
 * vertices that have a processed neighbour.  A state says how often each frontier vertex is
 * matched.  A vertex leaves the frontier with its last neighbour, and must then be matched as
 * often as its capacity.
 *
 * The frontier after a step depends only on the set of processed vertices, and so does
 *   k = finished rows - finished columns = matched frontier columns - matched frontier rows,
 * where a finished vertex counts with its capacity.  Let the digit of a column be the number of
 * times it is matched, and the digit of a row its capacity less that number.  Then all states of a
 * step have the same digit sum K = k + (capacity of the frontier rows).  With f frontier vertices
 * of capacity 1 there are at most C(f, K) states (Vandermonde), known from the order alone.
 *
 * A vertex of capacity above 1 (a class of twins) is never processed; it leaves with its last
 * neighbour.  No edge joins two classes of twins, so every edge has an end that is processed. */
#ifndef PM_VERTEX_ORDER_H
#define PM_VERTEX_ORDER_H

#include <stdint.h>

#include "order/block_graph.h"
#include "pm/run.h"
#include "pm/status.h"

enum {
    PM_HUB_DEGREE = 1000 /* the greedy search neither begins at a vertex of higher degree nor makes
                            its neighbours candidates: every step would examine all of them */
};

/* len vertices of capacity 1, each at most once.  A vertex that leaves the frontier before its
 * position is reached is skipped. */
typedef struct {
    int32_t *seq; /* the vertices in their order; room for nv of them */
    int32_t *pos; /* of every vertex: its index in seq, or INT32_MAX if it is not in seq */
    int32_t len;
    double cost;     /* transitions plus states, summed over all steps */
    double searched; /* nominal seconds of one core that the search for it took; 0: no search */
} pm_vertex_order;

/* An empty order for g.  Fails: PM_ENOMEM. */
pm_status pm_vertex_order_alloc(const pm_block_graph *g, pm_vertex_order *o, pm_error *err);
void pm_vertex_order_free(pm_vertex_order *o);
/* `to` must have been allocated for the same graph. */
void pm_vertex_order_copy(const pm_block_graph *g, pm_vertex_order *to,
                          const pm_vertex_order *from);
/* A hash of seq, for reports. */
uint64_t pm_vertex_order_hash(const pm_vertex_order *o);

/* The order without a search: columns without entries first, then the rows of a in their sequence,
 * each column after its last row.
 * order: allocated by the caller, a->nrows + a->ncols vertices (pm/matrix.h).  Fails: PM_ENOMEM. */
pm_status pm_vertex_order_natural(const pm_matrix *a, int32_t *order, pm_error *err);

/* ---- cost ---- */

/* The frontier after one step. */
typedef struct {
    int32_t singles; /* frontier vertices of capacity 1 */
    int32_t sum;     /* K: the digit sum of every state */
    double cost;     /* transitions plus states of the step */
} pm_vertex_order_step;

/* Which neighbour of a vertex comes first in an order, and which last; of a vertex without neighbours
 * the vertex itself. */
typedef struct {
    int32_t first, last;
} pm_vertex_ends;

/* Sets ends[u] for every vertex u. */
void pm_vertex_order_find_ends(const pm_block_graph *g, const pm_vertex_order *o,
                               pm_vertex_ends *ends);

/* The cost of steps first .. last of an order, where all capacities are 1 (g->all_single).
 * ends: of this order.
 * step: o->len entries; sets step[first .. last] and reads step[first - 1] if first > 0. */
double pm_vertex_order_cost_range(const pm_block_graph *g, const pm_vertex_order *o,
                                  const pm_vertex_ends *ends, int32_t first, int32_t last,
                                  pm_vertex_order_step *step);
/* The elementary operations of one of these steps, on average. */
int64_t pm_vertex_order_step_work(const pm_block_graph *g);
/* Sets all o->len steps, and *cost to the cost of all.  Fails: PM_ENOMEM. */
pm_status pm_vertex_order_cost_steps(const pm_block_graph *g, const pm_vertex_order *o,
                                     pm_vertex_order_step *step, double *cost, pm_error *err);

/* Sets o->cost to an estimate of the cost of all steps, for any capacities.  Fails: PM_ENOMEM. */
pm_status pm_vertex_order_cost_all(const pm_block_graph *g, pm_vertex_order *o, pm_error *err);
/* Its elementary operations, about. */
int64_t pm_vertex_order_cost_work(const pm_block_graph *g);

/* ---- search ---- */

typedef enum { PM_GREEDY_MIXED, PM_GREEDY_ROWS, PM_GREEDY_COLUMNS } pm_greedy_mode;

/* An order is given up when its cost, or the elementary operations to find it, are more. */
typedef struct {
    double cost;
    int64_t work;
} pm_greedy_limits;

/* Begins at `start` (or at the first vertex that the mode allows) and goes on with the candidate
 * that leaves the fewest states; nearly equal ones are decided by their neighbours.  o must be
 * allocated.  o->cost is infinite when the order was given up; limits NULL: it never is.  *work is
 * increased by the number of elementary operations.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_vertex_order_greedy(const pm_block_graph *g, int32_t start, pm_greedy_mode mode,
                                 const pm_greedy_limits *limits, const pm_run *run,
                                 pm_vertex_order *o, int64_t *work, pm_error *err);

/* Breadth-first order from `start`.  o must be allocated.  Fails: PM_ENOMEM. */
pm_status pm_vertex_order_bfs(const pm_block_graph *g, int32_t start, pm_vertex_order *o,
                              pm_error *err);

/* Simulated annealing of o.  Stops early when run->stop is set.  seed and chain choose the random
 * sequence.  *work is increased by the number of elementary operations.  Fails: PM_ENOMEM. */
pm_status pm_vertex_order_anneal(const pm_block_graph *g, pm_vertex_order *o, uint64_t seed,
                                 uint64_t chain, int64_t moves, const pm_run *run, int64_t *work,
                                 pm_error *err);

/* Nominal seconds that a search may take: a share of the predicted run and of the rival, but not
 * less than `least` and not more than `most`. */
typedef struct {
    double rival; /* predicted seconds of the best other algorithm, or INFINITY */
    double left;  /* seconds of one core that it may take in any case, or INFINITY */
    double least, most;
    double share; /* of the predicted run and of the rival; 0: PM_ORDER_SEARCH_SHARE */
    /* A greedy order of a longer run is given up, and not annealed; 0: none is. */
    double longest;
} pm_search_limits;

/* The best order of a search.  The search ends after about a twentieth of the predicted run, at most 20
 * nominal seconds; or, after one second, when three rounds have brought no improvement.  Its time
 * is counted in elementary operations, so the same input and seed give the same order on every
 * machine.
 * seconds_per_transition: nominal, of the run that will follow.
 * o: set on success; the caller frees it.
 * Fails: PM_UNABLE no order is found that could ever be run; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_vertex_order_search(const pm_block_graph *g, uint64_t seed,
                                 double seconds_per_transition, pm_search_limits limits,
                                 const pm_run *run, pm_vertex_order *o, pm_error *err);

/* The same with a search of the given number of nominal seconds, however long the run will be. */
pm_status pm_vertex_order_search_for(const pm_block_graph *g, uint64_t seed, double seconds,
                                     const pm_run *run, pm_vertex_order *o, pm_error *err);

#endif
