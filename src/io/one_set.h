/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/one_set.h: does a matrix look like the edges of a graph with one set of vertices?
 *
 * Row i and column j are twins when they have the same label.  The edges of one set of vertices
 * never join twins, and the weights of both directions of an edge are equal.  Where these hold, the
 * matrix may be such a graph:
 *   labels are words, or integers with gaps or of different ranges: as soon as there are twins;
 *   labels are 1..n (or 0..n-1) on both sides, which sides of a matrix have too: only when no edge,
 *     or every edge, is there in both directions.
 * doc/measurements.md has the figures on which this rule rests. */
#ifndef PM_ONE_SET_H
#define PM_ONE_SET_H

#include "io/label_map.h"
#include "io/source.h"
#include "pm/matrix.h"

/* The twins.  Zeroed: row i and column i are twins, and their labels are numbers from 1. */
typedef struct {
    int32_t *row_of, *col_of; /* of a column, of a row: its twin, or -1 */
    int64_t count;            /* pairs of twins */
    bool has_gaps;            /* labels are not 1..n, nor 0..n-1, on both sides */
    char label[PM_QUOTE];     /* of one pair, quoted */
} pm_twins;

/* Finds the twins of rows and columns with labels.  row_at, col_at: label number -> row or column.
 * *out: freed by the caller with pm_twins_free.  Fails: PM_ENOMEM. */
pm_status pm_twins_find(const pm_label_map *rows, const int32_t *row_at, const pm_label_map *cols,
                        const int32_t *col_at, pm_twins *out, pm_error *err);
void pm_twins_free(pm_twins *t);

/* What the entries say. */
typedef enum {
    PM_ONE_SET_NO,    /* an entry joins twins, or directions of an edge have different values */
    PM_ONE_SET_MIXED, /* some edges are there in both directions, some in one */
    PM_ONE_SET_ONCE,  /* no edge is there in both directions */
    PM_ONE_SET_TWICE  /* every edge is there in both directions; there is one */
} pm_one_set;

/* a: any size that t fits; square when t is zeroed.  ignore_values: as if a were a pattern.
 * Cost: O(m log d) for m entries, d of them in a row; less where the answer is found early. */
pm_one_set pm_one_set_look(const pm_matrix *a, const pm_twins *t, bool ignore_values);

/* The rule above. */
bool pm_one_set_is_likely(const pm_matrix *a, const pm_twins *t, bool ignore_values);

#endif
