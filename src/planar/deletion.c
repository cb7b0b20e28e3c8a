/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/deletion.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "planar/detours.h"
#include "planar/embedding.h"
#include "pm/alloc.h"

enum { SAMPLES = 4 }; /* obstacles looked at for each edge that goes */

enum { TALLY, DETOUR, SHARED, TASTES };
/* What is preferred first, second and third. */
static const int preferences[][TASTES] = {
    {TALLY, DETOUR, SHARED}, {DETOUR, TALLY, SHARED}, {SHARED, TALLY, DETOUR}};
enum { PREFERENCES = (int)(sizeof preferences / sizeof *preferences) };

typedef struct {
    const pm_matrix *a;
    const pm_run *run;
    uint64_t rng;
    int64_t most;
    int64_t tests; /* that may still be made */
    pm_detours detours;
    uint8_t *gone;     /* of each entry */
    int32_t *obstacle; /* the latest one, of so many entries */
    int32_t length;
    int32_t *tally; /* of each entry: in how many of the obstacles at hand it is */
    int32_t *met;   /* entries with a tally */
    int32_t nmet;
    pm_deletion now;
} search;

static void search_free(search *s)
{
    pm_detours_close(&s->detours);
    free(s->gone);
    free(s->obstacle);
    free(s->tally);
    free(s->met);
}

static pm_status search_alloc(search *s, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(s->a);
    s->gone = pm_calloc_array(nnz, 1);
    s->obstacle = pm_alloc_array(nnz, sizeof *s->obstacle);
    s->tally = pm_calloc_array(nnz, sizeof *s->tally);
    s->met = pm_alloc_array(nnz, sizeof *s->met);
    if (!s->gone || !s->obstacle || !s->tally || !s->met)
        return pm_fail_memory(err, "a planar part");
    return pm_detours_open(s->a, &s->detours, err);
}

/* ---- edges that are gone ---- */

static int64_t count_matchings(const search *s, const pm_deletion *d)
{
    pm_few_edges edges;
    pm_few_edges_set(s->a, d->entry, d->count, &edges);
    return pm_few_edges_matchings(&edges, s->most, NULL);
}

static void delete_edge(search *s, int32_t k)
{
    s->gone[k] = 1;
    s->now.entry[s->now.count++] = k;
}

static void bring_back(search *s, int32_t at)
{
    s->gone[s->now.entry[at]] = 0;
    memmove(s->now.entry + at, s->now.entry + at + 1,
            (size_t)(--s->now.count - at) * sizeof *s->now.entry);
}

static void set_deletion(search *s, const pm_deletion *d)
{
    for (int32_t e = 0; e < s->now.count; ++e)
        s->gone[s->now.entry[e]] = 0;
    s->now = *d;
    for (int32_t e = 0; e < s->now.count; ++e)
        s->gone[s->now.entry[e]] = 1;
}

/* ---- obstacles ---- */

static pm_status test(search *s, bool *is_planar, pm_error *err)
{
    *is_planar = false;
    if (pm_run_stopped(s->run))
        return pm_fail(err, PM_ESTOPPED, "stopped during a search for a planar part");
    --s->tests;
    pm_status rc = pm_embedding_obstacle(s->a, s->gone, &s->rng, s->obstacle, &s->length, err);
    *is_planar = !rc && s->length == 0;
    return rc;
}

/* Tally the edges of several obstacles. */
static pm_status sample(search *s, bool *is_planar, pm_error *err)
{
    pm_status rc = PM_OK;
    while (s->nmet > 0)
        s->tally[s->met[--s->nmet]] = 0;
    *is_planar = false;
    for (int i = 0; i < SAMPLES && !rc && !*is_planar; ++i) {
        rc = test(s, is_planar, err);
        for (int32_t x = 0; x < s->length && !rc; ++x)
            if (s->tally[s->obstacle[x]]++ == 0)
                s->met[s->nmet++] = s->obstacle[x];
    }
    return rc;
}

/* ---- one edge after another ---- */

static int32_t count_shared(const search *s, int32_t k)
{
    const int32_t *row = s->detours.row, *col = s->a->colind;
    int32_t shared = 0;
    for (int32_t e = 0; e < s->now.count; ++e) {
        int32_t other = s->now.entry[e];
        shared += row[other] == row[k] || col[other] == col[k];
    }
    return shared;
}

