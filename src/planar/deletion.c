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

/* The greedy search accepts this many times the matchings allowed: exchanges may reduce them. */
enum { EXCESS_MATCHINGS = 32 };
enum { SAMPLES = 4 };      /* obstructions examined for each edge that is deleted */
enum { LEAST_COUNT = 60 }; /* tests in whose time matchings are counted even if none are left */
enum { FOR_EACH = 100 };   /* tests that should be left for each sample; otherwise fewer samples */

enum { CHECKED_EDGES = 2000 }; /* edges sampled for the bound in least_deleted */
#define TOLERANCE     1e-9     /* relative error of a sum of so many shares, at most */
#define SURELY_LONGER 1.2      /* margin of that bound, for the error of sampling */

/* Criteria for the edge to delete: the number of obstructions that it is in, the length of its
 * replacement path, the number of deleted edges with a common end, and the largest sum of
 * the first criterion at one of its ends. */
enum { BY_TALLY, BY_PATH, BY_SHARED, BY_HUB, CRITERIA };
enum { CRITERIA_USED = 3 };
/* The first, second and third criterion of each attempt. */
static const int preferences[][CRITERIA_USED] = {
    {BY_TALLY, BY_PATH, BY_SHARED}, {BY_PATH, BY_TALLY, BY_SHARED}, {BY_SHARED, BY_HUB, BY_PATH}};
enum { PREFERENCES = (int)(sizeof preferences / sizeof *preferences) };

typedef struct {
    const pm_drawn_graph *d;
    const pm_matrix *a; /* of d */
    const pm_run *run;
    uint64_t rng;
    int64_t most;
    int samples;
    double left; /* work that may still be done, in planarity tests of one edge */
    double used; /* work done, in the same unit */
    pm_replacement_path paths;
    uint8_t *deleted;     /* of each entry */
    int32_t *obstruction; /* entries of the latest obstruction */
    int32_t length;       /* their number */
    int32_t *tally;       /* of each entry: how many of the current obstructions it is in */
    int32_t *hub;         /* of each vertex: the sum of the tallies of its entries */
    int32_t *counted;     /* entries with a positive tally */
    int32_t ncounted;
    pm_deletion now;
} search;

static void search_free(search *s)
{
    pm_replacement_path_close(&s->paths);
    free(s->deleted);
    free(s->obstruction);
    free(s->tally);
    free(s->hub);
    free(s->counted);
}

static pm_status search_alloc(search *s, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(s->a);
    s->deleted = pm_calloc_array(nnz, 1);
    s->obstruction = pm_alloc_array(nnz, sizeof *s->obstruction);
    s->tally = pm_calloc_array(nnz, sizeof *s->tally);
    s->hub = pm_calloc_array(pm_drawn_vertices(s->d), sizeof *s->hub);
    s->counted = pm_alloc_array(nnz, sizeof *s->counted);
    if (!s->deleted || !s->obstruction || !s->tally || !s->hub || !s->counted)
        return pm_fail_memory(err, "a planar part");
    return pm_replacement_path_open(s->d, &s->paths, err);
}

static void spend(search *s, double work)
{
    s->left -= work;
    s->used += work;
}

/* ---- deleted edges ---- */

/* INT64_MAX: more than s->most, or than there is time to count. */
static int64_t count_matchings(search *s, const pm_deletion *d)
{
    pm_deleted_edges edges;
    double least = LEAST_COUNT * (double)pm_matrix_nnz(s->a);
    double most = fmin((double)s->most, fmax(s->left, least) / PM_PLANAR_MATCHING_WORK);
    pm_deleted_edges_make(s->d, d->entry, d->count, &edges);
    int64_t count = pm_deleted_edges_matchings(&edges, (int64_t)most, NULL);
    spend(s, PM_PLANAR_MATCHING_WORK * (double)count);
    return (double)count > most ? INT64_MAX : count;
}

static void delete_edge(search *s, int32_t k)
{
    s->deleted[k] = 1;
    s->now.entry[s->now.count++] = k;
}

static void restore_edge(search *s, int32_t at)
{
    s->deleted[s->now.entry[at]] = 0;
    memmove(s->now.entry + at, s->now.entry + at + 1,
            (size_t)(--s->now.count - at) * sizeof *s->now.entry);
}

static void set_deletion(search *s, const pm_deletion *d)
{
    for (int32_t e = 0; e < s->now.count; ++e)
        s->deleted[s->now.entry[e]] = 0;
    s->now = *d;
    for (int32_t e = 0; e < s->now.count; ++e)
        s->deleted[s->now.entry[e]] = 1;
}

