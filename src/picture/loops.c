/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The edges of two perfect matchings form cycles in which they alternate, and edges of both. */
#include "config.h"

#include "picture/loops.h"

#include <stdlib.h>

#include "pm/alloc.h"

/* mate[v]: the vertex that v is matched to; columns come after the rows. */
static void find_mates(int64_t n, int64_t first_column, const int32_t *partner, int32_t *mate)
{
    for (int64_t i = 0; i < n; ++i)
        if (partner[i] >= 0) {
            mate[i] = (int32_t)first_column + partner[i];
            mate[mate[i]] = (int32_t)i;
        }
}

pm_status pm_loops_find(int64_t n, bool one_set, const int32_t *first, const int32_t *second,
                        pm_loops *out, pm_error *err)
{
    const int64_t vertices = one_set ? n : 2 * n, first_column = one_set ? 0 : n;
    pm_loops l = {.of = pm_alloc_array(vertices, sizeof *l.of)};
    int32_t *a = pm_alloc_array(vertices, sizeof *a), *b = pm_alloc_array(vertices, sizeof *b);
    const bool done = l.of && a && b;
    if (done) {
        find_mates(n, first_column, first, a);
        find_mates(n, first_column, second, b);
    }
    for (int64_t v = 0; v < vertices && done; ++v)
        l.of[v] = -1;
    for (int64_t v = 0; v < vertices && done; ++v) {
        const bool is_double = a[v] == b[v], is_new = !is_double && l.of[v] < 0;
        for (int64_t w = v; is_new && l.of[w] < 0; w = b[a[w]])
            l.of[w] = l.of[a[w]] = (int32_t)l.count;
        l.count += is_new;
        l.double_edges += is_double && v < a[v];
    }
    free(a);
    free(b);
    if (!done) {
        free(l.of);
        return pm_fail_memory(err, "loops");
    }
    *out = l;
    return PM_OK;
}

void pm_loops_free(pm_loops *l)
{
    free(l->of);
    *l = (pm_loops){0};
}
