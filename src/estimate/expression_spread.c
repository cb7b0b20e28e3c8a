/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass from the last node to the first, as for the values: a node is complete when those after
 * it are.
 *
 * The unit of a node's spread is its value when the sign of the value is certain.  For a sum whose
 * terms nearly cancel the unit is the sum of the sizes of its uncertain terms, so that a value near
 * 0 needs no special case. */
#include "config.h"

#include <math.h>

#include "estimate/expression_tree.h"

enum { POSITIVE = 1, NEGATIVE = 2, BOTH = POSITIVE | NEGATIVE };

/* A sign is certain at this number of standard errors from 0. */
#define CERTAIN 6.0
/* The largest ratio of second-order to first-order terms that is neglected. */
#define NEGLIGIBLE 0.01

static const pm_spread exact = {.freedom = INFINITY, .tail_k = NAN, .centre = 1};

/* The error of a value that was counted in floating point, in units. */
static double inexactness(const pm_expression_node *node)
{
    const pm_value *v = &node->value;
    return pm_value_is_exact(v) ? 0 : fabs(pm_xreal_ratio(v->error, node->unit));
}

static bool is_known(pm_spread s)
{
    return pm_spread_is_exact(s) && s.rounding == 0;
}

/* ---- sums ---- */

/* The unit of the term times its factor and repetitions. */
static pm_xreal unit_in_sum(const pm_expression_node *term)
{
    mpq_t by;
    mpq_init(by);
    mpq_set_z(by, term->times);
    mpq_mul(by, by, term->factor.re);
    pm_xreal unit = pm_xreal_mul(term->unit, pm_xreal_from_mpq(by));
    mpq_clear(by);
    return unit;
}

static void add_term(pm_expression_node *sum, const pm_expression_node *term)
{
    pm_xreal unit = unit_in_sum(term), size = pm_xreal_add(sum->unit, pm_xreal_abs(unit));
    if (unit.hi != 0)
        sum->signs |= term->spread.may_be_opposite ? BOTH : unit.hi > 0 ? POSITIVE : NEGATIVE;
    if (unit.hi == 0 || is_known(term->spread))
        return;
    sum->spread = pm_spread_sum(sum->spread, pm_xreal_ratio(sum->unit, size), term->spread,
                                pm_xreal_ratio(unit, size));
    sum->unit = size;
}

static void complete_sum(pm_expression_node *sum)
{
    pm_xreal value = pm_value_real(&sum->value);
    double centre = pm_xreal_ratio(value, sum->unit);
    pm_spread *s = &sum->spread;
    double unsure = sqrt(s->variance) + s->rounding + inexactness(sum);
    s->has_both_signs = s->has_both_signs || (sum->signs == BOTH && !is_known(*s));
    s->may_be_opposite = s->has_both_signs && !(fabs(centre) > CERTAIN * unsure);
    if (s->may_be_opposite) {
        s->centre = centre;
        return;
    }
    *s = is_known(*s) ? exact : pm_spread_sum(*s, 1 / centre, exact, 0);
    s->is_power = false;
    s->centre = 1;
    sum->unit = value;
}

/* ---- products ---- */

/* True when the first order is not enough for a product: for X and Y with means x, y and variances
 * v, w, relative to their units, the variance of X Y is v y^2 + w x^2 + v w.  When both signs are
 * certain the formulas are those of logarithms, and this does not matter. */
static bool is_beyond(pm_spread x, pm_spread y)
{
    double first = x.variance * y.centre * y.centre + y.variance * x.centre * x.centre;
    return (x.may_be_opposite || y.may_be_opposite) && x.variance * y.variance > NEGLIGIBLE * first;
}

/* by a factor of this spread and unit, to the power `times` */
static void multiply_by(pm_expression_node *product, pm_spread b, pm_xreal unit, double times)
{
    const pm_spread a = product->spread;
    product->unit = pm_xreal_mul(product->unit, unit);
    if (is_known(b))
        return;
    product->spread = pm_spread_sum(a, b.centre, b, a.centre * times);
    product->spread.centre = a.centre * b.centre;
    product->spread.is_power = product->spread.is_power || times > 1;
    if (is_beyond(a, b) || (b.may_be_opposite && times > 1))
        product->spread.is_lost = true;
}

static void multiply(pm_expression_node *product, const pm_expression_node *factor)
{
    const bool may_be_opposite = factor->spread.may_be_opposite;
    multiply_by(product, factor->spread,
                may_be_opposite ? unit_in_sum(factor) : factor->contribution,
                mpz_get_d(factor->times));
}

static void multiply_by_block(pm_expression_node *product, const pm_approx_block *b)
{
    const pm_xreal unit = pm_approx_block_real(b);
    const bool is_sampled = pm_approx_block_is_sampled(b) && b->samples && unit.hi != 0;
    pm_spread spread = is_sampled ? b->samples->spread : exact;
    spread.centre = 1;
    multiply_by(product, spread, unit, 1);
}

static void complete_product(pm_expression_node *product)
{
    if (!product->spread.may_be_opposite)
        product->unit = pm_value_real(&product->value);
}

/* ---- all nodes ---- */

static void begin(const pm_expression *x, pm_expression_node *node)
{
    node->spread = exact;
    node->unit = pm_xreal_make(node->is_sum ? 0 : 1, 0, 0);
    node->signs = 0;
    for (int64_t b = node->blocks; b-- > 0;)
        multiply_by_block(node, x->block[node->block + b]);
}

static void complete(pm_expression_node *node)
{
    if (node->is_sum)
        complete_sum(node);
    else
        complete_product(node);
    if (node->unit.hi == 0)
        node->spread = exact;
}

pm_spread pm_expression_spread(pm_expression *x)
{
    for (int64_t i = 0; i < x->count; ++i)
        begin(x, &x->node[i]);
    for (int64_t i = x->count - 1; i >= 0; --i) {
        pm_expression_node *node = &x->node[i], *to = i > 0 ? &x->node[node->parent] : NULL;
        complete(node);
        if (!to || mpz_sgn(node->times) == 0)
            continue;
        if (to->is_sum)
            add_term(to, node);
        else
            multiply(to, node);
    }
    pm_spread s = x->node[0].spread;
    s.rounding += inexactness(&x->node[0]);
    return s;
}
