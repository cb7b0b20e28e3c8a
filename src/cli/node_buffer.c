/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/node_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

/* About what a node takes besides its struct. */
static int64_t bytes_of(const pm_node *node)
{
    const pm_matrix *a = &node->matrix;
    int64_t nnz = pm_matrix_nnz(a), values = (a->re != NULL) + (a->im != NULL);
    return (int64_t)sizeof *node + 8 * a->nrows + nnz * (4 + values * (int64_t)sizeof *a->re)
           + 24 * (a->row_labels.count + a->col_labels.count) + 4 * node->order_len
           + (node->row_times ? 8 * a->nrows : 0) + (node->col_times ? 8 * a->ncols : 0);
}

pm_status pm_node_buffer_read(const pm_node_source *source, int64_t most_bytes, pm_node_buffer *out,
                              pm_error *err)
{
    *out = (pm_node_buffer){.name = source->name};
    int64_t depth = 0;
    do {
        if (PM_GROW(out->node, out->cap, out->count + 1))
            return pm_fail_memory(err, "an item");
        pm_node *node = &out->node[out->count];
        pm_node_init(node);
        pm_status status = source->next(source->context, node, err);
        if (status || node->kind == PM_NODE_END) {
            pm_node_clear(node);
            return status;
        }
        ++out->count;
        out->bytes += bytes_of(node);
        depth += pm_node_opens_group(node) - (node->kind == PM_NODE_CLOSE);
    } while (depth > 0 && out->bytes <= most_bytes);
    out->is_whole = depth == 0 && out->bytes <= most_bytes;
    return PM_OK;
}

void pm_node_buffer_free(pm_node_buffer *t)
{
    for (int64_t i = 0; i < t->count; ++i)
        pm_node_clear(&t->node[i]);
    free(t->node);
    *t = (pm_node_buffer){0};
}

/* ---- playing ---- */

static pm_status next(void *context, pm_node *out, pm_error *err)
{
    pm_node_replay *replay = context;
    pm_node_buffer *t = replay->buffer;
    if (replay->next == t->count && replay->rest)
        return replay->rest->next(replay->rest->context, out, err);
    pm_node_reset(out);
    if (replay->next == t->count)
        return PM_OK;
    pm_node *node = &t->node[replay->next++];
    if (replay->copies)
        return pm_node_copy(node, out, err);
    pm_node moved = *node;
    *node = *out;
    *out = moved;
    return PM_OK;
}

pm_node_source pm_node_replay_source(pm_node_replay *replay)
{
    return (pm_node_source){next, replay, replay->buffer->name};
}
