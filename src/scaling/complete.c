/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "scaling/complete.h"

#include <string.h>

#include "core/vectorised.h"
#include "sampler/sampler.h"

typedef struct {
    int rows;
    uint32_t columns[PM_COMPLETE_MAX]; /* of each row, as a set */
    double *entry;                     /* [rows][rows]; NULL: all are 1 */
    /* [2^rows]: permanent[S] is that of the first |S| rows and the columns in the set S */
    double *permanent;
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
            int32_t column = x->row.neighbour[k], j = x->column.position[column];
            p->columns[i] |= UINT32_C(1) << j;
            if (p->entry)
                p->entry[i * p->rows + j] =
                    x->row.scale[row] * x->row.value[k] * x->column.scale[column];
        }
    }
}

static PM_VECTORISED double permanent_of_ones(const problem *p)
{
    uint32_t sets = UINT32_C(1) << p->rows;
    double *permanent = p->permanent;
    permanent[0] = 1;
    for (uint32_t s = 1; s < sets; ++s) {
        double sum = 0;
        for (uint32_t rest = s & p->columns[__builtin_popcount(s) - 1]; rest; rest &= rest - 1)
            sum += permanent[s ^ (rest & (0 - rest))];
        permanent[s] = sum;
    }
    return permanent[sets - 1];
}

static PM_VECTORISED double permanent_of_entries(const problem *p)
{
    uint32_t sets = UINT32_C(1) << p->rows;
    double *permanent = p->permanent;
    permanent[0] = 1;
    for (uint32_t s = 1; s < sets; ++s) {
        int row = __builtin_popcount(s) - 1;
        const double *entry = p->entry + row * p->rows;
        double sum = 0;
        for (uint32_t rest = s & p->columns[row]; rest; rest &= rest - 1)
            sum += entry[__builtin_ctz(rest)] * permanent[s ^ (rest & (0 - rest))];
        permanent[s] = sum;
    }
    return permanent[sets - 1];
}

double pm_complete(const pm_remainder *x, void *memory)
{
    problem p = {.rows = x->left, .permanent = memory};
    if (x->row.value)
        p.entry = p.permanent + ((size_t)1 << p.rows);
    read_rows(x, &p);
    return p.entry ? permanent_of_entries(&p) : permanent_of_ones(&p);
}
