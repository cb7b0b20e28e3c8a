/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row has two entries, a in column u and b in column v.  A perfect matching contains one of them,
 * and the other column is matched to another row.  So the permanent does not change when the row is
 * removed and both columns are replaced by one column w = a v + b u; likewise for a column with two
 * entries (Forbert and Marx 2003).
 *
 * The greatest common divisor of a and b goes into the factor first.  The entries of the column
 * with fewer entries are moved to the other one, so a long column is not copied at every merge. */
#include "config.h"

#include "reduce/reduce_graph.h"

#include <math.h>

/* Bits of the longest mantissa that a merge of real or complex columns may make.  Integers have no
 * limit, because their count must be exact anyway. */
#define MANTISSA_MAX 4096

bool pm_rgraph_can_merge(const pm_rgraph *g, int32_t v, double *cost)
{
    const pm_rvertex *x = &g->vertex[v];
    if (x->cap != 1 || x->degree != 2)
        return false;
    int32_t e = x->head, f = g->entry[e].next[pm_rgraph_side(g, v)];
    const pm_rvertex *a = &g->vertex[pm_rgraph_other(g, v, e)];
    const pm_rvertex *b = &g->vertex[pm_rgraph_other(g, v, f)];
    *cost = ((double)a->degree + b->degree) * fmax(a->bits, b->bits);
    return a->cap == 1 && b->cap == 1
           && (g->merge_bits == 0 || (int64_t)a->bits + b->bits <= g->merge_bits);
}

/* No common divisor is computed for two values with more bits together: along a chain of long
 * numbers that would cost more than everything else. */
#define DIVISOR_MAX 512

typedef struct {
    int32_t vertex;
    int32_t entry;    /* that joins it to the vertex of degree 2 */
    pm_cnum multiply; /* for its entries: the value of the other entry, less the divisor */
} branch;

/* Sets the mark of each neighbour s of `small` to the entry that joins s and `large`, or to NONE.
 * Goes through the entries of `large`, or through the entries of all s, whichever are fewer. */
#define NONE (-2)

static void mark_common(pm_rgraph *g, int32_t small, int32_t large)
{
    int64_t around = 0;
    for (int32_t e = pm_rgraph_first(g, small); e >= 0; e = pm_rgraph_next(g, small, e)) {
        pm_rvertex *s = &g->vertex[pm_rgraph_other(g, small, e)];
        s->mark = NONE;
        around += s->degree;
    }
    if (g->vertex[large].degree <= around) {
        for (int32_t e = pm_rgraph_first(g, large); e >= 0; e = pm_rgraph_next(g, large, e)) {
            pm_rvertex *s = &g->vertex[pm_rgraph_other(g, large, e)];
            if (s->mark == NONE)
                s->mark = e;
        }
        return;
    }
    for (int32_t e = pm_rgraph_first(g, small); e >= 0; e = pm_rgraph_next(g, small, e)) {
        int32_t s = pm_rgraph_other(g, small, e);
        for (int32_t f = pm_rgraph_first(g, s); f >= 0; f = pm_rgraph_next(g, s, f))
            if (pm_rgraph_other(g, s, f) == large)
                g->vertex[s].mark = f;
    }
}

static void unmark(pm_rgraph *g, int32_t small)
{
    for (int32_t e = pm_rgraph_first(g, small); e >= 0; e = pm_rgraph_next(g, small, e))
        g->vertex[pm_rgraph_other(g, small, e)].mark = -1;
}

/* True when no new entry has a mantissa of more than MANTISSA_MAX bits. */
static bool fits(const pm_rgraph *g, const branch *large, const branch *small)
{
    int64_t low_a, top_a, low_b, top_b, low, top;
    pm_cnum_range(&large->multiply, &low_a, &top_a);
    pm_cnum_range(&small->multiply, &low_b, &top_b);
    for (int32_t e = pm_rgraph_first(g, large->vertex); e >= 0;
         e = pm_rgraph_next(g, large->vertex, e)) {
        pm_cnum_range(&g->value[e], &low, &top);
        if (top + top_a + 1 - (low + low_a) > MANTISSA_MAX)
            return false;
    }
    for (int32_t e = pm_rgraph_first(g, small->vertex); e >= 0;
         e = pm_rgraph_next(g, small->vertex, e)) {
        pm_cnum_range(&g->value[e], &low, &top);
        low += low_b;
        top += top_b;
        int32_t partner = g->vertex[pm_rgraph_other(g, small->vertex, e)].mark;
        if (partner >= 0) {
            int64_t low_p, top_p;
            pm_cnum_range(&g->value[partner], &low_p, &top_p);
            low = low_p + low_a < low ? low_p + low_a : low;
            top = top_p + top_a > top ? top_p + top_a : top;
        }
        if (top + 2 - low > MANTISSA_MAX)
            return false;
    }
    return true;
}

