/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/splitting.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "planar/plain_matching.h"
#include "pm/alloc.h"

void pm_splitting_free(pm_splitting *s)
{
    free(s->matchings);
    *s = (pm_splitting){0};
}

pm_status pm_splitting_trivial(pm_splitting *out, pm_error *err)
{
    *out = (pm_splitting){.count = 1};
    out->matchings = pm_calloc_array(1, sizeof *out->matchings);
    return out->matchings ? PM_OK : pm_fail_memory(err, "a sum of planar graphs");
}

/* ---- one term ---- */

/* The matching M of a term. */
static uint64_t *matching_of(const pm_splitting *s, int64_t term)
{
    return s->matchings + term * pm_deleted_edges_words(&s->edges);
}

/* Keep the edges of M, and all edges outside E that have no end in common with M. */
static void mark_kept(const pm_splitting *s, const pm_drawn_graph *d, const uint64_t *matching,
                      const uint8_t *is_end, uint8_t *keep)
{
    for (int64_t i = 0; i < d->a->nrows; ++i)
        for (int64_t k = d->a->rowptr[i]; k < d->a->rowptr[i + 1]; ++k)
            keep[k] = !is_end[i] && !is_end[pm_drawn_end(d, k)];
    for (int32_t e = 0; e < s->edges.count; ++e)
        keep[s->entry[e]] = pm_deleted_edges_has(matching, e);
}

pm_status pm_splitting_term(const pm_splitting *s, const pm_plain_graph *w, int64_t term,
                            pm_plain_graph *out, pm_error *err)
{
    const pm_drawn_graph d = pm_plain_graph_drawn(w);
    const uint64_t *matching = matching_of(s, term);
    uint8_t *keep = pm_alloc_array(pm_matrix_nnz(d.a), 1);
    uint8_t *is_end = pm_calloc_array(pm_drawn_vertices(&d), 1);
    pm_status status = PM_OK;
    if (!keep || !is_end) {
        status = pm_fail_memory(err, "a planar part");
    } else {
        for (int32_t e = 0; e < s->edges.count; ++e)
            if (pm_deleted_edges_has(matching, e))
                is_end[s->edges.end[e][0]] = is_end[s->edges.end[e][1]] = 1;
        mark_kept(s, &d, matching, is_end, keep);
        status = pm_plain_graph_subgraph(w, keep, out, err);
    }
    free(keep);
    free(is_end);
    return status;
}

int64_t pm_splitting_largest_matching(const pm_splitting *s)
{
    int64_t largest = 0;
    int most = -1;
    for (int64_t t = 0; t < s->count; ++t) {
        int edges = 0;
        for (int w = 0; w < pm_deleted_edges_words(&s->edges); ++w)
            edges += __builtin_popcountll(matching_of(s, t)[w]);
        if (edges > most) {
            most = edges;
            largest = t;
        }
    }
    return largest;
}

/* ---- terms that are 0 ---- */

static void copy_term(pm_splitting *s, int64_t to, int64_t from)
{
    memmove(matching_of(s, to), matching_of(s, from),
            (size_t)pm_deleted_edges_words(&s->edges) * sizeof *s->matchings);
}

static void swap_terms(pm_splitting *s, int64_t x, int64_t y)
{
    for (int w = 0; w < pm_deleted_edges_words(&s->edges); ++w) {
        uint64_t word = matching_of(s, x)[w];
        matching_of(s, x)[w] = matching_of(s, y)[w];
        matching_of(s, y)[w] = word;
    }
}

/* Whether term t has a perfect matching. */
static pm_status check_term(const pm_splitting *s, const pm_plain_graph *w, int64_t t,
                            const pm_run *run, int32_t *partner, bool *is_nonzero, pm_error *err)
{
    pm_plain_graph term = {0};
    *is_nonzero = false;
    if (pm_run_stopped(run))
        return pm_fail(err, PM_ESTOPPED, "stopped while a graph was split");
    pm_status status = pm_splitting_term(s, w, t, &term, err);
    if (!status)
        status = pm_plain_matching_find(&term, run, partner, is_nonzero, err);
    pm_plain_graph_free(&term);
    return status;
}