/* ---- obstructions ---- */

/* A planarity test; sets s->obstruction if the graph is not planar. */
static pm_status test(search *s, bool *is_planar, pm_error *err)
{
    *is_planar = false;
    if (pm_run_stopped(s->run))
        return pm_fail(err, PM_ESTOPPED, "stopped during a search for a planar part");
    spend(s, (double)pm_matrix_nnz(s->a));
    pm_status status =
        pm_embedding_obstruction(s->d, s->deleted, &s->rng, s->obstruction, &s->length, err);
    *is_planar = !status && s->length == 0;
    return status;
}

static int32_t end_of(const search *s, int32_t k, int end)
{
    return end ? pm_drawn_end(s->d, k) : s->paths.row[k];
}

/* The hub value at end 0 (row) or 1 (column) of entry k. */
static int32_t *hub_of(const search *s, int32_t k, int end)
{
    return &s->hub[end_of(s, k, end)];
}

static void clear_tallies(search *s)
{
    while (s->ncounted > 0) {
        int32_t k = s->counted[--s->ncounted];
        s->tally[k] = *hub_of(s, k, 0) = *hub_of(s, k, 1) = 0;
    }
}

static void count_entry(search *s, int32_t k)
{
    if (s->tally[k]++ == 0)
        s->counted[s->ncounted++] = k;
    ++*hub_of(s, k, 0);
    ++*hub_of(s, k, 1);
}

/* Tally the edges of several obstructions. */
static pm_status sample(search *s, int samples, bool *is_planar, pm_error *err)
{
    pm_status status = PM_OK;
    clear_tallies(s);
    *is_planar = false;
    for (int i = 0; i < samples && !status && !*is_planar; ++i) {
        status = test(s, is_planar, err);
        for (int32_t x = 0; x < s->length && !status; ++x)
            count_entry(s, s->obstruction[x]);
    }
    return status;
}

/* ---- one edge after another ---- */

static int32_t count_shared(const search *s, int32_t k)
{
    int32_t shared = 0, u = end_of(s, k, 0), v = end_of(s, k, 1);
    for (int32_t e = 0; e < s->now.count; ++e) {
        int32_t x = end_of(s, s->now.entry[e], 0), y = end_of(s, s->now.entry[e], 1);
        shared += x == u || x == v || y == u || y == v;
    }
    return shared;
}

static int32_t path_length(search *s, int32_t k)
{
    int32_t length = pm_replacement_path_length(&s->paths, s->deleted, k);
    spend(s, PM_PLANAR_DETOUR_WORK * (double)s->paths.visited);
    return length;
}

/* Whether an edge with criteria x is preferred to one with criteria y. */
static bool is_preferred(const int32_t *x, const int32_t *y, const int *preference)
{
    for (int i = 0; i < CRITERIA_USED; ++i)
        if (x[preference[i]] != y[preference[i]])
            return x[preference[i]] > y[preference[i]];
    return false;
}

/* The edge to delete, among those with a tally. */
static int32_t choose(search *s, const int *preference)
{
    int32_t best[CRITERIA], chosen = -1;
    for (int32_t x = 0; x < s->ncounted; ++x) {
        int32_t k = s->counted[x], criterion[CRITERIA];
        criterion[BY_TALLY] = s->tally[k];
        criterion[BY_SHARED] = count_shared(s, k);
        criterion[BY_HUB] =
            *hub_of(s, k, 0) > *hub_of(s, k, 1) ? *hub_of(s, k, 0) : *hub_of(s, k, 1);
        if (chosen >= 0 && preference[0] != BY_PATH
            && criterion[preference[0]] < best[preference[0]])
            continue;
        criterion[BY_PATH] = path_length(s, k);
        if (chosen < 0 || is_preferred(criterion, best, preference)) {
            memcpy(best, criterion, sizeof best);
            chosen = k;
        }
    }
    return chosen;
}

/* Restore the edges that need not be deleted, and count the matchings of the rest. */
static pm_status restore(search *s, pm_error *err)
{
    pm_status status = PM_OK;
    for (int32_t e = s->now.count - 1; e >= 0 && !status; --e) {
        bool is_planar;
        int32_t k = s->now.entry[e];
        s->deleted[k] = 0;
        status = test(s, &is_planar, err);
        s->deleted[k] = 1;
        if (is_planar)
            restore_edge(s, e);
    }
    s->now.matchings = count_matchings(s, &s->now);
    return status;
}

/* Delete edges until the graph is planar, then restore what need not be deleted.  Matchings are
 * counted only then. */