static void multiply_all(pm_rgraph *g, const branch *b)
{
    if (pm_cnum_is_one(&b->multiply))
        return;
    for (int32_t e = pm_rgraph_first(g, b->vertex); e >= 0; e = pm_rgraph_next(g, b->vertex, e)) {
        pm_cnum_mul(&g->value[e], &g->value[e], &b->multiply);
        pm_rgraph_update_bits(g, e);
    }
}

/* Moves entry e of the small branch to the large one, or adds it to the entry `partner` that is
 * there. */
static void move_entry(pm_rgraph *g, int32_t e, int32_t partner, int32_t large)
{
    if (partner < 0) {
        pm_rgraph_move(g, e, large);
        pm_rgraph_update_bits(g, e);
        return;
    }
    pm_cnum_add(&g->value[partner], &g->value[partner], &g->value[e]);
    pm_rgraph_unlink(g, e);
    if (pm_cnum_is_zero(&g->value[partner])) {
        pm_rgraph_unlink(g, partner);
        g->cancelled = true;
    } else {
        pm_rgraph_update_bits(g, partner);
    }
}

/* The two branches at v.  *divisor: the greatest common divisor of their values. */
static void branches(const pm_rgraph *g, int32_t v, branch *large, branch *small, pm_cnum *divisor)
{
    int32_t e = g->vertex[v].head, f = g->entry[e].next[pm_rgraph_side(g, v)];
    if (g->vertex[pm_rgraph_other(g, v, e)].degree < g->vertex[pm_rgraph_other(g, v, f)].degree) {
        int32_t swap = e;
        e = f;
        f = swap;
    }
    *large = (branch){.vertex = pm_rgraph_other(g, v, e), .entry = e};
    *small = (branch){.vertex = pm_rgraph_other(g, v, f), .entry = f};
    pm_cnum_set(&large->multiply, &g->value[f]);
    pm_cnum_set(&small->multiply, &g->value[e]);
    pm_cnum_set_si(divisor, 1);
    if (pm_cnum_is_one(&large->multiply) || pm_cnum_is_one(&small->multiply)
        || pm_cnum_bits(&large->multiply) + pm_cnum_bits(&small->multiply) > DIVISOR_MAX)
        return;
    pm_cnum_set(divisor, &large->multiply);
    pm_cnum_gcd(divisor, &small->multiply);
    pm_cnum_div(&large->multiply, &large->multiply, divisor);
    pm_cnum_div(&small->multiply, &small->multiply, divisor);
}

bool pm_rgraph_merge(pm_rgraph *g, int32_t v)
{
    branch large, small;
    pm_cnum divisor = {0};
    branches(g, v, &large, &small, &divisor);
    mark_common(g, small.vertex, large.vertex);
    bool exact_integers = g->field == PM_PATTERN || g->field == PM_INTEGER;
    bool does_fit = exact_integers || fits(g, &large, &small);
    if (!does_fit) {
        unmark(g, small.vertex);
        goto done;
    }
    g->is_plain = false;
    pm_rgraph_factor(g, v, &divisor, 1);
    pm_rgraph_remove(g, v);
    multiply_all(g, &large);
    multiply_all(g, &small);
    g->vertex[small.vertex].cap = 0;
    int32_t e;
    while ((e = g->vertex[small.vertex].head) >= 0) {
        pm_rvertex *s = &g->vertex[pm_rgraph_other(g, small.vertex, e)];
        int32_t partner = s->mark;
        s->mark = -1;
        move_entry(g, e, partner, large.vertex);
    }
    pm_rgraph_enqueue(g, large.vertex);
done:
    pm_cnum_clear(&divisor);
    pm_cnum_clear(&large.multiply);
    pm_cnum_clear(&small.multiply);
    return does_fit;
}
