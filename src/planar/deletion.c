/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/deletion.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "core/rng.h"
#include "planar/embedding.h"
#include "planar/replacement_path.h"
#include "pm/alloc.h"

/* A set with so many times the matchings that are worth it is kept: exchanges may make it worth it. */
enum { REACH = 32 };
enum { SAMPLES = 4 };    /* obstacles looked at for each edge that goes */
enum { FOR_EACH = 100 }; /* tests that there should be for each of them, else they are fewer */

enum { LOOKS = 2000 };    /* edges whose detours tell that a graph is far from planar */
#define SURELY_LONGER 1.2 /* faces may be more than those tell, by chance */

enum { BY_TALLY, BY_DETOUR, BY_SHARED, BY_HUB, TASTES };
enum { PREFERRED = 3 };
/* What is preferred first, second and third. */
static const int preferences[][PREFERRED] = {{BY_TALLY, BY_DETOUR, BY_SHARED},
                                             {BY_DETOUR, BY_TALLY, BY_SHARED},
                                             {BY_SHARED, BY_HUB, BY_DETOUR}};
enum { PREFERENCES = (int)(sizeof preferences / sizeof *preferences) };

typedef struct {
    const pm_matrix *a;
    const pm_run *run;
    uint64_t rng;
    int64_t most;
    int samples;
    double left; /* work that may still be done, in edges that are tested */
    pm_replacement_path detours;
    uint8_t *gone;     /* of each entry */
    int32_t *obstacle; /* the latest one, of so many entries */
    int32_t length;
    int32_t *tally; /* of each entry: in how many of the obstacles at hand it is */
    int32_t *hub;   /* of each vertex, rows first: the sum of the tallies at it */
    int32_t *met;   /* entries with a tally */
    int32_t nmet;
    pm_deletion now;
} search;

static void search_free(search *s)
{
    pm_replacement_path_close(&s->detours);
    free(s->gone);
    free(s->obstacle);
    free(s->tally);
    free(s->hub);
    free(s->met);
}

static pm_status search_alloc(search *s, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(s->a);
    s->gone = pm_calloc_array(nnz, 1);
    s->obstacle = pm_alloc_array(nnz, sizeof *s->obstacle);
    s->tally = pm_calloc_array(nnz, sizeof *s->tally);
    s->hub = pm_calloc_array(s->a->nrows + s->a->ncols, sizeof *s->hub);
    s->met = pm_alloc_array(nnz, sizeof *s->met);
    if (!s->gone || !s->obstacle || !s->tally || !s->hub || !s->met)
        return pm_fail_memory(err, "a planar part");
    return pm_replacement_path_open(s->a, &s->detours, err);
}

/* ---- edges that are gone ---- */

static int64_t count_matchings(search *s, const pm_deletion *d)
{
    pm_deleted_edges edges;
    pm_deleted_edges_make(s->a, d->entry, d->count, &edges);
    int64_t count = pm_deleted_edges_matchings(&edges, s->most, NULL);
    s->left -= PM_PLANAR_MATCHING_WORK * (double)count;
    return count;
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
    s->left -= (double)pm_matrix_nnz(s->a);
    pm_status rc = pm_embedding_obstruction(s->a, s->gone, &s->rng, s->obstacle, &s->length, err);
    *is_planar = !rc && s->length == 0;
    return rc;
}

static int32_t *hubs_of(const search *s, int32_t k, int end)
{
    return &s->hub[end ? (int32_t)s->a->nrows + s->a->colind[k] : s->detours.row[k]];
}

static void clear_tallies(search *s)
{
    while (s->nmet > 0) {
        int32_t k = s->met[--s->nmet];
        s->tally[k] = *hubs_of(s, k, 0) = *hubs_of(s, k, 1) = 0;
    }
}

static void count_in(search *s, int32_t k)
{
    if (s->tally[k]++ == 0)
        s->met[s->nmet++] = k;
    ++*hubs_of(s, k, 0);
    ++*hubs_of(s, k, 1);
}

