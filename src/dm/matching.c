/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A large initial matching, then augmenting paths.
 *
 * Karp and Sipser: an edge at a vertex of degree 1 is in some maximum matching, so it is matched
 * and both its vertices are removed; when there is no such vertex, a row is matched to its
 * neighbour of least degree.  On sparse graphs few vertices remain unmatched; paths between near ones are looked for first
 * (near_paths.h), then between all (short_paths.h); the last rows are matched by pushes (push_relabel.h).
 * Hopcroft and Karp: layers of shortest alternating paths from all unmatched rows at once, then
 * disjoint augmenting paths along the layers; O(sqrt(n)) phases, each one pass over the entries. */
#include "config.h"

#include "pm/dm.h"

#include <stdlib.h>
#include <string.h>

#include "dm/by_columns.h"
#include "dm/near_paths.h"
#include "dm/push_relabel.h"
#include "dm/short_paths.h"
#include "pm/alloc.h"
#include "pm/memory.h"

enum { LARGE = 1 << 20 }; /* entries */

/* ---- Karp-Sipser ---- */

typedef struct {
    const pm_matrix *a;
    const pm_columns *columns;
    int32_t *col_of, *row_of;
    int32_t *row_degree, *col_degree; /* unmatched neighbours */
    uint32_t *stack;                  /* vertices whose degree became 1: row i, or nrows + j */
    int64_t top;
    int64_t matched;
} karp_sipser_state;

/* Matches row i and column j. */
static void match(karp_sipser_state *s, int32_t i, int32_t j)
{
    const pm_matrix *a = s->a;
    s->col_of[i] = j;
    s->row_of[j] = i;
    ++s->matched;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        int32_t other = a->colind[k];
        if (--s->col_degree[other] == 1 && s->row_of[other] < 0)
            s->stack[s->top++] = (uint32_t)(a->nrows + other);
    }
    for (int64_t k = s->columns->ptr[j]; k < s->columns->ptr[j + 1]; ++k) {
        int32_t other = s->columns->row[k];
        if (--s->row_degree[other] == 1 && s->col_of[other] < 0)
            s->stack[s->top++] = (uint32_t)other;
    }
}

/* The unmatched neighbour of row i of least degree, or -1. */
static int32_t least_column(const karp_sipser_state *s, int64_t i)
{
    const pm_matrix *a = s->a;
    int32_t best = -1;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        int32_t j = a->colind[k];
        if (s->row_of[j] < 0 && (best < 0 || s->col_degree[j] < s->col_degree[best]))
            best = j;
    }
    return best;
}

/* An unmatched neighbour of column j, or -1. */
static int32_t unmatched_row(const karp_sipser_state *s, int64_t j)
{
    for (int64_t k = s->columns->ptr[j]; k < s->columns->ptr[j + 1]; ++k)
        if (s->col_of[s->columns->row[k]] < 0)
            return s->columns->row[k];
    return -1;
}

static void match_forced(karp_sipser_state *s)
{
    while (s->top > 0) {
        int64_t v = s->stack[--s->top], nrows = s->a->nrows;
        if (v < nrows && s->col_of[v] < 0) {
            int32_t j = least_column(s, v);
            if (j >= 0)
                match(s, (int32_t)v, j);
        } else if (v >= nrows && s->row_of[v - nrows] < 0) {
            int32_t i = unmatched_row(s, v - nrows);
            if (i >= 0)
                match(s, i, (int32_t)(v - nrows));
        }
    }
}

