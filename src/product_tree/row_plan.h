/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/row_plan.h: products of row sums as plans of trees (product_tree/tree_plan.h) that have next to no
 * tree: what the generated kernels of Elbek and Kaya 2025 compute, to compare with. */
#ifndef PM_ROW_PLAN_H
#define PM_ROW_PLAN_H

#include "product_tree/tree_plan.h"
#include "sweep/square.h"

/* Every flip multiplies the row sums order->rows[0 .. apart - 1] and the product of the others,
 * which is computed anew by the flips that touch one of them.  apart: 1 .. n; n: all row sums are
 * multiplied every time.  Columns flip in the sequence of order->cols, the last one never. */
void pm_row_plan_make(const pm_pattern *a, const pm_column_order *order, int32_t apart,
                      pm_tree_plan *out);

#endif
