/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "order/column_order.h"

#include <stdbool.h>
#include <stdlib.h>

#include "pm/alloc.h"

/* Breadth-first searches.  Vertices as in pm/matrix.h: rows, then columns. */
typedef struct {
    const pm_pattern *a;
    int64_t *queue;   /* vertices; while a part is sorted, degree * 2^32 + vertex */
    int64_t *mark;    /* of each vertex: number of the last search that reached it, or 0 */
    int64_t searches; /* so far */
} bfs;

typedef struct {
    const int32_t *end; /* of each edge: the row or column at its other end */
    int32_t count;
    int64_t offset; /* vertex number of row 0 or column 0 */
} neighbours;

static neighbours neighbours_of(const pm_pattern *a, int64_t v)
{
    bool is_row = v < a->n;
    const int32_t *ptr = is_row ? &a->rowptr[v] : &a->colptr[v - a->n];
    const int32_t *end = is_row ? a->colind : a->rowind;
    return (neighbours){end + ptr[0], ptr[1] - ptr[0], is_row ? a->n : 0};
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Append the neighbours of v that this search has not reached yet, by ascending degree.  Returns
 * the end of the queue. */
static int64_t visit(bfs *x, int64_t v, int64_t end)
{
    const int64_t low = INT64_C(0xffffffff);
    neighbours to = neighbours_of(x->a, v);
    int64_t first = end;
    for (int32_t k = 0; k < to.count; ++k) {
        int64_t u = to.end[k] + to.offset;
        if (x->mark[u] == x->searches)
            continue;
        x->mark[u] = x->searches;
        x->queue[end++] = (int64_t)neighbours_of(x->a, u).count << 32 | u;
    }
    if (end - first > 1)
        qsort(x->queue + first, (size_t)(end - first), sizeof *x->queue, ascending);
    for (int64_t k = first; k < end; ++k)
        x->queue[k] &= low;
    return end;
}

/* Write the component of v, breadth first, to the queue from index `first` on.  Returns its end.
 * *depth: the greatest distance from v; *last: index of the first vertex at that distance. */
static int64_t search(bfs *x, int64_t v, int64_t first, int64_t *depth, int64_t *last)
{
    int64_t end = first;
    ++x->searches;
    x->mark[v] = x->searches;
    x->queue[end++] = v;
    *depth = 0;
    *last = first;
    for (int64_t at = first, level_end = end; at < end; ++at) {
        if (at == level_end) {
            ++*depth;
            *last = at;
            level_end = end;
        }
        end = visit(x, x->queue[at], end);
    }
    return end;
}

/* The component of v from a pseudo-peripheral vertex: each search begins at a vertex of least
 * degree in the last level of the search before, until the depth grows no more. */
static int64_t search_from_end(bfs *x, int64_t v, int64_t first)
{
    int64_t depth, last, before = -1;
    int64_t end = search(x, v, first, &depth, &last);
    while (depth > before) {
        before = depth;
        int64_t best = x->queue[last];
        for (int64_t k = last; k < end; ++k)
            if (neighbours_of(x->a, x->queue[k]).count < neighbours_of(x->a, best).count)
                best = x->queue[k];
        search(x, best, first, &depth, &last);
    }
    return end;
}

pm_status pm_column_order_rcm(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err)
{
    int64_t nv = 2 * (int64_t)a->n, end = 0;
    bfs x = {.a = a};
    x.queue = pm_alloc_array(nv, sizeof *x.queue);
    x.mark = pm_calloc_array(nv, sizeof *x.mark);
    pm_status status = x.queue && x.mark ? PM_OK : pm_fail_memory(err, "an order");
    for (int64_t v = 0; v < nv && !status; ++v)
        if (!x.mark[v])
            end = search_from_end(&x, v, end);
    for (int64_t k = end - 1; k >= 0; --k) {
        int64_t v = x.queue[k];
        if (v < a->n)
            *rows++ = (int32_t)v;
        else
            *cols++ = (int32_t)(v - a->n);
    }
    free(x.queue);
    free(x.mark);
    return status;
}
