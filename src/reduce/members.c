/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "reduce/members.h"

#include "pm/alloc.h"

pm_status pm_members_sort(const int32_t *label, int64_t n, int64_t count, int32_t *member,
                          int64_t **start, pm_error *err)
{
    int64_t *at = *start = pm_calloc_array(count + 2, sizeof *at);
    if (!at)
        return pm_fail_memory(err, "the blocks left by reductions");
    for (int64_t v = 0; v < n; ++v)
        if (label[v] >= 0)
            ++at[label[v] + 2];
    for (int64_t b = 1; b <= count; ++b)
        at[b + 1] += at[b];
    for (int64_t v = 0; v < n; ++v)
        if (label[v] >= 0)
            member[at[label[v] + 1]++] = (int32_t)v;
    return PM_OK;
}
