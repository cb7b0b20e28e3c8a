/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/node_buffer.h: the nodes of one item, stored in memory, so that the item can be answered while
 * the input is read further, and answered again. */
#ifndef PM_NODE_BUFFER_H
#define PM_NODE_BUFFER_H

#include "pm/expression.h"

typedef struct {
    pm_node *node;
    int64_t count, cap;
    int64_t bytes; /* about what the nodes take */
    const char *name;
    bool is_whole; /* false: there are further nodes of the item in the source */
} pm_node_buffer;

/* Reads the nodes of the next item, up to the one with which they take more than most_bytes.
 * *out: no nodes at the end of the sequence.  The caller frees it, also after a failure.
 * Fails: what the source fails with; PM_ENOMEM. */
pm_status pm_node_buffer_read(const pm_node_source *source, int64_t most_bytes, pm_node_buffer *out,
                              pm_error *err);
void pm_node_buffer_free(pm_node_buffer *t);

/* Gives the nodes of a buffer, then those of `rest`, or PM_NODE_END if that is NULL. */
typedef struct {
    pm_node_buffer *buffer;
    int64_t next;
    bool copies; /* the buffer keeps its nodes; otherwise they are moved out */
    const pm_node_source *rest;
} pm_node_replay;
pm_node_source pm_node_replay_source(pm_node_replay *replay);

#endif
