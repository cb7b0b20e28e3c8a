/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forest from all vertices without a partner, when there is no augmenting path: D are its outer vertices, A its inner ones.
 * No edge joins two blossoms, so each is a component of D. */
#include "config.h"

#include "general/gallai_edmonds.h"

#include <assert.h>
#include <stdlib.h>

#include "general/alternating_forest.h"
#include "general/blossom.h"
#include "general/doubled.h"
#include "matrix/symmetric.h"
#include "pm/alloc.h"

static void grow(pm_forest *f)
{
    int32_t edge[2];
    pm_forest_step step;
    for (int32_t v = 0; v < f->a->nrows; ++v)
        if (f->partner[v] < 0)
            pm_forest_plant(f, v);
    while ((step = pm_forest_scan(f, edge)) != PM_FOREST_DONE)
        assert(step != PM_FOREST_PATH);
}

/* number: room for n; of each base the number of its component. */
static void read_parts(pm_forest *f, pm_gallai_edmonds *g, int32_t *number)
{
    for (int64_t v = 0; v < g->n; ++v)
        number[v] = -1;
    for (int32_t v = 0; v < g->n; ++v) {
        const pm_forest_side side = (pm_forest_side)f->vertex[v].side;
        g->part[v] = side == PM_OUTER ? 'D' : side == PM_INNER ? 'A' : 'C';
        g->nd += side == PM_OUTER;
        g->na += side == PM_INNER;
        g->nc += side == PM_UNREACHED;
        g->component[v] = -1;
        if (side != PM_OUTER)
            continue;
        int32_t *of_base = &number[pm_forest_base(f, v)];
        if (*of_base < 0)
            *of_base = (int32_t)g->ncomponents++;
        g->component[v] = *of_base;
    }
}

pm_status pm_gallai_edmonds_find(const pm_matrix *a, const pm_run *run, pm_gallai_edmonds *out,
                                 pm_error *err)
{
    pm_forest f = {0};
    pm_gallai_edmonds g = {.n = a->nrows};
    g.partner = pm_alloc_array(g.n, sizeof *g.partner);
    g.part = pm_alloc_array(g.n, sizeof *g.part);
    g.component = pm_alloc_array(g.n, sizeof *g.component);
    int32_t *number = pm_alloc_array(g.n, sizeof *number);
    pm_status status = g.partner && g.part && g.component && number
                           ? pm_blossom_matching(a, run, g.partner, &g.size, err)
                           : pm_fail_memory(err, "the decomposition of Gallai and Edmonds");
    if (!status)
        status = pm_forest_make(a, NULL, g.partner, &f, err);
    if (!status) {
        grow(&f);
        read_parts(&f, &g, number);
        *out = g;
        g = (pm_gallai_edmonds){0};
    }
    pm_forest_free(&f);
    pm_gallai_edmonds_free(&g);
    free(number);
    return status;
}

/* Keeps the first copy of a doubled graph. */
static void keep_first_copy(pm_gallai_edmonds *g)
{
    const int64_t n = g->n / 2, ncomponents = g->ncomponents / 2;
    int64_t matched = 0;
    g->n = n;
    g->nd = g->na = g->nc = 0;
    for (int64_t v = 0; v < n; ++v) {
        if (g->partner[v] >= n)
            g->partner[v] = -1;
        matched += g->partner[v] >= 0;
        g->nd += g->part[v] == 'D';
        g->na += g->part[v] == 'A';
        g->nc += g->part[v] == 'C';
        assert(g->component[v] < ncomponents);
    }
    g->size = matched / 2;
    g->ncomponents = ncomponents;
}

pm_status pm_gallai_edmonds_find_with_loops(const pm_matrix *a, const pm_run *run,
                                            pm_gallai_edmonds *out, pm_error *err)
{
    pm_matrix twice = {0};
    if (!pm_matrix_has_diagonal(a))
        return pm_gallai_edmonds_find(a, run, out, err);
    pm_status status = pm_doubled_make(a, PM_DOUBLED_PATTERN, &twice, err);
    if (!status)
        status = pm_gallai_edmonds_find(&twice, run, out, err);
    if (!status)
        keep_first_copy(out);
    pm_matrix_free(&twice);
    return status;
}

void pm_gallai_edmonds_free(pm_gallai_edmonds *g)
{
    free(g->partner);
    free(g->part);
    free(g->component);
    *g = (pm_gallai_edmonds){0};
}

pm_status pm_tutte_berge_list(const pm_gallai_edmonds *g, pm_tutte_berge *out, pm_error *err)
{
    pm_tutte_berge w = {.d = pm_alloc_array(g->nd, sizeof *w.d),
                        .a = pm_alloc_array(g->na, sizeof *w.a),
                        .start = pm_calloc_array(g->ncomponents + 2, sizeof *w.start)};
    int64_t na = 0;
    if (!w.d || !w.a || !w.start) {
        pm_tutte_berge_free(&w);
        return pm_fail_memory(err, "the components of a graph");
    }
    for (int64_t v = 0; v < g->n; ++v)
        if (g->part[v] == 'D')
            ++w.start[g->component[v] + 2];
    for (int64_t c = 1; c <= g->ncomponents; ++c)
        w.start[c + 1] += w.start[c];
    for (int32_t v = 0; v < g->n; ++v)
        if (g->part[v] == 'D')
            w.d[w.start[g->component[v] + 1]++] = v;
        else if (g->part[v] == 'A')
            w.a[na++] = v;
    *out = w;
    return PM_OK;
}

void pm_tutte_berge_free(pm_tutte_berge *w)
{
    free(w->d);
    free(w->a);
    free(w->start);
    *w = (pm_tutte_berge){0};
}

int32_t *pm_gallai_edmonds_pairs(const pm_gallai_edmonds *g)
{
    int32_t *larger = pm_alloc_array(g->n, sizeof *larger);
    for (int64_t v = 0; larger && v < g->n; ++v)
        larger[v] = g->partner[v] > v ? g->partner[v] : -1;
    return larger;
}
