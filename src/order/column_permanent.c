/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdbool.h>

#include "order/columns.h"

enum { TAKEN = INT32_MAX };

static int32_t least(const int32_t *degree, int32_t n)
{
    int32_t best = 0;
    for (int32_t j = 1; j < n; ++j)
        if (degree[j] < degree[best])
            best = j;
    return best;
}

void pm_order_permanent(const pm_pattern *a, pm_column_order *out)
{
    int32_t degree[64] = {0}, nrows = 0; /* of columns: entries in rows that have no place yet */
    bool placed[64] = {false};
    for (int32_t j = 0; j < a->n; ++j)
        degree[j] = a->colptr[j + 1] - a->colptr[j];
    for (int32_t k = 0; k < a->n; ++k) {
        int32_t col = out->cols[k] = least(degree, a->n);
        degree[col] = TAKEN;
        for (int32_t e = a->colptr[col]; e < a->colptr[col + 1]; ++e) {
            int32_t row = a->rowind[e];
            if (placed[row])
                continue;
            placed[row] = true;
            out->rows[nrows++] = row;
            for (int32_t f = a->rowptr[row]; f < a->rowptr[row + 1]; ++f)
                if (degree[a->colind[f]] != TAKEN)
                    --degree[a->colind[f]];
        }
    }
    for (int32_t i = 0; i < a->n; ++i)
        if (!placed[i])
            out->rows[nrows++] = i;
}
