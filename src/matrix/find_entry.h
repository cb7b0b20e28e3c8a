/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix/find_entry.h: the entry of a row in a column, by halving the row. */
#ifndef PM_FIND_ENTRY_H
#define PM_FIND_ENTRY_H

#include "pm/matrix.h"

/* The index of the entry of row i in column j; -1: there is none. */
static inline int64_t pm_matrix_find(const pm_matrix *a, int64_t i, int64_t j)
{
    int64_t low = a->rowptr[i], high = a->rowptr[i + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (a->colind[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->rowptr[i + 1] && a->colind[low] == j ? low : -1;
}

#endif
