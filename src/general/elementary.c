/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "general/elementary.h"

#include <stdlib.h>

#include "general/allowed_edges.h"
#include "general/blossom.h"
#include "general/doubled.h"
#include "matrix/symmetric.h"
#include "pm/alloc.h"
#include "reduce/members.h"

#define NO_BOUND (INT64_MAX / 2) /* of the work */

/* ---- entries in no perfect matching ---- */

/* b: without loops.  is_marked: of each entry of b. */
static pm_status mark(const pm_matrix *b, const pm_run *run, bool *is_marked, bool *exists,
                      pm_error *err)
{
    int64_t size = 0, marked = 0;
    int32_t *partner = pm_alloc_array(b->nrows, sizeof *partner);
    pm_status status = partner ? pm_blossom_matching(b, run, partner, &size, err)
                               : pm_fail_memory(err, "a matching");
    *exists = !status && 2 * size == b->nrows;
    if (*exists)
        status = pm_allowed_edges_mark(b, partner, NO_BOUND, run, is_marked, &marked, NULL, err);
    free(partner);
    return status;
}

/* The marks of the first copy, whose rows have the entries of a in their order, but the loop last. */
static void take_first_copy(const pm_matrix *a, const pm_matrix *twice, const bool *of_twice,
                            bool *is_marked)
{
    for (int64_t v = 0; v < a->nrows; ++v) {
        int64_t next = twice->rowptr[v];
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            is_marked[k] = of_twice[a->colind[k] == v ? twice->rowptr[v + 1] - 1 : next++];
    }
}

static pm_status mark_with_loops(const pm_matrix *a, const pm_run *run, bool *is_marked,
                                 bool *exists, pm_error *err)
{
    pm_matrix twice = {0};
    pm_status status = pm_doubled_make(a, PM_DOUBLED_PATTERN, &twice, err);
    if (status)
        return status;
    bool *of_twice = pm_calloc_array(pm_matrix_nnz(&twice), sizeof *of_twice);
    status = of_twice ? mark(&twice, run, of_twice, exists, err)
                      : pm_fail_memory(err, "the edges of a graph");
    if (!status)
        take_first_copy(a, &twice, of_twice, is_marked);
    free(of_twice);
    pm_matrix_free(&twice);
    return status;
}

/* x->rest: a without the entries that are marked. */
static pm_status drop(pm_elementary *x, const pm_matrix *a, const bool *is_marked, pm_error *err)
{
    int64_t loops = 0, dropped = 0, dropped_loops = 0, at = 0;
    for (int64_t v = 0; v < a->nrows; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
            loops += a->colind[k] == v;
            dropped += is_marked[k];
            dropped_loops += is_marked[k] && a->colind[k] == v;
        }
    x->dropped = (dropped + dropped_loops) / 2;
    x->kept = (pm_matrix_nnz(a) + loops) / 2 - x->dropped;
    pm_status status =
        pm_matrix_alloc(&x->rest, a->field, a->nrows, a->ncols, pm_matrix_nnz(a) - dropped, err);
    for (int64_t v = 0; v < a->nrows && !status; ++v) {
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
            if (is_marked[k])
                continue;
            x->rest.colind[at] = a->colind[k];
            if (a->re)
                pm_dyadic_set(&x->rest.re[at], &a->re[k]);
            if (a->im)
                pm_dyadic_set(&x->rest.im[at], &a->im[k]);
            ++at;
        }
        x->rest.rowptr[v + 1] = at;
    }
    return status;
}

/* ---- parts ---- */

/* Labels and colours the component of root.  queue: room for every vertex. */
static void flood(const pm_matrix *a, int32_t root, int32_t component, int32_t *label,
                  bool *is_right, int32_t *queue)
{
    int64_t head = 0, tail = 0;
    label[root] = component;
    is_right[root] = false;
    queue[tail++] = root;
    while (head < tail) {
        const int32_t v = queue[head++];
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (label[a->colind[k]] < 0) {
                label[a->colind[k]] = component;
                is_right[a->colind[k]] = !is_right[v];
                queue[tail++] = a->colind[k];
            }
    }
}

