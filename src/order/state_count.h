/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/state_count.h: how many states a frontier can have (order/vertex_order.h). */
#ifndef PM_STATE_COUNT_H
#define PM_STATE_COUNT_H

#include <stdint.h>

#include "order/block_graph.h"
#include "pm/status.h"

/* C(n, k): exact below 2^53, else with a relative error of about 1e-13; 0 outside 0 <= k <= n;
 * infinity beyond the range of a double. */
double pm_binomial(int64_t n, int64_t k);
/* log2 of C(n, k), finite for every n; -1 where C(n, k) is 0. */
double pm_binomial_log2(int64_t n, int64_t k);

/* In how many ways some digits have sum d: of[d], 0 <= d < n.  Zero-initialisable. */
typedef struct {
    double *of; /* owned */
    int64_t n, cap;
} pm_digit_ways;

/* No digit: sum 0 in one way.  Fails: PM_ENOMEM. */
pm_status pm_digit_ways_begin(pm_digit_ways *w, pm_error *err);
/* One more digit, 0 .. most.  Takes O(n + most) steps, without a subtraction.  Fails: PM_ENOMEM. */
pm_status pm_digit_ways_add(pm_digit_ways *w, int64_t most, pm_error *err);
void pm_digit_ways_free(pm_digit_ways *w);

/* Number of digit vectors with digit sum s: `singles` digits are 0 or 1, the other ones as in w. */
double pm_state_count(int64_t singles, const pm_digit_ways *w, int64_t s);

/* Upper bound of the number of states of a frontier of f vertices of capacity 1.
 * sum: the digit sum K; ignored where g->is_partial is set. */
double pm_state_bound(const pm_block_graph *g, int64_t f, int64_t sum);
double pm_state_bound_log2(const pm_block_graph *g, int64_t f, int64_t sum);

#endif
