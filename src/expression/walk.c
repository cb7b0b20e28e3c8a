/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/expression.h"

pm_walk pm_walk_make(const pm_visitor *visitor, void *context)
{
    return (pm_walk){visitor, context, {.frame_size = visitor->frame_size}};
}

static void close_group(pm_walk *walk)
{
    if (walk->visitor->free_frame)
        walk->visitor->free_frame(pm_groups_innermost(&walk->groups));
    pm_groups_close(&walk->groups);
}

void pm_walk_free(pm_walk *walk)
{
    while (walk->groups.depth > 0)
        close_group(walk);
    pm_groups_free(&walk->groups);
}

/* ---- one node ---- */

static pm_status check_nesting(const pm_walk *walk, pm_node_kind kind, pm_error *err)
{
    switch (pm_groups_check(&walk->groups, kind)) {
    case PM_NESTING_TOO_DEEP:
        return pm_fail(err, PM_UNABLE, "expected groups at most %d deep", (int)PM_DEPTH_MAX);
    case PM_NESTING_NOT_OPEN: return pm_fail_internal(err, "a group ends that did not begin");
    case PM_NESTING_NOT_CLOSED: return pm_fail_internal(err, "a group has no end");
    case PM_NESTING_GOOD: break;
    }
    return PM_OK;
}

static pm_status visit(pm_visit *function, const pm_walk *walk, pm_position at, pm_node *node,
                       pm_error *err)
{
    return function ? function(walk->context, &at, node, err) : PM_OK;
}

/* The frame of the group around the innermost one; NULL when there is none. */
static void *around_innermost(const pm_groups *groups)
{
    const pm_groups outer = {groups->frame_size, groups->depth - 1, groups->cap, groups->frames};
    return pm_groups_innermost(&outer);
}

static pm_status enter(pm_walk *walk, pm_node *node, pm_error *err)
{
    pm_groups *groups = &walk->groups;
    pm_status status = pm_groups_open(groups, err);
    if (status)
        return status;
    const pm_position at = {pm_groups_innermost(groups), around_innermost(groups),
                            groups->depth - 1};
    status = visit(walk->visitor->enter, walk, at, node, err);
    if (status)
        pm_groups_close(groups);
    return status;
}

static pm_status leaf(pm_walk *walk, pm_node *node, pm_error *err)
{
    const pm_position at = {NULL, pm_groups_innermost(&walk->groups), walk->groups.depth};
    return visit(walk->visitor->leaf, walk, at, node, err);
}

static pm_status leave(pm_walk *walk, pm_node *node, pm_error *err)
{
    const pm_position at = {pm_groups_innermost(&walk->groups), around_innermost(&walk->groups),
                            walk->groups.depth - 1};
    pm_status status = visit(walk->visitor->leave, walk, at, node, err);
    close_group(walk);
    return status;
}

pm_status pm_walk_put(pm_walk *walk, pm_node *node, pm_error *err)
{
    const pm_visitor *visitor = walk->visitor;
    pm_status status = check_nesting(walk, node->kind, err);
    if (status || node->kind == PM_NODE_END)
        return status;
    if (walk->groups.depth == 0 && visitor->begin_item)
        status = visitor->begin_item(walk->context, node, err);
    if (status)
        return status;
    if (pm_node_opens_group(node))
        return enter(walk, node, err);
    status = node->kind == PM_NODE_CLOSE ? leave(walk, node, err) : leaf(walk, node, err);
    if (!status && walk->groups.depth == 0 && visitor->end_item)
        status = visitor->end_item(walk->context, err);
    return status;
}

/* ---- items ---- */

pm_status pm_walk_item(const pm_node_source *source, const pm_visitor *visitor, void *context,
                       const pm_run *run, bool *got, pm_error *err)
{
    pm_walk walk = pm_walk_make(visitor, context);
    pm_node node;
    pm_status status;
    pm_node_init(&node);
    do {
        status = source->next(source->context, &node, err);
        if (!status && pm_run_stopped(run))
            status = PM_ESTOPPED;
        if (!status)
            status = pm_walk_put(&walk, &node, err);
    } while (!status && walk.groups.depth > 0);
    *got = !status && node.kind != PM_NODE_END;
    pm_node_clear(&node);
    pm_walk_free(&walk);
    return status;
}

pm_status pm_walk_all(const pm_node_source *source, const pm_visitor *visitor, void *context,
                      const pm_run *run, pm_error *err)
{
    bool got;
    pm_status status;
    do
        status = pm_walk_item(source, visitor, context, run, &got, err);
    while (!status && got);
    return status;
}
