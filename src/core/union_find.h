/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/union_find.h: disjoint sets of vertices.  up[v] is the parent of v in the tree of its set;
 * up[v] = v at the root. */
#ifndef PM_UNION_FIND_H
#define PM_UNION_FIND_H

#include <stdint.h>

/* The root of the set of v.  Shortens the paths in up. */
static inline int32_t pm_union_root(int32_t *up, int32_t v)
{
    while (up[v] != v)
        v = up[v] = up[up[v]];
    return v;
}

#endif
