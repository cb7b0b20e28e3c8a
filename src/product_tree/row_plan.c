/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "product_tree/row_plan.h"

#include <math.h>

static int32_t add_node(pm_tree_plan *p, int32_t first, int32_t end, int32_t more)
{
    int32_t count = p->nnodes ? p->node[p->nnodes - 1].end : 0;
    pm_tree_node *node = &p->node[p->nnodes++];
    node->first = count;
    for (int32_t c = first; c < end; ++c)
        p->operand[count++] = (int16_t)c;
    if (more >= 0)
        p->operand[count++] = (int16_t)more;
    node->end = count;
    return p->ninputs + p->nnodes - 1;
}

static void change(pm_tree_flip *f, int32_t cell)
{
    f->changed[cell / 64] |= UINT64_C(1) << cell % 64;
}

/* Inputs are the row sums.  others: the node or input with the product of the rows from `apart` on,
 * or -1. */
static void find_flip(const pm_pattern *a, const int32_t *position, int32_t apart, int32_t others,
                      int32_t j, pm_tree_plan *p)
{
    pm_tree_flip *f = &p->flip[j];
    double share = ldexp(1, -j - 1);
    bool touches_others = false;
    for (int32_t k = a->colptr[p->cols[j]]; k < a->colptr[p->cols[j] + 1]; ++k) {
        change(f, position[a->rowind[k]]);
        touches_others |= position[a->rowind[k]] >= apart;
        p->additions += share;
    }
    change(f, p->ninputs + p->nnodes - 1);
    p->products += share * (p->node[p->nnodes - 1].end - p->node[p->nnodes - 1].first - 1);
    p->kept += share;
    if (others >= p->ninputs && touches_others) {
        change(f, others);
        p->products += share * (p->node[0].end - p->node[0].first - 1);
        p->kept += share;
    }
}

void pm_row_plan_make(const pm_pattern *a, const pm_column_order *order, int32_t apart,
                      pm_tree_plan *out)
{
    int32_t n = a->n, position[64], others = -1;
    *out = (pm_tree_plan){.n = n, .flips = n - 1, .ninputs = n};
    for (int32_t i = 0; i < n; ++i) {
        out->cols[i] = order->cols[i];
        out->input[i] = (pm_tree_input){order->rows[i], -1, 0};
        position[order->rows[i]] = i;
    }
    if (apart == n - 1)
        others = n - 1;
    else if (apart < n)
        others = add_node(out, apart, n, -1);
    add_node(out, 0, apart, others);
    for (int32_t j = 0; j < out->flips; ++j)
        find_flip(a, position, apart, others, j, out);
}
