/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "scaling/complete.h"

#include <string.h>

#include "core/vectorised.h"
#include "sampler/sampler.h"

typedef struct {
    int rows;
    uint32_t columns[PM_COMPLETE_MAX]; /* of each row, as a set */
    double *entry;                     /* rows x rows; NULL: 1 */
    double *ways; /* of the first |S| rows to have the columns S; 2^rows of them */
} problem;

size_t pm_complete_bytes(int rows)
{
    return ((size_t)1 << rows) * sizeof(double) + (size_t)(rows * rows) * sizeof(double);
}

static void read_rows(const pm_remainder *x, problem *p)
{
    for (int i = 0; i < p->rows; ++i) {
        int32_t row = x->row.line[i], start = x->row.start[row];
        p->columns[i] = 0;
        for (int32_t k = start; k < start + x->row.length[row]; ++k) {
            int32_t column = x->row.at[k], j = x->column.place[column];
            p->columns[i] |= UINT32_C(1) << j;
            if (p->entry)
                p->entry[i * p->rows + j] =
                    x->row.scale[row] * x->row.value[k] * x->column.scale[column];
        }
    }
}

static PM_VECTORISED double count_ones(const problem *p)
{
    uint32_t sets = UINT32_C(1) << p->rows;
    double *ways = p->ways;
    ways[0] = 1;
    for (uint32_t s = 1; s < sets; ++s) {
        double sum = 0;
        for (uint32_t rest = s & p->columns[__builtin_popcount(s) - 1]; rest; rest &= rest - 1)
            sum += ways[s ^ (rest & (0 - rest))];
        ways[s] = sum;
    }
    return ways[sets - 1];
}

static PM_VECTORISED double sum_weighted(const problem *p)
{
    uint32_t sets = UINT32_C(1) << p->rows;
    double *ways = p->ways;
    ways[0] = 1;
    for (uint32_t s = 1; s < sets; ++s) {
        int row = __builtin_popcount(s) - 1;
        const double *entry = p->entry + row * p->rows;
        double sum = 0;
        for (uint32_t rest = s & p->columns[row]; rest; rest &= rest - 1)
            sum += entry[__builtin_ctz(rest)] * ways[s ^ (rest & (0 - rest))];
        ways[s] = sum;
    }
    return ways[sets - 1];
}

double pm_complete(const pm_remainder *x, void *memory)
{
    problem p = {.rows = x->left, .ways = memory};
    if (x->row.value)
        p.entry = p.ways + ((size_t)1 << p.rows);
    read_rows(x, &p);
    return p.entry ? sum_weighted(&p) : count_ones(&p);
}
