/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/columns.h: orders for the methods that run through subsets of columns in Gray-code order,
 * where column 0 of the order flips every second step, column 1 every fourth, and the last one is
 * never flipped (Nijenhuis-Wilf) or least often (Ryser). */
#ifndef PM_ORDER_COLUMNS_H
#define PM_ORDER_COLUMNS_H

#include <stdint.h>

#include "pm/status.h"

/* A square 0/1 pattern by columns and by rows, each ascending; n <= 64. */
typedef struct {
    int32_t n;
    const int32_t *colptr, *rowind, *rowptr, *colind;
} pm_pattern;

/* cols[k], rows[k]: which column, row comes k-th; n entries each, owned by the caller. */
typedef struct {
    int32_t cols[64], rows[64];
} pm_column_order;

/* SortOrder: columns by ascending number of entries, rows as those first touch them.
 * Source: Yaglioglu 2021, section 3.2, beside algorithm 5. */
void pm_order_sort(const pm_pattern *a, pm_column_order *out);
/* SkipOrder: rows of few entries complete their columns late in the order.
 * Source: Yaglioglu 2021, section 6.2.1.2, which names it after Kaya 2019 and does not define it;
 * what is done here stands in column_skip.c. */
void pm_order_skip(const pm_pattern *a, pm_column_order *out);
/* PermanentOrdering (000, Alg. 3). */
void pm_order_permanent(const pm_pattern *a, pm_column_order *out);

#endif
