/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "pm/alloc.h"
#include "sparse/skip_problem.h"

/* Nodes are sampled with a probability proportional to `hope`, an estimate of the share of the node
 * that is not skipped: the product over its unfinished rows of the probability that the rest of the
 * row does not make the row sum 0.  The weight is divided by this probability, so the result is
 * unbiased whatever the estimate. */
typedef struct {
    pm_row_sums x;
    double weight; /* the number of nodes that this one represents */
    double hope;
} tree_node;

typedef struct {
    const pm_skip_problem *p;
    int32_t population, count;
    tree_node *node, *child;          /* `population` nodes, and twice as many children */
    uint64_t done[PM_SQUARE_MAX + 1]; /* rows without columns below this level */
    int64_t common[PM_SQUARE_MAX];    /* of each row: the value of all its entries, or 0 */
    /* [d][v]: the probability that not exactly v of d bits are set */
    double chance[PM_SQUARE_MAX + 1][PM_SQUARE_MAX + 1];
    uint64_t rng;
} descent;

static void prepare_hope(descent *d)
{
    const pm_terms *t = &d->p->terms;
    uint64_t mixed = 0;
    for (int32_t e = 0; e < t->colptr[t->flips]; ++e) {
        int32_t i = t->rowind[e];
        mixed |= (uint64_t)(d->common[i] && d->common[i] != t->re[e]) << i;
        d->common[i] = t->re[e];
    }
    for (int32_t i = 0; i < t->n; ++i)
        if (t->is_complex || mixed >> i & 1)
            d->common[i] = 0;
    for (int n = 0; n <= PM_SQUARE_MAX; ++n) {
        double c = ldexp(1, -n); /* C(n, v) / 2^n */
        for (int v = 0; v <= n; ++v) {
            d->chance[n][v] = 1 - c;
            c = c * (n - v) / (v + 1);
        }
    }
}

/* The probability that row i of x is not 0 in the end, when its columns below level k are still
 * undecided. */
static double row_hope(const descent *d, const pm_row_sums *x, int32_t i, int k)
{
    uint64_t left = d->p->terms.columns[i] & ((UINT64_C(1) << k) - 1);
    int64_t value = d->common[i], wanted = value ? x->re[i] / value : -1;
    int columns = __builtin_popcountll(left);
    if (!left || wanted < 0 || wanted > columns || wanted * value != x->re[i])
        return 1;
    return d->chance[columns][wanted];
}

static void copy_node(const pm_terms *t, tree_node *to, const tree_node *from)
{
    size_t size = (size_t)t->n * sizeof *from->x.re;
    memcpy(to->x.re, from->x.re, size);
    if (t->is_complex)
        memcpy(to->x.im, from->x.im, size);
    to->x.zeros = from->x.zeros;
    to->weight = from->weight;
    to->hope = from->hope;
}

static double column_hope(const descent *d, const pm_row_sums *x, int column, int level)
{
    const pm_terms *t = &d->p->terms;
    double hope = 1;
    for (int32_t e = t->colptr[column]; e < t->colptr[column + 1]; ++e)
        hope *= row_hope(d, x, t->rowind[e], level);
    return hope;
}

/* Makes the two children of each node: column k in T, and not in T.  Returns the number of those
 * that are not skipped; *dead: the weight of the skipped ones. */
static int32_t branch(descent *d, int k, double *dead)
{
    const pm_terms *t = &d->p->terms;
    int32_t alive = 0;
    *dead = 0;
    for (int32_t i = 0; i < 2 * d->count; ++i) {
        const tree_node *from = &d->node[i / 2];
        tree_node *to = &d->child[alive];
        copy_node(t, to, from);
        if (i % 2)
            pm_row_sums_flip(t, k, true, &to->x);
        if (to->x.zeros & d->done[k])
            *dead += to->weight;
        else
            ++alive;
        to->hope *= column_hope(d, &to->x, k, k) / column_hope(d, &from->x, k, k + 1);
    }
    return alive;
}

/* Takes a systematic sample of at most `population` children, by weight times hope. */
static void thin(descent *d, int32_t alive)
{
    double total = 0, sum = 0;
    for (int32_t i = 0; i < alive; ++i)
        total += d->child[i].weight * d->child[i].hope;
    double step = total / d->population, next = step * pm_rng_unit(&d->rng);
    bool all = alive <= d->population;
    d->count = 0;
    for (int32_t i = 0; i < alive; ++i) {
        tree_node *c = &d->child[i];
        double share = c->weight * c->hope;
        int32_t times = all;
        for (sum += share; !all && next < sum; next += step)
            ++times;
        if (times == 0 || d->count == d->population)
            continue;
        if (!all)
            c->weight = times * step / c->hope;
        copy_node(&d->p->terms, &d->node[d->count++], c);
    }
}

static double weight_of_nodes(const descent *d)
{
    double weight = 0;
    for (int32_t i = 0; i < d->count; ++i)
        weight += d->node[i].weight;
    return weight;
}

static void descend(descent *d, pm_skip_estimate *out)
{
    const pm_terms *t = &d->p->terms;
    uint64_t done = 0;
    double touched = 0, dead;
    for (int k = t->flips; k >= 0; --k) {
        for (int32_t i = 0; i < t->n; ++i)
            done |= (uint64_t)(d->p->low[i] == k) << i;
        d->done[k] = done;
    }
    pm_row_sums_at(t, 0, &d->node[0].x);
    d->node[0].weight = d->node[0].hope = 1;
    d->count = !(d->node[0].x.zeros & d->done[t->flips]);
    out->visits = 0;
    for (int k = t->flips - 1; k >= 0 && d->count; --k) {
        /* the column flips between the two children, and once more on the way to the next node */
        touched += 2 * weight_of_nodes(d) * (t->colptr[k + 1] - t->colptr[k]);
        thin(d, branch(d, k, &dead));
        out->visits += dead;
    }
    out->terms = weight_of_nodes(d);
    out->visits += out->terms;
    out->touched = out->visits > 0 ? touched / out->visits : 0;
}

pm_status pm_skip_predict(const pm_square *s, const pm_skip_choice *choice, int population,
                          pm_skip_estimate *out, pm_error *err)
{
    pm_skip_problem *p;
    pm_status status = pm_skip_problem_make(s, choice, &p, err);
    if (status)
        return status;
    descent *d = pm_calloc_array(1, sizeof *d);
    tree_node *nodes = pm_alloc_array(3 * (int64_t)population, sizeof *nodes);
    if (d && nodes) {
        *d = (descent){.p = p, .population = population, .rng = 1};
        d->node = nodes;
        d->child = nodes + population;
        prepare_hope(d);
        descend(d, out);
        out->is_narrow = p->is_narrow;
        out->limbs = p->terms.is_exact ? p->terms.limbs : 0;
        out->flips = p->terms.flips;
        out->samples = p->terms.has_spread ? ldexp(1, p->terms.flips - p->sample_bits) : 0;
    } else {
        status = pm_fail_memory(err, "skipper");
    }
    free(d);
    free(nodes);
    pm_skip_problem_free(p);
    return status;
}
