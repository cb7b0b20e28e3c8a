/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A large initial matching, then phases.  A phase grows a forest from all vertices without a partner, and augments along every
 * path that it meets; the two trees of a path are closed then.  A phase without a path proves that the matching is
 * maximum. */
#include "config.h"

#include "general/blossom.h"

#include <stdlib.h>
#include <string.h>

#include "general/alternating_forest.h"
#include "pm/alloc.h"

/* ---- Karp-Sipser ---- */

typedef struct {
    const pm_matrix *a;
    int32_t *partner;
    int32_t *degree; /* neighbours without a partner */
    int32_t *stack;  /* vertices whose degree became 1 */
    int64_t top, size;
} start;

static void lower_neighbours(start *s, int32_t v)
{
    const pm_matrix *a = s->a;
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
        const int32_t u = a->colind[k];
        if (u != v && --s->degree[u] == 1 && s->partner[u] < 0)
            s->stack[s->top++] = u;
    }
}

/* The neighbour without a partner that has the smallest degree; -1: none. */
static int32_t best_neighbour(const start *s, int32_t v)
{
    const pm_matrix *a = s->a;
    int32_t best = -1;
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
        const int32_t u = a->colind[k];
        if (u != v && s->partner[u] < 0 && (best < 0 || s->degree[u] < s->degree[best]))
            best = u;
    }
    return best;
}

static void match_one(start *s, int32_t v)
{
    const int32_t u = s->partner[v] < 0 ? best_neighbour(s, v) : -1;
    if (u < 0)
        return;
    s->partner[v] = u;
    s->partner[u] = v;
    ++s->size;
    lower_neighbours(s, v);
    lower_neighbours(s, u);
}

static void match_listed(start *s)
{
    while (s->top > 0)
        match_one(s, s->stack[--s->top]);
}

static pm_status make_start(const pm_matrix *a, int32_t *partner, int64_t *size, pm_error *err)
{
    start s = {.a = a, .partner = partner};
    s.degree = pm_calloc_array(a->nrows, sizeof *s.degree);
    s.stack = pm_alloc_array(a->nrows, sizeof *s.stack); /* a degree becomes 1 once */
    pm_status status =
        s.degree && s.stack ? PM_OK : pm_fail_memory(err, "the search for a maximum matching");
    for (int32_t v = 0; v < a->nrows && !status; ++v) {
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            s.degree[v] += a->colind[k] != v;
        if (s.degree[v] == 1)
            s.stack[s.top++] = v;
    }
    if (!status)
        match_listed(&s);
    for (int32_t v = 0; v < a->nrows && !status; ++v) {
        match_one(&s, v);
        match_listed(&s);
    }
    *size = s.size;
    free(s.degree);
    free(s.stack);
    return status;
}

/* ---- phases ---- */

static void plant_all(pm_forest *f)
{
    pm_forest_clear(f);
    for (int32_t v = 0; v < f->a->nrows; ++v)
        if (f->partner[v] < 0)
            pm_forest_plant(f, v);
}

/* *found: the number of augmenting paths. */
static pm_status run_phase(pm_forest *f, const pm_run *run, int64_t *found, pm_error *err)
{
    int32_t edge[2];
    pm_forest_step step;
    *found = 0;
    plant_all(f);
    for (int64_t k = 1; (step = pm_forest_scan(f, edge)) != PM_FOREST_DONE; ++k) {
        if (step == PM_FOREST_PATH) {
            pm_forest_augment(f, edge);
            ++*found;
        }
        if (k % 4096 == 0 && pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED, "stopped during the search for a matching");
    }
    return PM_OK;
}

pm_status pm_blossom_matching(const pm_matrix *a, const pm_run *run, int32_t *partner,
                              int64_t *size, pm_error *err)
{
    pm_forest f = {0};
    int64_t matched = 0, found = 1;
    memset(partner, 0xff, (size_t)a->nrows * sizeof *partner);
    pm_status status = make_start(a, partner, &matched, err);
    if (!status)
        status = pm_forest_make(a, NULL, partner, &f, err);
    /* no path without two vertices that have no partner */
    while (!status && found && a->nrows - 2 * matched >= 2) {
        pm_run_progress(run, 2 * (double)matched / (double)a->nrows, "matching");
        status = run_phase(&f, run, &found, err);
        matched += found;
    }
    if (!status)
        *size = matched;
    pm_forest_free(&f);
    return status;
}