/* Remove the zero terms among the first `checks` terms. */
static pm_status remove_zeros(pm_splitting *s, const pm_plain_graph *w, int64_t checks,
                              const pm_run *run, int32_t *partner, pm_error *err)
{
    int64_t kept = 0, checked = checks < s->count ? checks : s->count;
    for (int64_t t = 0; t < checked; ++t) {
        bool is_nonzero;
        pm_status status = check_term(s, w, t, run, partner, &is_nonzero, err);
        if (status)
            return status;
        if (is_nonzero)
            copy_term(s, kept++, t);
    }
    s->has_zeros = checked < s->count;
    for (int64_t t = checked; t < s->count; ++t)
        copy_term(s, kept++, t);
    s->count = kept;
    return PM_OK;
}

/* Find a perfect matching of the graph, and move its term to the front. */
static pm_status move_nonzero_first(pm_splitting *s, const pm_plain_graph *w, const pm_run *run,
                                    int32_t *partner, pm_error *err)
{
    bool is_there;
    pm_status status = pm_plain_matching_find(w, run, partner, &is_there, err);
    for (int64_t t = 0; t < s->count && !status; ++t) {
        bool is_it = true;
        for (int32_t e = 0; e < s->edges.count && is_it; ++e)
            is_it = pm_deleted_edges_has(matching_of(s, t), e)
                    == (partner[s->edges.end[e][0]] == s->edges.end[e][1]);
        if (is_it) {
            swap_terms(s, 0, t);
            return PM_OK;
        }
    }
    return status ? status : pm_fail_internal(err, "no term of a sum has a perfect matching");
}

/* Remove zero terms as far as `checks` allows, and make sure that the first term is not 0. */
static pm_status check_terms(pm_splitting *s, const pm_plain_graph *w, int64_t checks,
                             const pm_run *run, pm_error *err)
{
    const pm_drawn_graph d = pm_plain_graph_drawn(w);
    bool is_nonzero = false;
    int32_t *partner = pm_alloc_array(pm_drawn_vertices(&d), sizeof *partner);
    pm_status status =
        partner ? remove_zeros(s, w, checks, run, partner, err) : pm_fail_memory(err, "a matching");
    if (!status && s->has_zeros)
        status = check_term(s, w, 0, run, partner, &is_nonzero, err);
    if (!status && s->has_zeros && !is_nonzero)
        status = move_nonzero_first(s, w, run, partner, err);
    free(partner);
    return status;
}

/* ---- all terms ---- */

static pm_status refuse(const pm_deletion *d, const pm_deletion_limits *limits, bool is_general,
                        pm_error *err)
{
    if (d->outcome == PM_DELETION_TOO_MANY_MATCHINGS)
        return pm_fail(err, PM_UNABLE,
                       "deleting edges until it is planar would take more than the %lld %s allowed",
                       (long long)limits->most, is_general ? "Pfaffians" : "determinants");
    if (d->outcome == PM_DELETION_TOO_MANY_EDGES)
        return pm_fail(err, PM_UNABLE, "it is still not planar after %d edges are deleted",
                       PM_DELETED_EDGES_MAX);
    return pm_fail(err, PM_UNABLE,
                   "the search for edges whose deletion makes it planar took too long");
}

pm_status pm_splitting_find(const pm_plain_graph *w, const pm_deletion_limits *limits,
                            int64_t checks, const pm_run *run, pm_splitting *out, pm_error *err)
{
    pm_deletion d;
    pm_splitting s = {0};
    const pm_drawn_graph graph = pm_plain_graph_drawn(w);
    pm_status status = pm_deletion_find(&graph, limits, run, &d, err);
    if (!status && d.outcome != PM_DELETION_FOUND)
        status = refuse(&d, limits, w->is_general, err);
    if (status)
        return status;
    pm_deleted_edges_make(&graph, d.entry, d.count, &s.edges);
    for (int32_t e = 0; e < d.count; ++e)
        s.entry[e] = d.entry[e];
    s.count = d.matchings;
    s.matchings = pm_alloc_array(s.count * pm_deleted_edges_words(&s.edges), sizeof *s.matchings);
    if (!s.matchings) {
        status = pm_fail_memory(err, "a sum of planar graphs");
    } else {
        pm_deleted_edges_matchings(&s.edges, s.count, s.matchings);
        status = check_terms(&s, w, checks, run, err);
    }
    if (status)
        pm_splitting_free(&s);
    else
        *out = s;
    return status;
}