/* Tally the edges of several obstacles. */
static pm_status sample(search *s, int samples, bool *is_planar, pm_error *err)
{
    pm_status rc = PM_OK;
    clear_tallies(s);
    *is_planar = false;
    for (int i = 0; i < samples && !rc && !*is_planar; ++i) {
        rc = test(s, is_planar, err);
        for (int32_t x = 0; x < s->length && !rc; ++x)
            count_in(s, s->obstacle[x]);
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

static int32_t find_detour(search *s, int32_t k)
{
    int32_t length = pm_replacement_path_length(&s->detours, s->gone, k);
    s->left -= PM_PLANAR_DETOUR_WORK * (double)s->detours.seen;
    return length;
}

static bool is_preferred(const int32_t *x, const int32_t *y, const int *preference)
{
    for (int i = 0; i < PREFERRED; ++i)
        if (x[preference[i]] != y[preference[i]])
            return x[preference[i]] > y[preference[i]];
    return false;
}

static int32_t choose(search *s, const int *preference)
{
    int32_t best[TASTES], chosen = -1;
    for (int32_t x = 0; x < s->nmet; ++x) {
        int32_t k = s->met[x], taste[TASTES];
        taste[BY_TALLY] = s->tally[k];
        taste[BY_SHARED] = count_shared(s, k);
        taste[BY_HUB] =
            *hubs_of(s, k, 0) > *hubs_of(s, k, 1) ? *hubs_of(s, k, 0) : *hubs_of(s, k, 1);
        if (chosen >= 0 && preference[0] != BY_DETOUR && taste[preference[0]] < best[preference[0]])
            continue;
        taste[BY_DETOUR] = find_detour(s, k);
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

/* The matchings are no matter on the way, as there may be edges among these that come back. */
static pm_status delete_greedily(search *s, const int *preference, pm_deletion_outcome *outcome,
                                 pm_error *err)
{
    static const pm_deletion none = {0};
    set_deletion(s, &none);
    *outcome = PM_DELETION_OUT_OF_TIME;
    while (s->left > 0) {
        bool is_planar;
        pm_status rc = sample(s, s->samples, &is_planar, err);
        if (!rc && is_planar) {
            rc = restore(s, err);
            *outcome =
                s->now.matchings <= s->most ? PM_DELETION_FOUND : PM_DELETION_TOO_MANY_MATCHINGS;
            return rc;
        }
        if (rc)
            return rc;
        if (s->now.count == PM_DELETED_EDGES_MAX) {
            *outcome = PM_DELETION_TOO_MANY_EDGES;
            return PM_OK;
        }
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
    pm_status rc = sample(s, SAMPLES, &is_planar, err);
    *is_better = false;
    for (int32_t x = 0; x < s->nmet && !rc && s->left > 0; ++x) {
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
    for (int32_t at = 0; at < s->now.count && s->left > 0 && !rc; ++at) {
        bool is_better;
        rc = exchange(s, at, &is_better, err);
        if (is_better)
            at = -1;
    }
    return rc;
}

/* ---- all of it ---- */

/* Edge e lies in faces of detour(e) + 1 edges at least, so a planar graph has at most the sum of
 * 2 / (detour(e) + 1) over its edges as faces, and by Euler edges - vertices + 2 of them.  Fewer
 * edges have longer detours: what the faces fall short of is what has to go.  From a sample. */
static bool is_far(search *s)
{
    const pm_matrix *a = s->a;
    int64_t nnz = pm_matrix_nnz(a), looks = nnz < LOOKS ? nnz : LOOKS;
    double share = 0;
    for (int64_t x = 0; x < looks; ++x) {
        int32_t k = looks == nnz ? (int32_t)x : (int32_t)pm_rng_below(&s->rng, (uint32_t)nnz);
        find_detour(s, k);
        share += 2 / (1. + s->detours.least);
    }
    double faces = (double)nnz * share / (double)looks;
    return (double)(nnz - a->nrows - a->ncols + 2) - SURELY_LONGER * faces > PM_DELETED_EDGES_MAX;
}

/* Each preference gets its share of the work. */
static pm_status try_all(search *s, pm_deletion *out, pm_error *err)
{
    pm_status rc = PM_OK;
    double later = s->left;
    for (int p = 0; p < PREFERENCES && !rc; ++p) {
        pm_deletion_outcome outcome;
        double share = later / (PREFERENCES - p);
        s->left = share;
        rc = delete_greedily(s, preferences[p], &outcome, err);
        later -= share - s->left;
        if (!rc && outcome == PM_DELETION_FOUND) {
            *out = s->now;
            s->most = s->now.matchings;
        }
        if (outcome > out->outcome)
            out->outcome = outcome;
    }
    return rc;
}

pm_status pm_deletion_find(const pm_matrix *a, const pm_deletion_limits *limits, const pm_run *run,
                           pm_deletion *out, pm_error *err)
{
    search s = {.a = a, .run = run, .rng = limits->seed, .most = REACH * limits->most};
    pm_status rc = search_alloc(&s, err);
    *out = (pm_deletion){0};
    if (!rc && is_far(&s)) {
        out->outcome = PM_DELETION_TOO_MANY_EDGES;
    } else if (!rc) {
        s.left = limits->tests * (double)pm_matrix_nnz(a);
        s.samples = (int)fmax(1, fmin(SAMPLES, limits->tests / FOR_EACH));
        rc = try_all(&s, out, err);
    }
    if (!rc && out->count) {
        double tests = fmin(limits->tests, limits->effort * (double)out->matchings);
        set_deletion(&s, out);
        s.left = tests * (double)pm_matrix_nnz(a);
        rc = improve(&s, err);
        *out = (pm_deletion){.outcome = PM_DELETION_TOO_MANY_MATCHINGS};
        if (!rc && s.now.matchings <= limits->most) {
            *out = s.now;
            out->outcome = PM_DELETION_FOUND;
        }
    }
    search_free(&s);
    return rc;
}