static pm_status divide(pm_elementary *x, pm_error *err)
{
    int32_t *label = pm_alloc_array(x->n, sizeof *label);
    x->vertex = pm_alloc_array(x->n, sizeof *x->vertex);
    x->is_right = pm_alloc_array(x->n, sizeof *x->is_right);
    if (!label || !x->vertex || !x->is_right) {
        free(label);
        return pm_fail_memory(err, "the parts of a graph");
    }
    for (int64_t v = 0; v < x->n; ++v)
        label[v] = -1;
    for (int32_t v = 0; v < x->n; ++v)
        if (label[v] < 0)
            flood(&x->rest, v, (int32_t)x->count++, label, x->is_right, x->vertex);
    pm_status status = pm_members_sort(label, x->n, x->count, x->vertex, &x->start, err);
    free(label);
    return status;
}

pm_status pm_elementary_find(const pm_matrix *a, const pm_run *run, pm_elementary *out,
                             pm_error *err)
{
    pm_elementary x = {.n = a->nrows};
    bool *is_marked = pm_calloc_array(pm_matrix_nnz(a), sizeof *is_marked);
    pm_status status = !is_marked ? pm_fail_memory(err, "the edges of a graph")
                       : pm_matrix_has_diagonal(a)
                           ? mark_with_loops(a, run, is_marked, &x.exists, err)
                           : mark(a, run, is_marked, &x.exists, err);
    if (!status && x.exists)
        status = drop(&x, a, is_marked, err);
    if (!status && x.exists)
        status = divide(&x, err);
    free(is_marked);
    if (status)
        pm_elementary_free(&x);
    else
        *out = x;
    return status;
}

void pm_elementary_free(pm_elementary *x)
{
    free(x->vertex);
    free(x->start);
    free(x->is_right);
    pm_matrix_free(&x->rest);
    *x = (pm_elementary){0};
}

/* ---- one part ---- */

/* Without an odd cycle or a loop. */
static bool is_bipartite(const pm_elementary *x, const int32_t *list, int64_t size)
{
    const pm_matrix *a = &x->rest;
    for (int64_t i = 0; i < size; ++i)
        for (int64_t k = a->rowptr[list[i]]; k < a->rowptr[list[i] + 1]; ++k)
            if (x->is_right[a->colind[k]] == x->is_right[list[i]])
                return false;
    return true;
}

/* The vertices of the left side, then those of the right side, ascending in each.  Returns the number of the former. */
static int64_t list_sides(const pm_elementary *x, const int32_t *list, int64_t size, int32_t *sides)
{
    int64_t left = 0;
    for (int64_t i = 0; i < size; ++i)
        left += !x->is_right[list[i]];
    for (int64_t i = 0, l = 0, r = left; i < size; ++i)
        sides[x->is_right[list[i]] ? r++ : l++] = list[i];
    return left;
}

static pm_status take_labels(const pm_matrix *a, const int32_t *p, int64_t np, const int32_t *q,
                             int64_t nq, pm_matrix *out, pm_error *err)
{
    pm_status status = pm_labels_select_or_number(&a->row_labels, p, np, &out->row_labels, err);
    return status ? status
                  : pm_labels_select_or_number(&a->row_labels, q, nq, &out->col_labels, err);
}

pm_status pm_elementary_part(const pm_elementary *x, const pm_matrix *a, int64_t c, pm_matrix *out,
                             bool *general, pm_error *err)
{
    const int32_t *list = x->vertex + x->start[c];
    const int64_t size = x->start[c + 1] - x->start[c];
    pm_matrix b = {0};
    int32_t *sides = pm_alloc_array(size, sizeof *sides);
    if (!sides)
        return pm_fail_memory(err, "a part of a graph");
    *general = !is_bipartite(x, list, size);
    const int64_t left = *general ? size : list_sides(x, list, size, sides);
    const int32_t *p = *general ? list : sides, *q = *general ? list : sides + left;
    const int64_t nq = *general ? size : size - left;
    pm_status status = pm_matrix_select(&x->rest, p, left, q, nq, &b, err);
    if (!status)
        status = take_labels(a, p, left, q, nq, &b, err);
    if (status)
        pm_matrix_free(&b);
    else
        *out = b;
    free(sides);
    return status;
}
