/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Take a vertex u and its partner p out of a perfect matching.  The edge u w is in a perfect matching exactly if the graph without u
 * and w has one, that is if an alternating path leads from p to w that ends with the matched edge of w: if w is an
 * outer vertex of the tree that grows from p without u.  Then the path and the edge u w are an alternating cycle, all of whose edges are
 * in perfect matchings. */
#include "config.h"

#include "general/allowed_edges.h"

#include <stdlib.h>

#include "general/alternating_forest.h"
#include "general/cut_pieces.h"
#include "matrix/find_entry.h"
#include "pm/alloc.h"

typedef struct {
    const pm_matrix *a;
    pm_forest forest;
    bool *is_marked;
    int64_t *twin;    /* of each entry (i, j): the entry (j, i) */
    bool *is_decided; /* of each entry: nothing more is to be found out */
    int64_t *
        wanted; /* of each vertex: 1 + the undecided entry of the present row that leads to it, or 0 */
    int64_t marked;
} search;

static void search_free(search *s)
{
    pm_forest_free(&s->forest);
    free(s->twin);
    free(s->is_decided);
    free(s->wanted);
}

static pm_status search_make(const pm_matrix *a, int32_t *partner, bool *is_marked, search *s,
                             pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(a);
    s->a = a;
    s->is_marked = is_marked;
    s->twin = pm_alloc_array(nnz, sizeof *s->twin);
    s->is_decided = pm_calloc_array(nnz, sizeof *s->is_decided);
    s->wanted = pm_calloc_array(a->nrows, sizeof *s->wanted);
    return s->twin && s->is_decided && s->wanted
               ? pm_forest_make(a, is_marked, partner, &s->forest, err)
               : pm_fail_memory(err, "the edges in perfect matchings");
}

/* Row after row, so the entries below the diagonal of each row are met in their order. */
static void find_twins(search *s)
{
    const pm_matrix *a = s->a;
    int64_t *next = s->wanted;
    for (int64_t v = 0; v < a->nrows; ++v)
        next[v] = a->rowptr[v];
    for (int64_t v = 0; v < a->nrows; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (a->colind[k] >= v) {
                s->twin[k] = next[a->colind[k]]++;
                s->twin[s->twin[k]] = k;
            }
    for (int64_t v = 0; v < a->nrows; ++v)
        next[v] = 0;
}

static void decide(search *s, int64_t k)
{
    s->is_decided[k] = s->is_decided[s->twin[k]] = true;
}

static void mark(search *s, int64_t k)
{
    s->is_marked[k] = s->is_marked[s->twin[k]] = true;
    ++s->marked;
}

/* The first time always, then while it finds something and the work allows. */
static pm_status mark_at_cuts(search *s, int64_t work, pm_error *err)
{
    pm_status status = PM_OK;
    int64_t found = 1;
    for (bool is_first = true; !status && found && (is_first || s->forest.work <= work);
         is_first = false) {
        status = pm_cut_pieces_mark(s->a, s->is_marked, &found, err);
        s->marked += status ? 0 : found;
        s->forest.work += pm_matrix_nnz(s->a);
    }
    return status;
}

/* Matched edges are in a perfect matching, marked ones in none. */
static void decide_known(search *s)
{
    const pm_matrix *a = s->a;
    for (int64_t v = 0; v < a->nrows; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (a->colind[k] == v || s->is_marked[k] || s->forest.partner[v] == a->colind[k])
                s->is_decided[k] = true;
}

/* Sets `wanted`; returns how many there are. */
static int64_t want(search *s, int32_t v)
{
    const pm_matrix *a = s->a;
    int64_t count = 0;
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
        if (!s->is_decided[k]) {
            s->wanted[a->colind[k]] = k + 1;
            ++count;
        }
    return count;
}

/* v: a wanted outer vertex. */
static void decide_cycle(search *s, int32_t v)
{
    int64_t count;
    const int32_t *path = pm_forest_path(&s->forest, v, &count);
    decide(s, s->wanted[v] - 1);
    s->wanted[v] = 0;
    for (int64_t k = 0; k < count; ++k)
        decide(s, pm_matrix_find(s->a, path[2 * k], path[2 * k + 1]));
}

/* Decides the wanted entries.  Returns false, and marks none, when the work ends before. */
static bool look_from(search *s, int32_t v, int64_t count, int64_t work)
{
    pm_forest *f = &s->forest;
    int32_t edge[2];
    bool is_done = false;
    pm_forest_clear(f);
    pm_forest_take_out(f, v);
    pm_forest_plant(f, f->partner[v]);
    for (int64_t seen = 0; count > 0 && !is_done && f->work <= work;) {
        is_done = pm_forest_scan(f, edge) == PM_FOREST_DONE;
        for (; seen < f->tail; ++seen)
            if (s->wanted[f->queue[seen]]) {
                decide_cycle(s, f->queue[seen]);
                --count;
            }
    }
    for (int64_t k = s->a->rowptr[v]; k < s->a->rowptr[v + 1] && count > 0; ++k)
        if (s->wanted[s->a->colind[k]] == k + 1) {
            s->wanted[s->a->colind[k]] = 0;
            if (is_done) {
                decide(s, k);
                mark(s, k);
            }
        }
    return count == 0 || is_done;
}

static pm_status look(search *s, int64_t work, const pm_run *run, bool *is_complete, pm_error *err)
{
    enum { CHECK = 1 << 16 }; /* entries between two looks at run->stop */
    bool goes_on = true;
    int64_t checked = 0;
    for (int32_t v = 0; v < s->a->nrows && goes_on; ++v) {
        const int64_t count = want(s, v);
        if (count > 0)
            goes_on = look_from(s, v, count, work);
        if (s->forest.work - checked < CHECK)
            continue;
        checked = s->forest.work;
        if (pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED,
                           "stopped during the search for edges in perfect matchings");
    }
    *is_complete = goes_on;
    return PM_OK;
}

pm_status pm_allowed_edges_mark(const pm_matrix *a, int32_t *partner, int64_t work,
                                const pm_run *run, bool *is_marked, int64_t *marked,
                                bool *is_complete, pm_error *err)
{
    search s = {0};
    bool has_all = false;
    pm_status status = search_make(a, partner, is_marked, &s, err);
    if (!status)
        status = mark_at_cuts(&s, work, err);
    if (!status) {
        find_twins(&s);
        decide_known(&s);
        status = look(&s, work, run, &has_all, err);
    }
    if (!status) {
        *marked = s.marked;
        if (is_complete)
            *is_complete = has_all;
    }
    search_free(&s);
    return status;
}
