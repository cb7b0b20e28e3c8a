/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-decompose/decompose_tasks.h"

static void meet_size(int64_t size, bool is_first, int64_t *min, int64_t *max, int64_t *total)
{
    *min = is_first || size < *min ? size : *min;
    *max = size > *max ? size : *max;
    *total += size;
}

void pm_tree_meet(pm_tree_figures *x, const pm_node *node)
{
    switch (node->kind) {
    case PM_NODE_MATRIX:
        meet_size(node->matrix->nrows, x->matrices == 0, &x->n_min, &x->n_max, &x->n_total);
        meet_size(pm_matrix_nnz(node->matrix), x->matrices == 0, &x->nnz_min, &x->nnz_max,
                  &x->nnz_total);
        ++x->matrices;
        break;
    case PM_NODE_NUMBER: ++x->numbers; break;
    case PM_NODE_CLOSE: --x->open; break;
    default:
        x->sums += node->kind == PM_NODE_SUM;
        x->products += node->kind == PM_NODE_PRODUCT;
        ++x->open;
        x->depth = x->open > x->depth ? x->open : x->depth;
    }
}