static pm_status karp_sipser(const pm_matrix *a, const pm_columns *columns, int32_t *col_of,
                             int32_t *row_of, int64_t *matched, pm_error *err)
{
    karp_sipser_state s = {.a = a, .columns = columns, .col_of = col_of, .row_of = row_of};
    pm_status status = PM_OK;
    s.row_degree = pm_alloc_array(a->nrows, sizeof *s.row_degree);
    s.col_degree = pm_alloc_array(a->ncols, sizeof *s.col_degree);
    s.stack = pm_alloc_array(a->nrows + a->ncols, sizeof *s.stack);
    if (!s.row_degree || !s.col_degree || !s.stack) {
        status = pm_fail_memory(err, "the start of a matching");
        goto done;
    }
    for (int64_t i = 0; i < a->nrows; ++i) {
        s.row_degree[i] = (int32_t)(a->rowptr[i + 1] - a->rowptr[i]);
        if (s.row_degree[i] == 1)
            s.stack[s.top++] = (uint32_t)i;
    }
    for (int64_t j = 0; j < a->ncols; ++j) {
        s.col_degree[j] = (int32_t)(columns->ptr[j + 1] - columns->ptr[j]);
        if (s.col_degree[j] == 1)
            s.stack[s.top++] = (uint32_t)(a->nrows + j);
    }
    match_forced(&s);
    for (int64_t i = 0; i < a->nrows; ++i) {
        int32_t j = col_of[i] < 0 ? least_column(&s, i) : -1;
        if (j < 0)
            continue;
        match(&s, (int32_t)i, j);
        match_forced(&s);
    }
    *matched = s.matched;
done:
    free(s.row_degree);
    free(s.col_degree);
    free(s.stack);
    return status;
}

/* ---- the start ---- */

/* So few rows of a graph of this size are matched by match_few. */
enum { FEW_ROWS = 64, ENTRIES_OF_PATHS = 10000 };
/* More rows look for columns near them, first over so many rows (near_paths.h). */
enum { NEAR_FIRST = 256, NEAR_GROWTH = 8, NEAR_PASSES = 50 };

/* Searches over `most` rows from all unmatched rows take no longer than some passes over the entries, at the worst. */
static bool is_worth_near(const pm_matrix *a, int64_t matched, int64_t most)
{
    const int64_t left = a->nrows - matched;
    return matched < a->nrows && matched < a->ncols && left > FEW_ROWS && most <= a->nrows
           && left <= NEAR_PASSES * (a->nrows / most);
}

/* A maximum matching from one that lacks few rows. */
static pm_status match_few(const pm_matrix *a, const pm_columns *columns, const pm_run *run,
                           int32_t *col_of, int32_t *row_of, int64_t *matched, pm_error *err)
{
    pm_status status = pm_short_paths(a, columns, run, col_of, row_of, matched, err);
    return status ? status : pm_push_relabel(a, columns, run, col_of, row_of, matched, err);
}

/* A large matching, of nearly all rows where that is possible. */
static pm_status begin(const pm_matrix *a, const pm_run *run, int32_t *col_of, int32_t *row_of,
                       int64_t *matched, pm_error *err)
{
    pm_columns columns = {0};
    if (pm_matrix_nnz(a) >= LARGE) /* of reading */
        pm_memory_give_back();
    pm_status status = pm_columns_make(a, run, &columns, err);
    if (!status)
        status = karp_sipser(a, &columns, col_of, row_of, matched, err);
    for (int64_t most = NEAR_FIRST; !status && is_worth_near(a, *matched, most);
         most *= NEAR_GROWTH)
        status = pm_near_paths(a, most, run, col_of, row_of, matched, err);
    if (!status && *matched < a->nrows && a->nrows - *matched <= FEW_ROWS
        && pm_matrix_nnz(a) >= ENTRIES_OF_PATHS)
        status = match_few(a, &columns, run, col_of, row_of, matched, err);
    pm_columns_free(&columns);
    return status;
}

/* ---- Hopcroft-Karp ---- */

typedef struct {
    const pm_matrix *a;
    int32_t *col_of, *row_of;
    int32_t *layer; /* of each row: distance from the unmatched rows, or -1 */
    int32_t *tried; /* of each row: how many of its entries this phase has used */
    int32_t *list;  /* the queue of make_layers, or the path of augment */
} search;

/* Sets the layers, up to the first layer with an unmatched neighbour.
 * Returns false when there is no such layer: then the matching is maximum. */
