/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/splitting.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "pm/dm.h"

void pm_splitting_free(pm_splitting *s)
{
    free(s->taken);
    *s = (pm_splitting){0};
}

pm_status pm_splitting_trivial(pm_splitting *out, pm_error *err)
{
    *out = (pm_splitting){.count = 1};
    out->taken = pm_calloc_array(1, sizeof *out->taken);
    return out->taken ? PM_OK : pm_fail_memory(err, "a sum of planar graphs");
}

/* ---- one term ---- */

static uint64_t *term_of(const pm_splitting *s, int64_t term)
{
    return s->taken + term * pm_deleted_edges_words(&s->edges);
}

/* Ends of M keep their edge of M alone, other vertices all edges that are not in E. */
static void mark_kept(const pm_splitting *s, const pm_matrix *a, const uint64_t *taken,
                      const uint8_t *is_end, uint8_t *keep)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            keep[k] = !is_end[i] && !is_end[a->nrows + a->colind[k]];
    for (int32_t e = 0; e < s->edges.count; ++e)
        keep[s->entry[e]] = pm_deleted_edges_has(taken, e);
}

pm_status pm_splitting_term(const pm_splitting *s, const pm_plain_graph *w, int64_t term,
                            pm_plain_graph *out, pm_error *err)
{
    const pm_matrix *a = &w->a;
    const uint64_t *taken = term_of(s, term);
    uint8_t *keep = pm_alloc_array(pm_matrix_nnz(a), 1);
    uint8_t *is_end = pm_calloc_array(a->nrows + a->ncols, 1);
    pm_status rc = PM_OK;
    if (!keep || !is_end) {
        rc = pm_fail_memory(err, "a planar part");
    } else {
        for (int32_t e = 0; e < s->edges.count; ++e)
            if (pm_deleted_edges_has(taken, e))
                is_end[s->edges.row[e]] = is_end[a->nrows + s->edges.col[e]] = 1;
        mark_kept(s, a, taken, is_end, keep);
        rc = pm_plain_graph_subgraph(w, keep, out, err);
    }
    free(keep);
    free(is_end);
    return rc;
}

int64_t pm_splitting_largest_matching(const pm_splitting *s)
{
    int64_t fullest = 0;
    int most = -1;
    for (int64_t t = 0; t < s->count; ++t) {
        int edges = 0;
        for (int w = 0; w < pm_deleted_edges_words(&s->edges); ++w)
            edges += __builtin_popcountll(term_of(s, t)[w]);
        if (edges > most) {
            most = edges;
            fullest = t;
        }
    }
    return fullest;
}

/* ---- terms that are 0 ---- */

static pm_status has_perfect_matching(const pm_matrix *a, int32_t *col_of, int32_t *row_of,
                                      bool *out, pm_error *err)
{
    int64_t rank;
    pm_status rc = pm_matching_maximum(a, col_of, row_of, &rank, err);
    *out = !rc && rank == a->nrows;
    return rc;
}

static void copy_term(pm_splitting *s, int64_t to, int64_t from)
{
    memmove(term_of(s, to), term_of(s, from),
            (size_t)pm_deleted_edges_words(&s->edges) * sizeof *s->taken);
}

static void swap_terms(pm_splitting *s, int64_t x, int64_t y)
{
    for (int w = 0; w < pm_deleted_edges_words(&s->edges); ++w) {
        uint64_t word = term_of(s, x)[w];
        term_of(s, x)[w] = term_of(s, y)[w];
        term_of(s, y)[w] = word;
    }
}

static pm_status look_at(const pm_splitting *s, const pm_plain_graph *w, int64_t t,
                         const pm_run *run, int32_t *col_of, int32_t *row_of, bool *is_kept,
                         pm_error *err)
{
    pm_plain_graph term = {0};
    *is_kept = false;
    if (pm_run_stopped(run))
        return pm_fail(err, PM_ESTOPPED, "stopped while a graph was split");
    pm_status rc = pm_splitting_term(s, w, t, &term, err);
    if (!rc)
        rc = has_perfect_matching(&term.a, col_of, row_of, is_kept, err);
    pm_plain_graph_free(&term);
    return rc;
}

