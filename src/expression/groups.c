/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "pm/expression.h"

pm_nesting pm_groups_check(const pm_groups *groups, pm_node_kind kind)
{
    switch (kind) {
    case PM_NODE_PRODUCT:
    case PM_NODE_SUM: return groups->depth < PM_DEPTH_MAX ? PM_NESTING_GOOD : PM_NESTING_TOO_DEEP;
    case PM_NODE_CLOSE: return groups->depth > 0 ? PM_NESTING_GOOD : PM_NESTING_NOT_OPEN;
    case PM_NODE_END: return groups->depth == 0 ? PM_NESTING_GOOD : PM_NESTING_NOT_CLOSED;
    case PM_NODE_MATRIX:
    case PM_NODE_NUMBER: break;
    }
    return PM_NESTING_GOOD;
}

static void *frame_at(const pm_groups *groups, int64_t k)
{
    return groups->frames + (size_t)k * groups->frame_size;
}

pm_status pm_groups_open(pm_groups *groups, pm_error *err)
{
    if (groups->frame_size > 0
        && pm_grow_array((void **)&groups->frames, &groups->cap, groups->depth + 1,
                         groups->frame_size))
        return pm_fail_memory(err, "groups");
    if (groups->frame_size > 0)
        memset(frame_at(groups, groups->depth), 0, groups->frame_size);
    ++groups->depth;
    return PM_OK;
}

void pm_groups_close(pm_groups *groups)
{
    assert(groups->depth > 0);
    --groups->depth;
}

void *pm_groups_innermost(const pm_groups *groups)
{
    return groups->depth > 0 && groups->frame_size > 0 ? frame_at(groups, groups->depth - 1) : NULL;
}

void pm_groups_free(pm_groups *groups)
{
    free(groups->frames);
    *groups = (pm_groups){.frame_size = groups->frame_size};
}