static bool make_layers(search *s)
{
    const pm_matrix *a = s->a;
    int64_t head = 0, tail = 0;
    int32_t last = INT32_MAX;
    for (int64_t i = 0; i < a->nrows; ++i) {
        s->layer[i] = s->col_of[i] < 0 ? 0 : -1;
        s->tried[i] = 0;
        if (s->layer[i] == 0)
            s->list[tail++] = (int32_t)i;
    }
    while (head < tail) {
        int32_t i = s->list[head++];
        if (s->layer[i] > last)
            break;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int32_t next = s->row_of[a->colind[k]];
            if (next < 0) {
                last = s->layer[i];
            } else if (s->layer[next] < 0 && s->layer[i] < last) {
                s->layer[next] = s->layer[i] + 1;
                s->list[tail++] = next;
            }
        }
    }
    return last < INT32_MAX;
}

/* Searches a path along the layers from the unmatched row root to an unmatched column, and
 * exchanges matched and unmatched edges of the path.  Returns false when there is no path. */
static bool augment(search *s, int32_t root)
{
    const pm_matrix *a = s->a;
    int32_t *path = s->list;
    int64_t depth = 0;
    path[0] = root;
    while (depth >= 0) {
        int32_t i = path[depth];
        int64_t k = a->rowptr[i] + s->tried[i];
        if (k == a->rowptr[i + 1]) {
            s->layer[i] = -1;
            --depth;
            continue;
        }
        ++s->tried[i];
        int32_t next = s->row_of[a->colind[k]];
        if (next < 0)
            break;
        if (s->layer[next] == s->layer[i] + 1)
            path[++depth] = next;
    }
    if (depth < 0)
        return false;
    for (; depth >= 0; --depth) {
        int32_t i = path[depth];
        int32_t j = a->colind[a->rowptr[i] + s->tried[i] - 1];
        s->row_of[j] = i;
        s->col_of[i] = j;
    }
    return true;
}

static pm_status hopcroft_karp(const pm_matrix *a, const pm_run *run, int32_t *col_of,
                               int32_t *row_of, int64_t *matched, pm_error *err)
{
    pm_status status = PM_OK;
    search s = {.a = a, .col_of = col_of, .row_of = row_of};
    s.layer = pm_alloc_array(a->nrows, sizeof *s.layer);
    s.tried = pm_alloc_array(a->nrows, sizeof *s.tried);
    s.list = pm_alloc_array(a->nrows, sizeof *s.list);
    if (!s.layer || !s.tried || !s.list) {
        status = pm_fail_memory(err, "the search for a maximum matching");
        goto done;
    }
    while (*matched < a->nrows && *matched < a->ncols && make_layers(&s)) {
        if (pm_run_stopped(run)) {
            status = pm_fail(err, PM_ESTOPPED, "stopped during the search for a matching");
            goto done;
        }
        pm_run_progress(run, (double)*matched / (double)a->nrows, "matching");
        for (int64_t i = 0; i < a->nrows; ++i)
            if (col_of[i] < 0)
                *matched += augment(&s, (int32_t)i);
    }
done:
    free(s.layer);
    free(s.tried);
    free(s.list);
    return status;
}

pm_status pm_matching_maximum(const pm_matrix *a, const pm_run *run, int32_t *col_of,
                              int32_t *row_of, int64_t *rank, pm_error *err)
{
    int64_t matched = 0;
    memset(col_of, 0xff, (size_t)a->nrows * sizeof *col_of);
    memset(row_of, 0xff, (size_t)a->ncols * sizeof *row_of);
    if (pm_matrix_nnz(a) > 0) {
        pm_status status = begin(a, run, col_of, row_of, &matched, err);
        if (!status)
            status = hopcroft_karp(a, run, col_of, row_of, &matched, err);
        if (status)
            return status;
    }
    *rank = matched;
    return PM_OK;
}

bool pm_matching_exists(const pm_matrix *a, int64_t rank, pm_matching_kind kind)
{
    switch (kind) {
    case PM_MATCHING_PERFECT: return rank == a->nrows && rank == a->ncols;
    case PM_MATCHING_SATURATING: return rank == (a->nrows < a->ncols ? a->nrows : a->ncols);
    case PM_MATCHING_ROWS: return rank == a->nrows;
    case PM_MATCHING_COLUMNS: return rank == a->ncols;
    default: return true;
    }
}
