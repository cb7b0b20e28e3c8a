/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/column_order.h: orders for the methods that run through subsets of columns in Gray-code order,
 * where column 0 of the order flips every second step, column 1 every fourth, and the last one is
 * never flipped (Nijenhuis-Wilf) or least often (Ryser).
 *
 * cols[k], rows[k]: which column, row comes k-th; n entries each, the caller's.
 * All of them take time O(nnz log n) and fail with PM_ENOMEM alone. */
#ifndef PM_ORDER_COLUMNS_H
#define PM_ORDER_COLUMNS_H

#include <stdint.h>

#include "order/pattern.h"
#include "pm/status.h"

/* SortOrder: columns by ascending number of entries, rows as those first touch them.
 * Source: Yaglioglu 2021, section 3.2, beside algorithm 5. */
pm_status pm_column_order_sort(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err);
/* SkipOrder: rows of few entries complete their columns late in the order.
 * Source: Yaglioglu 2021, section 6.2.1.2, which names it after Kaya 2019 and does not define it;
 * what is done here stands in column_skip.c. */
pm_status pm_column_order_skip(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err);
/* PermanentOrdering: the column with the fewest entries in rows that have no place yet comes next,
 * and those rows with it.  Source: Elbek and Kaya 2025, algorithm 3. */
pm_status pm_column_order_permanent(const pm_pattern *a, int32_t *cols, int32_t *rows,
                                    pm_error *err);

/* The rows in the sequence in which the columns, taken in theirs, first touch them; rows of one
 * column ascending, those that none touches last. */
pm_status pm_row_order_by_columns(const pm_pattern *a, const int32_t *cols, int32_t *rows,
                                  pm_error *err);

/* How many row sums change from one term to the next, on average, when the columns flip in the
 * sequence of cols (NULL: as they stand) and the last one does not. */
double pm_column_order_updates(const pm_pattern *a, const int32_t *cols);

#endif
