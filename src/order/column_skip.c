/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A term is zero as soon as one row sum is, and stays so until a column of that row flips.  So a
 * row whose columns all come late in the order, where flips are rare, makes long jumps.  Rows are
 * completed from the last column downwards, always the one that lacks fewest columns, and among
 * those the one whose columns bring most others nearer to completion.  Rows come in the order in
 * which they are completed. */
#include "config.h"

#include "order/columns.h"

static uint64_t row_mask(const pm_pattern *a, int32_t i)
{
    uint64_t mask = 0;
    for (int32_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        mask |= UINT64_C(1) << a->colind[k];
    return mask;
}

/* Entries of the free columns in `columns`, less those of rows that are done with. */
static int32_t weight(const pm_pattern *a, uint64_t columns, uint64_t done)
{
    int32_t sum = 0;
    for (; columns; columns &= columns - 1) {
        int32_t j = __builtin_ctzll(columns);
        for (int32_t k = a->colptr[j]; k < a->colptr[j + 1]; ++k)
            sum += !(done >> a->rowind[k] & 1);
    }
    return sum;
}

static int32_t next_row(const pm_pattern *a, uint64_t free, uint64_t done)
{
    int32_t best = -1, best_lacks = 0, best_weight = 0;
    for (int32_t i = 0; i < a->n; ++i) {
        if (done >> i & 1)
            continue;
        uint64_t lacking = row_mask(a, i) & free;
        int32_t lacks = __builtin_popcountll(lacking), w = weight(a, lacking, done);
        if (best < 0 || lacks < best_lacks || (lacks == best_lacks && w > best_weight)) {
            best = i;
            best_lacks = lacks;
            best_weight = w;
        }
    }
    return best;
}

void pm_order_skip(const pm_pattern *a, pm_column_order *out)
{
    uint64_t free = a->n == 64 ? UINT64_MAX : (UINT64_C(1) << a->n) - 1, done = 0;
    int32_t last = a->n;
    for (int32_t count = 0; count < a->n; ++count) {
        int32_t i = next_row(a, free, done);
        out->rows[count] = i;
        done |= UINT64_C(1) << i;
        for (uint64_t lacking = row_mask(a, i) & free; lacking; lacking &= lacking - 1) {
            /* the column of most other rows first: it stays longest */
            uint64_t best = 0;
            int32_t most = -1;
            for (uint64_t left = row_mask(a, i) & free; left; left &= left - 1) {
                uint64_t bit = left & (0 - left);
                int32_t w = weight(a, bit, done);
                if (w > most) {
                    most = w;
                    best = bit;
                }
            }
            out->cols[--last] = __builtin_ctzll(best);
            free &= ~best;
        }
    }
    while (free) { /* columns without entries */
        out->cols[--last] = __builtin_ctzll(free);
        free &= free - 1;
    }
}