static pm_status delete_greedily(search *s, const int *preference, pm_deletion_outcome *outcome,
                                 pm_error *err)
{
    static const pm_deletion none = {0};
    set_deletion(s, &none);
    *outcome = PM_DELETION_OUT_OF_TIME;
    while (s->left > 0) {
        bool is_planar;
        pm_status status = sample(s, s->samples, &is_planar, err);
        if (!status && is_planar) {
            status = restore(s, err);
            *outcome =
                s->now.matchings <= s->most ? PM_DELETION_FOUND : PM_DELETION_TOO_MANY_MATCHINGS;
            return status;
        }
        if (status)
            return status;
        if (s->now.count == PM_DELETED_EDGES_MAX) {
            *outcome = PM_DELETION_TOO_MANY_EDGES;
            return PM_OK;
        }
        delete_edge(s, choose(s, preference));
    }
    return PM_OK;
}

/* ---- exchanges ---- */

/* Exchange the edge at index `at` for another edge, one that is in all sampled obstructions, and
 * restore what need not be deleted.  s->now is kept unless the exchange leaves fewer matchings. */
static pm_status exchange(search *s, int32_t at, bool *is_better, pm_error *err)
{
    pm_deletion before = s->now;
    bool is_planar;
    restore_edge(s, at);
    pm_deletion without = s->now;
    pm_status status = sample(s, SAMPLES, &is_planar, err);
    *is_better = false;
    for (int32_t x = 0; x < s->ncounted && !status && s->left > 0; ++x) {
        int32_t k = s->counted[x];
        if (s->tally[k] < SAMPLES || k == before.entry[at])
            continue;
        delete_edge(s, k);
        status = test(s, &is_planar, err);
        if (!status && is_planar)
            status = restore(s, err);
        *is_better = !status && is_planar && s->now.matchings < before.matchings;
        if (*is_better)
            return PM_OK;
        set_deletion(s, &without);
    }
    set_deletion(s, &before);
    return status;
}

static pm_status improve(search *s, pm_error *err)
{
    pm_status status = PM_OK;
    for (int32_t at = 0; at < s->now.count && s->left > 0 && !status; ++at) {
        bool is_better;
        status = exchange(s, at, &is_better, err);
        if (is_better)
            at = -1;
    }
    return status;
}

/* ---- the search ---- */