static bool is_preferred(const int32_t *x, const int32_t *y, const int *preference)
{
    for (int i = 0; i < TASTES; ++i)
        if (x[preference[i]] != y[preference[i]])
            return x[preference[i]] > y[preference[i]];
    return false;
}

static int32_t choose(search *s, const int *preference)
{
    int32_t best[TASTES], chosen = -1;
    for (int32_t x = 0; x < s->nmet; ++x) {
        int32_t k = s->met[x], taste[TASTES];
        taste[TALLY] = s->tally[k];
        taste[SHARED] = count_shared(s, k);
        taste[DETOUR] = pm_detours_length(&s->detours, s->gone, k);
        if (chosen < 0 || is_preferred(taste, best, preference)) {
            memcpy(best, taste, sizeof best);
            chosen = k;
        }
    }
    return chosen;
}

/* What is not needed comes back. */
static pm_status restore(search *s, pm_error *err)
{
    pm_status rc = PM_OK;
    for (int32_t e = s->now.count - 1; e >= 0 && !rc; --e) {
        bool is_planar;
        int32_t k = s->now.entry[e];
        s->gone[k] = 0;
        rc = test(s, &is_planar, err);
        s->gone[k] = 1;
        if (is_planar)
            bring_back(s, e);
    }
    s->now.matchings = count_matchings(s, &s->now);
    return rc;
}

/* Not planar in the end: that takes too many edges or tests.  The matchings are no matter on the way,
 * as there may be edges among these that come back. */
static pm_status delete_greedily(search *s, const int *preference, bool *is_planar, pm_error *err)
{
    static const pm_deletion none = {0};
    set_deletion(s, &none);
    *is_planar = false;
    while (s->now.count < PM_FEW_EDGES_MOST && s->tests > 0) {
        pm_status rc = sample(s, is_planar, err);
        if (rc)
            return rc;
        if (*is_planar)
            return restore(s, err);
        delete_edge(s, choose(s, preference));
    }
    return PM_OK;
}

/* ---- exchanges ---- */

/* Edge `at` for another one that is in all obstacles it leaves, and then whatever can come back.
 * s->now is left as it is best, in matchings. */
static pm_status exchange(search *s, int32_t at, bool *is_better, pm_error *err)
{
    pm_deletion before = s->now;
    bool is_planar;
    bring_back(s, at);
    pm_deletion without = s->now;
    pm_status rc = sample(s, &is_planar, err);
    *is_better = false;
    for (int32_t x = 0; x < s->nmet && !rc && s->tests > 0; ++x) {
        int32_t k = s->met[x];
        if (s->tally[k] < SAMPLES || k == before.entry[at])
            continue;
        delete_edge(s, k);
        rc = test(s, &is_planar, err);
        if (!rc && is_planar)
            rc = restore(s, err);
        *is_better = !rc && is_planar && s->now.matchings < before.matchings;
        if (*is_better)
            return PM_OK;
        set_deletion(s, &without);
    }
    set_deletion(s, &before);
    return rc;
}

static pm_status improve(search *s, pm_error *err)
{
    pm_status rc = PM_OK;
    for (int32_t at = 0; at < s->now.count && s->tests > 0 && !rc; ++at) {
        bool is_better;
        rc = exchange(s, at, &is_better, err);
        if (is_better)
            at = -1;
    }
    return rc;
}

pm_status pm_deletion_find(const pm_matrix *a, const pm_deletion_limits *limits, const pm_run *run,
                           pm_deletion *out, pm_error *err)
{
    search s = {
        .a = a, .run = run, .rng = limits->seed, .most = limits->most, .tests = limits->tests};
    pm_status rc = search_alloc(&s, err);
    *out = (pm_deletion){0};
    for (int p = 0; p < PREFERENCES && !rc; ++p) {
        bool is_planar;
        rc = delete_greedily(&s, preferences[p], &is_planar, err);
        if (!rc && is_planar && s.now.matchings <= s.most) {
            *out = s.now;
            s.most = s.now.matchings;
        }
    }
    if (!rc && out->count) {
        set_deletion(&s, out);
        s.tests = (int64_t)(limits->effort * (double)out->matchings);
        rc = improve(&s, err);
        *out = s.now;
    }
    search_free(&s);
    return rc;
}
