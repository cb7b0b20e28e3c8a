/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/one_set.h: does a matrix look like the edges of a graph with one set of vertices?
 *
 * A label is shared when a row and a column have it.  The edges of one set of vertices never join a
 * row and a column of the same label, and the weights of both directions of an edge are equal.  Where
 * these hold, the matrix may be such a graph:
 *   labels are words, or integers with gaps or of different ranges: as soon as a label is shared;
 *   labels are 1..n (or 0..n-1) on both sides, which sides of a matrix have too: only when no edge,
 *     or every edge, is there in both directions.
 * doc/measurements.md has the figures on which this rule rests. */
#ifndef PM_ONE_SET_H
#define PM_ONE_SET_H

#include "edges/integer_set.h"
#include "edges/label_map.h"
#include "io/formats.h"
#include "pm/matrix.h"
#include "text/source.h"

/* The labels that are shared.  Zeroed: row i and column i share theirs, the numbers from 1. */
typedef struct {
    int32_t *row_of, *col_of; /* of a column, of a row: the one with the same label, or -1 */
    int64_t count;            /* shared labels */
    bool has_gaps;            /* labels are not 1..n, nor 0..n-1, on both sides */
    char label[PM_QUOTE];     /* one of them, quoted */
} pm_shared_labels;

/* Finds the labels that rows and columns share.  row_at, col_at: label number -> row or column.
 * *out: freed by the caller with pm_shared_labels_free.  Fails: PM_ENOMEM. */
pm_status pm_shared_labels_find(const pm_label_map *rows, const int32_t *row_at,
                                const pm_label_map *cols, const int32_t *col_at,
                                pm_shared_labels *out, pm_error *err);
/* The same where the labels of rows and columns are these integers, ascending, and their ranks are prepared. */
pm_status pm_shared_values_find(const pm_integer_set *rows, const pm_integer_set *cols,
                                pm_shared_labels *out, pm_error *err);
void pm_shared_labels_free(pm_shared_labels *t);

/* What the entries say. */
typedef enum {
    PM_ONE_SET_NO,    /* an entry joins a row and a column of one label, or the
                       * directions of an edge have different values */
    PM_ONE_SET_MIXED, /* some edges are there in both directions, some in one */
    PM_ONE_SET_ONCE,  /* no edge is there in both directions */
    PM_ONE_SET_TWICE  /* every edge is there in both directions; there is one */
} pm_one_set;

/* a: any size that t fits; square when t is zeroed.  ignore_values: as if a were a pattern.
 * Cost: O(m log d) for m entries, d of them in a row; less where the answer is found early. */
pm_one_set pm_one_set_classify(const pm_matrix *a, const pm_shared_labels *t, bool ignore_values);

/* The rule above. */
bool pm_one_set_is_likely(const pm_matrix *a, const pm_shared_labels *t, bool ignore_values);

/* "above" or "below" when a has entries and all of them are on this side of the diagonal, else NULL. */
const char *pm_one_set_triangle(const pm_matrix *a);

/* Notes how the n x n entries of a Matrix Market file are read: as a graph, or as a matrix between rows and columns although they
 * are symmetric, in the way of this name; NULL: they are not. */
void pm_one_set_note(const pm_triples *t, const char *symmetry, const pm_read_options *opt,
                     pm_reading *about);

/* Warns when a, read as a matrix, may be the adjacency matrix of a graph: it is square, and a pattern or
 * all its entries are 1 (with opt->pattern: any), without a diagonal and symmetric; or, if is_general is
 * set, all its entries are on one side of the diagonal.  Adds a note when is_general is set, and a is
 * symmetric without a diagonal and has other values.  Not with opt->graph or opt->bipartite. */
void pm_one_set_doubt(const pm_matrix *a, bool is_general, const pm_read_options *opt,
                      pm_reading *about);

#endif