static int compare_shares(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* A lower bound of the number of edges that must be deleted.  Let d(e) be the length of the
 * replacement path of edge e, and s(e) = 2 / (d(e) + 1).  The faces at e have at least d(e) + 1
 * edges, so a planar graph has at most the sum of s(e) over its edges as faces, and by Euler's
 * formula at least edges - vertices + 2.  Deleting edges does not shorten replacement paths.  So
 * when k edges are deleted, edges - k - vertices + 2 is at most the sum of all s(e) less the k
 * smallest s(e).  Of many edges the sum is estimated from a sample, and the last term is left out. */
static double least_deleted(search *s)
{
    const pm_matrix *a = s->a;
    int64_t nnz = pm_matrix_nnz(a), checks = nnz < CHECKED_EDGES ? nnz : CHECKED_EDGES;
    double sum = 0, share[CHECKED_EDGES];
    for (int64_t x = 0; x < checks; ++x) {
        int32_t k = checks == nnz ? (int32_t)x : (int32_t)pm_rng_below(&s->rng, (uint32_t)nnz);
        path_length(s, k);
        share[x] = 2 / (1. + s->paths.least);
        sum += share[x];
    }
    double excess = (double)(nnz - pm_drawn_vertices(s->d) + 2);
    if (checks < nnz)
        return excess - SURELY_LONGER * sum * (double)nnz / (double)checks;
    qsort(share, (size_t)checks, sizeof *share, compare_shares);
    int64_t k = 0;
    for (; k < checks && excess - (double)k > sum * (1 + TOLERANCE); ++k)
        sum -= share[k];
    return (double)k;
}

/* The same at once, from the shortest replacement paths that there can be: 3 edges where the graph has two sides, else 2. */
static double surely_deleted(const search *s)
{
    const double nnz = (double)pm_matrix_nnz(s->a), share = s->d->first_column > 0 ? 0.5 : 2. / 3;
    const double excess = nnz - (double)pm_drawn_vertices(s->d) + 2;
    return fmax(0, (excess - nnz * share) / (1 - share) * (1 - TOLERANCE) - TOLERANCE);
}

/* The largest degree of a vertex of a row plus the largest of a vertex of a column. */
static pm_status add_degrees(const search *s, int64_t *out, pm_error *err)
{
    int64_t of_rows = 0, of_columns = 0;
    int64_t *degree = pm_calloc_array(pm_drawn_vertices(s->d), sizeof *degree);
    if (!degree)
        return pm_fail_memory(err, "a planar part");
    for (int32_t k = 0; k < pm_matrix_nnz(s->a); ++k)
        for (int end = 0; end < 2; ++end)
            ++degree[end_of(s, k, end)];
    for (int64_t v = 0; v < s->a->nrows; ++v)
        of_rows = degree[v] > of_rows ? degree[v] : of_rows;
    for (int64_t v = s->d->first_column; v < pm_drawn_vertices(s->d); ++v)
        of_columns = degree[v] > of_columns ? degree[v] : of_columns;
    free(degree);
    *out = of_rows + of_columns;
    return PM_OK;
}

/* Whether any `edges` edges have more than `most` matchings.  An edge shares an end with fewer than
 * `degrees` edges, itself included, so there are at least edges (edges - degrees) ... / j! matchings
 * of j edges. */
static bool has_more_matchings(double edges, double degrees, double most)
{
    double all = 1, of_size = 1;
    for (int j = 0; edges > j * degrees && all <= most; ++j) {
        of_size *= (edges - j * degrees) / (j + 1);
        all += of_size;
    }
    return all > most;
}

/* Where at least `edges` edges must be deleted. */
static pm_deletion_outcome outcome_of(double edges, int64_t degrees, int64_t most)
{
    return edges > PM_DELETED_EDGES_MAX ? PM_DELETION_TOO_MANY_EDGES
           : has_more_matchings(edges, (double)degrees, (double)most)
               ? PM_DELETION_TOO_MANY_MATCHINGS
               : PM_DELETION_OUT_OF_TIME;
}

/* Sets *out to PM_DELETION_TOO_MANY_EDGES or PM_DELETION_TOO_MANY_MATCHINGS where no search can
 * find fewer, else to PM_DELETION_OUT_OF_TIME. */
static pm_status refuse_hopeless(search *s, int64_t most, pm_deletion_outcome *out, pm_error *err)
{
    int64_t degrees = 0;
    pm_status status = add_degrees(s, &degrees, err);
    if (status)
        return status;
    *out = outcome_of(surely_deleted(s), degrees, most);
    if (!*out)
        *out = outcome_of(least_deleted(s), degrees, most);
    return PM_OK;
}

/* Each preference gets its share of the work. */
static pm_status try_all(search *s, pm_deletion *out, pm_error *err)
{
    pm_status status = PM_OK;
    double later = s->left;
    for (int p = 0; p < PREFERENCES && !status; ++p) {
        pm_deletion_outcome outcome;
        double share = later / (PREFERENCES - p);
        s->left = share;
        status = delete_greedily(s, preferences[p], &outcome, err);
        later -= share - s->left;
        if (!status && outcome == PM_DELETION_FOUND) {
            *out = s->now;
            s->most = s->now.matchings;
        }
        if (outcome > out->outcome)
            out->outcome = outcome;
    }
    return status;
}

pm_status pm_deletion_find(const pm_drawn_graph *d, const pm_deletion_limits *limits,
                           const pm_run *run, pm_deletion *out, pm_error *err)
{
    const pm_matrix *a = d->a;
    search s = {
        .d = d, .a = a, .run = run, .rng = limits->seed, .most = EXCESS_MATCHINGS * limits->most};
    pm_status status = search_alloc(&s, err);
    *out = (pm_deletion){0};
    if (!status)
        status = refuse_hopeless(&s, limits->most, &out->outcome, err);
    if (!status && !out->outcome) {
        s.left = limits->tests * (double)pm_matrix_nnz(a);
        s.samples = (int)fmax(1, fmin(SAMPLES, limits->tests / FOR_EACH));
        status = try_all(&s, out, err);
    }
    if (!status && out->count) {
        double tests = fmin(limits->tests, limits->effort * (double)out->matchings);
        set_deletion(&s, out);
        s.left = tests * (double)pm_matrix_nnz(a);
        status = improve(&s, err);
        *out = (pm_deletion){.outcome = PM_DELETION_TOO_MANY_MATCHINGS};
        if (!status && s.now.matchings <= limits->most) {
            *out = s.now;
            out->outcome = PM_DELETION_FOUND;
        }
    }
    if (limits->used)
        *limits->used += s.used / (double)pm_matrix_nnz(a);
    search_free(&s);
    return status;
}
