/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/union_find.h: sets of vertices that grow together; up[v] leads towards the root of the set
 * of v, which is its own. */
#ifndef PM_UNION_FIND_H
#define PM_UNION_FIND_H

#include <stdint.h>

static inline int32_t pm_union_root(int32_t *up, int32_t v)
{
    while (up[v] != v)
        v = up[v] = up[up[v]];
    return v;
}

#endif
