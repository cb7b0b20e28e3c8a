/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/column_order.h: orders of the columns and rows of a square matrix, for the Ryser family.
 *
 * In the Gray code of these methods column 0 of the order flips every second step, column 1 every
 * fourth, and so on; the last column never flips (Nijenhuis-Wilf) or flips least often (Ryser).
 *
 * cols[k], rows[k]: the column, the row at position k; n entries each, allocated by the caller.
 * Unless stated otherwise an order takes time O(nnz log n) and fails with PM_ENOMEM only. */
#ifndef PM_COLUMN_ORDER_H
#define PM_COLUMN_ORDER_H

#include <stdint.h>

#include "order/pattern.h"
#include "pm/status.h"

/* An order of a matrix that is small enough for the Ryser family. */
enum { PM_COLUMN_ORDER_MAX = 64 };
typedef struct {
    int32_t cols[PM_COLUMN_ORDER_MAX], rows[PM_COLUMN_ORDER_MAX];
} pm_column_order;

/* The order that the matrix has: the identity.  n: 0 .. PM_COLUMN_ORDER_MAX. */
void pm_column_order_given(int32_t n, pm_column_order *out);

/* SortOrder: columns by ascending number of entries; rows by pm_row_order_by_columns.
 * Source: Yaglioglu 2021, section 3.2, beside algorithm 5. */
pm_status pm_column_order_sort(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err);

/* SkipOrder: the columns of rows with few entries come late in the order.
 * Source: Yaglioglu 2021, section 6.2.1.2, which names it after Kaya 2019 and does not define it;
 * column_skip.c describes our definition. */
pm_status pm_column_order_skip(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err);

/* PermanentOrdering: the next column is the one with the fewest entries in rows that have no
 * position yet; those rows come next.  Source: Elbek and Kaya 2025, algorithm 3. */
pm_status pm_column_order_permanent(const pm_pattern *a, int32_t *cols, int32_t *rows,
                                    pm_error *err);

/* The reverse Cuthill-McKee order of the bipartite graph, which brings the entries near the
 * diagonal.  Rows and columns are visited breadth first, vertices of low degree first, each
 * component from a vertex at its end; the sequence is reversed, and rows and columns are taken out
 * of it separately.  Ties are broken by number, rows before columns, so equal patterns have equal
 * orders.
 * Cost: a few breadth-first searches of each component.
 * Source: Cuthill and McKee 1969; George and Liu 1981, sections 4.3 and 4.4. */
pm_status pm_column_order_rcm(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err);

/* The rows in the sequence in which the columns, in the order cols, first have an entry in them.
 * Rows that first appear with the same column are ascending; empty rows come last. */
pm_status pm_row_order_by_columns(const pm_pattern *a, const int32_t *cols, int32_t *rows,
                                  pm_error *err);

/* The average number of row sums that change from one term to the next, when the columns flip in
 * the order cols and the last one never flips.  cols: NULL for the order 0 .. n-1. */
double pm_column_order_updates(const pm_pattern *a, const int32_t *cols);

#endif
