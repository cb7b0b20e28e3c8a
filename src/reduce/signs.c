/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes the signs of rows and columns; the signs go into the factor.  All entries can become
 * positive if and only if every cycle has an even number of negative entries (Harary 1953: the
 * signed graph is balanced).  Otherwise the sign of each line with a majority of negative entries
 * is changed, in a few passes. */
#include "config.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "reduce/reduce_graph.h"

/* Every pass makes fewer entries negative; more passes than this gain little. */
enum { MOST_PASSES = 8 };

typedef struct {
    pm_rgraph *g;
    int8_t *sign;   /* of each vertex; 0: not visited */
    int32_t *queue; /* every vertex, component by component */
} signs;

static bool is_negative(const pm_rgraph *g, int32_t e)
{
    return pm_dyadic_sign(&g->value[e].re) < 0;
}

static void change_sign(pm_rgraph *g, int32_t v)
{
    pm_cnum minus = {0};
    pm_cnum_set_si(&minus, -1);
    pm_rgraph_factor(g, v, &minus, g->vertex[v].cap);
    for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e))
        pm_dyadic_neg(&g->value[e].re);
}

/* Sets the signs of the component of root, which is listed from queue[first] on.  *is_balanced:
 * false when an entry contradicts them.  Returns the end of the list. */
static int64_t sign_component(signs *s, int32_t root, int64_t first, bool *is_balanced)
{
    int64_t end = first;
    s->sign[root] = 1;
    s->queue[end++] = root;
    *is_balanced = true;
    for (int64_t head = first; head < end; ++head) {
        int32_t v = s->queue[head];
        for (int32_t e = pm_rgraph_first(s->g, v); e >= 0; e = pm_rgraph_next(s->g, v, e)) {
            int32_t u = pm_rgraph_other(s->g, v, e);
            int8_t sign = is_negative(s->g, e) ? -s->sign[v] : s->sign[v];
            if (!s->sign[u]) {
                s->sign[u] = sign;
                s->queue[end++] = u;
            }
            *is_balanced = *is_balanced && s->sign[u] == sign;
        }
    }
    return end;
}

static bool is_mostly_negative(const pm_rgraph *g, int32_t v)
{
    int32_t count = 0;
    for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e))
        count += is_negative(g, e) ? 1 : -1;
    return count > 0;
}

static void change_majorities(signs *s, int64_t first, int64_t end)
{
    bool changed = true;
    for (int pass = 0; pass < MOST_PASSES && changed; ++pass) {
        changed = false;
        for (int64_t k = first; k < end; ++k)
            if (is_mostly_negative(s->g, s->queue[k])) {
                change_sign(s->g, s->queue[k]);
                changed = true;
            }
    }
}

/* Entries that were removed are 0. */
static bool has_negative_entry(const pm_rgraph *g)
{
    for (int64_t e = 0; e < g->nentries; ++e)
        if (is_negative(g, (int32_t)e))
            return true;
    return false;
}

pm_status pm_rgraph_balance_signs(pm_rgraph *g, pm_error *err)
{
    if (!has_negative_entry(g))
        return PM_OK;
    int64_t vertices = g->nrows + g->ncols, end = 0;
    signs s = {g, pm_calloc_array(vertices, sizeof *s.sign),
               pm_alloc_array(vertices, sizeof *s.queue)};
    bool has_memory = s.sign && s.queue;
    for (int64_t v = 0; has_memory && v < vertices; ++v) {
        if (g->vertex[v].cap == 0 || s.sign[v])
            continue;
        int64_t first = end;
        bool is_balanced;
        end = sign_component(&s, (int32_t)v, first, &is_balanced);
        if (!is_balanced)
            change_majorities(&s, first, end);
        for (int64_t k = first; is_balanced && k < end; ++k)
            if (s.sign[s.queue[k]] < 0)
                change_sign(g, s.queue[k]);
    }
    free(s.sign);
    free(s.queue);
    return has_memory ? PM_OK : pm_fail_memory(err, "the signs of rows and columns");
}
