/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch/node_buffer.h: the nodes of items, stored in memory, so that the items can be answered while
 * the input is read further, and answered again. */
#ifndef PM_NODE_BUFFER_H
#define PM_NODE_BUFFER_H

#include "pm/expression.h"

/* Zeroed, it is empty. */
typedef struct {
    pm_node *node;
    int64_t count, ready, cap; /* nodes in use; initialised, count <= ready; allocated */
    const char *name;          /* of the source */
} pm_node_buffer;

/* Appends the nodes of the next item, up to the one with which they take more than most_bytes.  At
 * the end of the sequence it appends none.
 * *bytes: about what the nodes of the item take.
 * *is_whole: all nodes of the item have been read.
 * Fails: what the source fails with; PM_ENOMEM; then no node is appended. */
pm_status pm_node_buffer_read(pm_node_buffer *b, const pm_node_source *source, int64_t most_bytes,
                              int64_t *bytes, bool *is_whole, pm_error *err);
/* Moves the nodes from index `first` on to *out, which is empty.  Fails: PM_ENOMEM. */
pm_status pm_node_buffer_split(pm_node_buffer *b, int64_t first, pm_node_buffer *out,
                               pm_error *err);
/* Removes the nodes from index `first` on, and frees what they hold. */
void pm_node_buffer_cut(pm_node_buffer *b, int64_t first);
/* Leaves an empty buffer. */
void pm_node_buffer_free(pm_node_buffer *b);

/* Gives the nodes from index `next` to `end` - 1, then those of `rest`, or PM_NODE_END if that is
 * NULL. */
typedef struct {
    pm_node_buffer *buffer;
    int64_t next, end;
    bool copies; /* the buffer keeps its nodes; otherwise they are moved out */
    const pm_node_source *rest;
} pm_node_replay;
pm_node_source pm_node_replay_source(pm_node_replay *replay);

#endif
