/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/row_plan.h: the products of row sums that the kernels of Elbek and Kaya 2025
 * compute, as plans of trees (product_tree/tree_plan.h) with one or two nodes. */
#ifndef PM_ROW_PLAN_H
#define PM_ROW_PLAN_H

#include "order/column_order.h"
#include "product_tree/tree_plan.h"

/* Every flip multiplies the row sums order->rows[0 .. apart - 1] and the product of the other row
 * sums, which is computed anew only by flips that change one of them.
 * apart: 1 .. n; with n all row sums are multiplied at every flip.
 * Columns flip in the order of order->cols; the last one never flips. */
void pm_row_plan_make(const pm_pattern *a, const pm_column_order *order, int32_t apart,
                      pm_tree_plan *out);

#endif
