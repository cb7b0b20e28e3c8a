/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/splitting.h"

#include <stdbool.h>
#include <stdlib.h>

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

/* Ends of M keep their edge of M alone, other vertices all edges that are not in E. */
static void mark_kept(const pm_splitting *s, const pm_matrix *a, uint64_t taken,
                      const uint8_t *is_end, uint8_t *keep)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            keep[k] = !is_end[i] && !is_end[a->nrows + a->colind[k]];
    for (int32_t e = 0; e < s->edges.count; ++e)
        keep[s->entry[e]] = taken >> e & 1;
}

pm_status pm_splitting_term(const pm_splitting *s, const pm_written *w, int64_t term,
                            pm_written *out, pm_error *err)
{
    const pm_matrix *a = &w->a;
    uint64_t taken = s->taken[term];
    uint8_t *keep = pm_alloc_array(pm_matrix_nnz(a), 1);
    uint8_t *is_end = pm_calloc_array(a->nrows + a->ncols, 1);
    pm_status rc = PM_OK;
    if (!keep || !is_end) {
        rc = pm_fail_memory(err, "a planar part");
    } else {
        for (int32_t e = 0; e < s->edges.count; ++e)
            if (taken >> e & 1)
                is_end[s->edges.row[e]] = is_end[a->nrows + s->edges.col[e]] = 1;
        mark_kept(s, a, taken, is_end, keep);
        rc = pm_written_keep(w, keep, out, err);
    }
    free(keep);
    free(is_end);
    return rc;
}

/* ---- all terms ---- */

static pm_status has_perfect_matching(const pm_matrix *a, int32_t *col_of, int32_t *row_of,
                                      bool *out, pm_error *err)
{
    int64_t rank;
    pm_status rc = pm_matching_maximum(a, col_of, row_of, &rank, err);
    *out = !rc && rank == a->nrows;
    return rc;
}

/* Keep the terms that have perfect matchings. */
static pm_status drop_zeros(pm_splitting *s, const pm_written *w, const pm_run *run, pm_error *err)
{
    int64_t kept = 0, n = w->a.nrows;
    pm_status rc = PM_OK;
    int32_t *col_of = pm_alloc_array(n, sizeof *col_of),
            *row_of = pm_alloc_array(n, sizeof *row_of);
    if (!col_of || !row_of)
        rc = pm_fail_memory(err, "a matching");
    for (int64_t t = 0; t < s->count && !rc; ++t) {
        pm_written term = {0};
        bool is_kept = false;
        if (pm_run_stopped(run))
            rc = pm_fail(err, PM_ESTOPPED, "stopped while a graph was split");
        if (!rc)
            rc = pm_splitting_term(s, w, t, &term, err);
        if (!rc)
            rc = has_perfect_matching(&term.a, col_of, row_of, &is_kept, err);
        if (is_kept)
            s->taken[kept++] = s->taken[t];
        pm_written_free(&term);
    }
    s->count = kept;
    free(col_of);
    free(row_of);
    return rc;
}

pm_status pm_splitting_find(const pm_written *w, const pm_deletion_limits *limits,
                            const pm_run *run, pm_splitting *out, pm_error *err)
{
    pm_deletion d;
    pm_splitting s = {0};
    pm_status rc = pm_deletion_find(&w->a, limits, run, &d, err);
    if (!rc && d.count == 0)
        rc = pm_fail(
            err, PM_UNABLE,
            "deleting edges until it is takes more than the %lld determinants that are worth it",
            (long long)limits->most);
    if (rc)
        return rc;
    pm_few_edges_set(&w->a, d.entry, d.count, &s.edges);
    for (int32_t e = 0; e < d.count; ++e)
        s.entry[e] = d.entry[e];
    s.count = d.matchings;
    s.taken = pm_alloc_array(s.count, sizeof *s.taken);
    if (!s.taken) {
        rc = pm_fail_memory(err, "a sum of planar graphs");
    } else {
        pm_few_edges_matchings(&s.edges, s.count, s.taken);
        rc = drop_zeros(&s, w, run, err);
    }
    if (rc)
        pm_splitting_free(&s);
    else
        *out = s;
    return rc;
}
