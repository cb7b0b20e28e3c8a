/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A maximum matching by phases.  A path from an unmatched row to an unmatched column that takes
 * edges outside and inside the matching by turns makes it larger, when its edges change sides.  A
 * phase puts the rows on such paths into layers, then follows paths from layer to layer.  When no
 * unmatched column is reached, the matching is maximum (Berge 1957).  Source: Hopcroft and Karp
 * 1973. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reference/textbook.h"

/* layer[i]: edges of the matching on a shortest path to row i, 0 for unmatched rows; -1: not
 * reached. True when an unmatched column is reached.  Layers are found one after the other. */
static bool find_layers(const pm_matrix *a, const int32_t *col_of, const int32_t *row_of,
                        int *layer)
{
    bool is_reached = false;
    for (int64_t i = 0; i < a->nrows; ++i)
        layer[i] = col_of[i] < 0 ? 0 : -1;
    for (int at = 0; at <= a->nrows; ++at)
        for (int64_t i = 0; i < a->nrows; ++i)
            for (int64_t k = a->rowptr[i]; layer[i] == at && k < a->rowptr[i + 1]; ++k) {
                int32_t next = row_of[a->colind[k]];
                is_reached = is_reached || next < 0;
                if (next >= 0 && layer[next] < 0)
                    layer[next] = at + 1;
            }
    return is_reached;
}

/* Matches row i along a path, if there is one; a row without a path is not tried again. */
static bool augment(const pm_matrix *a, int64_t i, int32_t *col_of, int32_t *row_of, int *layer)
{
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        int32_t j = a->colind[k], next = row_of[j];
        bool is_deeper = next >= 0 && layer[next] == layer[i] + 1;
        if (next < 0 || (is_deeper && augment(a, next, col_of, row_of, layer))) {
            col_of[i] = j;
            row_of[j] = (int32_t)i;
            return true;
        }
    }
    layer[i] = -1;
    return false;
}

int64_t textbook_hopcroft_karp(const pm_matrix *a, int32_t *col_of, int32_t *row_of)
{
    int *layer = malloc(((size_t)a->nrows + 1) * sizeof *layer);
    int64_t size = 0;
    memset(col_of, -1, (size_t)a->nrows * sizeof *col_of);
    memset(row_of, -1, (size_t)a->ncols * sizeof *row_of);
    while (find_layers(a, col_of, row_of, layer))
        for (int64_t i = 0; i < a->nrows; ++i)
            size += col_of[i] < 0 && augment(a, i, col_of, row_of, layer);
    free(layer);
    return size;
}
