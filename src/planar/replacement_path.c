/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/replacement_path.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

void pm_replacement_path_close(pm_replacement_path *d)
{
    free(d->start);
    free(d->entry);
    free(d->row);
    free(d->distance);
    free(d->queue);
    *d = (pm_replacement_path){0};
}

static int32_t end_of(const pm_replacement_path *d, int32_t k, int column)
{
    return column ? pm_drawn_end(d->graph, k) : d->row[k];
}

static void list_entries(pm_replacement_path *d)
{
    const pm_matrix *a = d->graph->a;
    int64_t vertices = pm_drawn_vertices(d->graph);
    int32_t nnz = (int32_t)pm_matrix_nnz(a);
    for (int32_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            d->row[k] = i;
    for (int32_t k = 0; k < nnz; ++k)
        for (int column = 0; column < 2; ++column)
            ++d->start[end_of(d, k, column) + 1];
    for (int64_t v = 0; v < vertices; ++v)
        d->start[v + 1] += d->start[v];
    for (int32_t k = nnz - 1; k >= 0; --k)
        for (int column = 0; column < 2; ++column)
            d->entry[--d->start[end_of(d, k, column) + 1]] = k;
    /* the entries of v now begin at start[v + 1]: move all starts down by one */
    memmove(d->start, d->start + 1, (size_t)vertices * sizeof *d->start);
    d->start[vertices] = 2 * (int64_t)nnz;
}

pm_status pm_replacement_path_open(const pm_drawn_graph *graph, pm_replacement_path *out,
                                   pm_error *err)
{
    int64_t vertices = pm_drawn_vertices(graph), nnz = pm_matrix_nnz(graph->a);
    pm_replacement_path d = {.graph = graph};
    d.start = pm_calloc_array(vertices + 1, sizeof *d.start);
    d.entry = pm_alloc_array(2 * nnz, sizeof *d.entry);
    d.row = pm_alloc_array(nnz, sizeof *d.row);
    d.distance = pm_alloc_array(vertices, sizeof *d.distance);
    d.queue = pm_alloc_array(vertices, sizeof *d.queue);
    if (!d.start || !d.entry || !d.row || !d.distance || !d.queue) {
        pm_replacement_path_close(&d);
        return pm_fail_memory(err, "detours");
    }
    list_entries(&d);
    memset(d.distance, 0xff, (size_t)vertices * sizeof *d.distance);
    *out = d;
    return PM_OK;
}

int32_t pm_replacement_path_length(pm_replacement_path *d, const uint8_t *deleted, int32_t k)
{
    int32_t from = end_of(d, k, 0), to = end_of(d, k, 1), length = INT32_MAX;
    int64_t head = 0, tail = 0;
    d->distance[from] = 0;
    d->queue[tail++] = from;
    while (head < tail && tail < PM_REPLACEMENT_PATH_VERTICES && length == INT32_MAX) {
        int32_t v = d->queue[head++];
        for (int64_t x = d->start[v]; x < d->start[v + 1]; ++x) {
            int32_t other = end_of(d, d->entry[x], d->row[d->entry[x]] == v);
            if (d->entry[x] == k || deleted[d->entry[x]] || d->distance[other] >= 0)
                continue;
            d->distance[other] = d->distance[v] + 1;
            d->queue[tail++] = other;
            if (other == to)
                length = d->distance[to];
        }
    }
    d->least = length < INT32_MAX ? length : head < tail ? d->distance[d->queue[head]] + 1 : 1;
    d->visited = tail;
    while (tail > 0)
        d->distance[d->queue[--tail]] = -1;
    return length;
}
