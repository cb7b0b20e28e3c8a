/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a row by the first matching to a column, from there by the second one to a row: a permutation of the rows,
 * and the loops are its cycles of two rows and more. */
#include "config.h"

#include "picture/loops.h"

#include <stdlib.h>

#include "pm/alloc.h"

pm_status pm_loops_find(int64_t n, const int32_t *first, const int32_t *second, pm_loops *out,
                        pm_error *err)
{
    pm_loops l = {.of = pm_alloc_array(n, sizeof *l.of)};
    int32_t *row_of = pm_alloc_array(n, sizeof *row_of);
    if (!l.of || !row_of) {
        free(l.of);
        free(row_of);
        return pm_fail_memory(err, "loops");
    }
    for (int64_t i = 0; i < n; ++i) {
        l.of[i] = -1;
        row_of[second[i]] = (int32_t)i;
    }
    for (int64_t i = 0; i < n; ++i) {
        const bool is_double = first[i] == second[i];
        const bool is_new = !is_double && l.of[i] < 0;
        for (int64_t row = i; is_new && l.of[row] < 0; row = row_of[first[row]])
            l.of[row] = (int32_t)l.count;
        l.count += is_new;
        l.double_edges += is_double;
    }
    free(row_of);
    *out = l;
    return PM_OK;
}

void pm_loops_free(pm_loops *l)
{
    free(l->of);
    *l = (pm_loops){0};
}
