/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass from the back, as that of the values: a node is complete when those behind it are. */
#include "config.h"

#include <math.h>

#include "approx/expression.h"

enum { POSITIVE = 1, NEGATIVE = 2, BOTH = POSITIVE | NEGATIVE };

/* What the product of two variances may be beside the larger of them. */
#define NEGLIGIBLE 0.01

static pm_spread of_leaf(const pm_expression *x, const pm_expression_node *node)
{
    const pm_approx_block *b = node->block >= 0 ? x->block[node->block] : NULL;
    if (b && pm_approx_block_is_sampled(b))
        return b->spread;
    return (pm_spread){.freedom = INFINITY, .tail_k = NAN};
}

static void add_term(pm_expression_node *sum, const pm_expression_node *term)
{
    sum->spread = pm_spread_sum(sum->spread, 1, term->spread, term->part);
    if (pm_value_real(&sum->value).hi == 0 && !pm_spread_is_exact(term->spread))
        sum->spread.variance = INFINITY;
    sum->signs |= term->worth.hi > 0 ? POSITIVE : term->worth.hi < 0 ? NEGATIVE : 0;
}

/* First order: where both vary much, their product does far more. */
static bool is_beyond(pm_spread a, pm_spread b)
{
    return (a.may_be_opposite || b.may_be_opposite) && fmin(a.variance, b.variance) > NEGLIGIBLE;
}

static void multiply(pm_expression_node *product, const pm_expression_node *factor)
{
    pm_spread a = product->spread, b = factor->spread;
    product->spread = pm_spread_sum(a, 1, b, factor->part);
    if (is_beyond(a, b) || (factor->part > 1 && is_beyond(b, b)))
        product->spread.variance = INFINITY;
}

static void complete(pm_expression_node *node)
{
    if (node->signs == BOTH && !pm_spread_is_exact(node->spread))
        node->spread.may_be_opposite = true;
}

pm_spread pm_expression_spread(pm_expression *x)
{
    for (int64_t i = 0; i < x->count; ++i) {
        x->node[i].spread = of_leaf(x, &x->node[i]);
        x->node[i].signs = 0;
    }
    for (int64_t i = x->count - 1; i > 0; --i) {
        pm_expression_node *node = &x->node[i], *to = &x->node[node->parent];
        complete(node);
        if (node->is_zero || mpz_sgn(node->times) == 0)
            continue;
        if (to->is_sum)
            add_term(to, node);
        else
            multiply(to, node);
    }
    complete(&x->node[0]);
    pm_spread s = x->node[0].spread;
    const pm_value *v = &x->node[0].value;
    if (!isfinite(s.variance))
        s.variance = INFINITY;
    if (!pm_value_is_exact(v))
        s.rounding += fabs(pm_xreal_ratio(v->error, v->re));
    return s;
}