/* Out of the first so many terms. */
static pm_status drop_zeros(pm_splitting *s, const pm_plain_graph *w, int64_t looks,
                            const pm_run *run, int32_t *col_of, int32_t *row_of, pm_error *err)
{
    int64_t kept = 0, seen = looks < s->count ? looks : s->count;
    for (int64_t t = 0; t < seen; ++t) {
        bool is_kept;
        pm_status rc = look_at(s, w, t, run, col_of, row_of, &is_kept, err);
        if (rc)
            return rc;
        if (is_kept)
            copy_term(s, kept++, t);
    }
    s->has_zeros = seen < s->count;
    for (int64_t t = seen; t < s->count; ++t)
        copy_term(s, kept++, t);
    s->count = kept;
    return PM_OK;
}

/* The term of a perfect matching of the graph comes first. */
static pm_status find_nonzero(pm_splitting *s, const pm_plain_graph *w, int32_t *col_of,
                              int32_t *row_of, pm_error *err)
{
    bool is_there;
    pm_status rc = has_perfect_matching(&w->a, col_of, row_of, &is_there, err);
    for (int64_t t = 0; t < s->count && !rc; ++t) {
        bool is_it = true;
        for (int32_t e = 0; e < s->edges.count && is_it; ++e)
            is_it = pm_deleted_edges_has(term_of(s, t), e)
                    == (col_of[s->edges.row[e]] == s->edges.col[e]);
        if (is_it) {
            swap_terms(s, 0, t);
            return PM_OK;
        }
    }
    return rc ? rc : pm_fail(err, PM_EINTERNAL, "no term of a sum has a perfect matching");
}

static pm_status sort_out(pm_splitting *s, const pm_plain_graph *w, int64_t looks,
                          const pm_run *run, pm_error *err)
{
    int64_t n = w->a.nrows;
    pm_status rc;
    bool is_kept = false;
    int32_t *col_of = pm_alloc_array(n, sizeof *col_of),
            *row_of = pm_alloc_array(n, sizeof *row_of);
    if (!col_of || !row_of)
        rc = pm_fail_memory(err, "a matching");
    else
        rc = drop_zeros(s, w, looks, run, col_of, row_of, err);
    if (!rc && s->has_zeros)
        rc = look_at(s, w, 0, run, col_of, row_of, &is_kept, err);
    if (!rc && s->has_zeros && !is_kept)
        rc = find_nonzero(s, w, col_of, row_of, err);
    free(col_of);
    free(row_of);
    return rc;
}

/* ---- all terms ---- */

static pm_status refuse(const pm_deletion *d, const pm_deletion_limits *limits, pm_error *err)
{
    if (d->outcome == PM_DELETION_TOO_MANY_MATCHINGS)
        return pm_fail(
            err, PM_UNABLE,
            "deleting edges until it is takes more than the %lld determinants that are worth it",
            (long long)limits->most);
    if (d->outcome == PM_DELETION_TOO_MANY_EDGES)
        return pm_fail(err, PM_UNABLE, "it is not so either after deleting %d edges",
                       PM_DELETED_EDGES_MAX);
    return pm_fail(err, PM_UNABLE,
                   "the search for edges to delete until it is took longer than is worth it");
}

pm_status pm_splitting_find(const pm_plain_graph *w, const pm_deletion_limits *limits,
                            int64_t looks, const pm_run *run, pm_splitting *out, pm_error *err)
{
    pm_deletion d;
    pm_splitting s = {0};
    pm_status rc = pm_deletion_find(&w->a, limits, run, &d, err);
    if (!rc && d.outcome != PM_DELETION_FOUND)
        rc = refuse(&d, limits, err);
    if (rc)
        return rc;
    pm_deleted_edges_make(&w->a, d.entry, d.count, &s.edges);
    for (int32_t e = 0; e < d.count; ++e)
        s.entry[e] = d.entry[e];
    s.count = d.matchings;
    s.taken = pm_alloc_array(s.count * pm_deleted_edges_words(&s.edges), sizeof *s.taken);
    if (!s.taken) {
        rc = pm_fail_memory(err, "a sum of planar graphs");
    } else {
        pm_deleted_edges_matchings(&s.edges, s.count, s.taken);
        rc = sort_out(&s, w, looks, run, err);
    }
    if (rc)
        pm_splitting_free(&s);
    else
        *out = s;
    return rc;
}
