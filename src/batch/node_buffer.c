/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch/node_buffer.h"

#include <stdlib.h>

#include "pm/alloc.h"

/* About what a node takes besides its struct. */
static int64_t bytes_of(const pm_node *node)
{
    const pm_matrix *a = &node->matrix;
    int64_t nnz = pm_matrix_nnz(a), values = (a->re != NULL) + (a->im != NULL);
    return (int64_t)sizeof *node + 8 * a->nrows + nnz * (4 + values * (int64_t)sizeof *a->re)
           + 24 * (a->row_labels.count + a->col_labels.count) + 4 * node->order_len
           + (node->loops.rowptr ? a->nrows * (12 + values * (int64_t)sizeof *a->re) : 0)
           + (node->row_times ? 8 * a->nrows : 0) + (node->col_times ? 8 * a->ncols : 0);
}

/* An initialised node at index count, which does not count yet; NULL when memory ends. */
static pm_node *place(pm_node_buffer *b)
{
    if (b->count == b->ready) {
        if (PM_GROW(b->node, b->cap, b->count + 1))
            return NULL;
        pm_node_init(&b->node[b->ready++]);
    }
    return &b->node[b->count];
}

pm_status pm_node_buffer_read(pm_node_buffer *b, const pm_node_source *source, int64_t most_bytes,
                              int64_t *bytes, bool *is_whole, pm_error *err)
{
    int64_t first = b->count, depth = 0;
    b->name = source->name;
    *bytes = 0;
    do {
        pm_node *node = place(b);
        pm_status status =
            node ? source->next(source->context, node, err) : pm_fail_memory(err, "an item");
        if (status) {
            pm_node_buffer_cut(b, first);
            return status;
        }
        if (node->kind == PM_NODE_END)
            break;
        ++b->count;
        *bytes += bytes_of(node);
        depth += pm_node_opens_group(node) - (node->kind == PM_NODE_CLOSE);
    } while (depth > 0 && *bytes <= most_bytes);
    *is_whole = depth == 0;
    return PM_OK;
}

static void swap(pm_node *a, pm_node *b)
{
    pm_node kept = *a;
    *a = *b;
    *b = kept;
}

pm_status pm_node_buffer_split(pm_node_buffer *b, int64_t first, pm_node_buffer *out, pm_error *err)
{
    *out = (pm_node_buffer){.name = b->name};
    for (int64_t i = first; i < b->count; ++i, ++out->count) {
        pm_node *node = place(out);
        if (!node) {
            pm_node_buffer_free(out);
            return pm_fail_memory(err, "an item");
        }
        swap(node, &b->node[i]);
    }
    pm_node_buffer_cut(b, first);
    return PM_OK;
}

void pm_node_buffer_cut(pm_node_buffer *b, int64_t first)
{
    while (b->count > first)
        pm_node_reset(&b->node[--b->count]);
}

void pm_node_buffer_free(pm_node_buffer *b)
{
    for (int64_t i = 0; i < b->ready; ++i)
        pm_node_clear(&b->node[i]);
    free(b->node);
    *b = (pm_node_buffer){0};
}

/* ---- playing ---- */

static pm_status next(void *context, pm_node *out, pm_error *err)
{
    pm_node_replay *replay = context;
    if (replay->next == replay->end && replay->rest)
        return replay->rest->next(replay->rest->context, out, err);
    pm_node_reset(out);
    if (replay->next == replay->end)
        return PM_OK;
    pm_node *node = &replay->buffer->node[replay->next++];
    if (replay->copies)
        return pm_node_copy(node, out, err);
    swap(node, out);
    return PM_OK;
}

pm_node_source pm_node_replay_source(pm_node_replay *replay)
{
    return (pm_node_source){next, replay, replay->buffer->name};
}
