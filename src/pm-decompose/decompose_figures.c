/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-decompose/decompose_tasks.h"

static void add_size(int64_t size, bool is_first, int64_t *min, int64_t *max, int64_t *total)
{
    *min = is_first || size < *min ? size : *min;
    *max = size > *max ? size : *max;
    *total += size;
}

void pm_expansion_figures_add(pm_expansion_figures *x, const pm_node *node, int64_t depth)
{
    bool is_first = x->matrices == 0;
    if (node->kind == PM_NODE_MATRIX) {
        add_size(node->matrix.nrows, is_first, &x->n_min, &x->n_max, &x->n_total);
        add_size(pm_matrix_nnz(&node->matrix), is_first, &x->nnz_min, &x->nnz_max, &x->nnz_total);
    }
    x->matrices += node->kind == PM_NODE_MATRIX;
    x->numbers += node->kind == PM_NODE_NUMBER;
    x->sums += node->kind == PM_NODE_SUM;
    x->products += node->kind == PM_NODE_PRODUCT;
    if (pm_node_opens_group(node) && depth + 1 > x->depth)
        x->depth = depth + 1;
}
