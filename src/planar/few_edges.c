/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/few_edges.h"

static int32_t row_of(const pm_matrix *a, int32_t entry)
{
    int64_t low = 0, high = a->nrows; /* it stands in rows low .. high - 1 */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (a->rowptr[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    return (int32_t)low;
}

void pm_few_edges_set(const pm_matrix *a, const int32_t *entry, int32_t count, pm_few_edges *out)
{
    out->count = count;
    for (int32_t e = 0; e < count; ++e) {
        out->row[e] = row_of(a, entry[e]);
        out->col[e] = a->colind[entry[e]];
    }
    for (int32_t e = 0; e < count; ++e) {
        out->clash[e] = 0;
        for (int32_t f = 0; f < count; ++f)
            if (f != e && (out->row[e] == out->row[f] || out->col[e] == out->col[f]))
                out->clash[e] |= UINT64_C(1) << f;
    }
}

int64_t pm_few_edges_matchings(const pm_few_edges *x, int64_t most, uint64_t *taken)
{
    /* those that are still to be decided on, and those taken so far */
    uint64_t left[PM_FEW_EDGES_MOST + 2], with[PM_FEW_EDGES_MOST + 2];
    int64_t found = 0;
    int top = 1;
    left[0] = x->count < 64 ? (UINT64_C(1) << x->count) - 1 : UINT64_MAX;
    with[0] = 0;
    while (top > 0 && found <= most) {
        uint64_t l = left[--top], w = with[top];
        int e = 0;
        if (l == 0) {
            if (taken && found < most)
                taken[found] = w;
            ++found;
            continue;
        }
        while (!(l >> e & 1))
            ++e;
        uint64_t bit = UINT64_C(1) << e;
        left[top] = l & ~bit & ~x->clash[e];
        with[top++] = w | bit;
        left[top] = l & ~bit;
        with[top++] = w;
    }
    return found;
}
