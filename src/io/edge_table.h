/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/edge_table.h: collects edges whose ends are given by labels, and makes the matrix of them.  Used
 * by the formats edges and csv. */
#ifndef PM_EDGE_TABLE_H
#define PM_EDGE_TABLE_H

#include "edges/edge_run.h"
#include "edges/integer_set.h"
#include "edges/label_map.h"
#include "io/formats.h"
#include "io/reading_memory.h"

/* One side of the graph; the only one of a one-sided graph. */
typedef struct {
    pm_integer_set values; /* of the labels, while these are the ends of edges */
    pm_label_map map;      /* afterwards: their numbers */
    int64_t size;          /* announced, or -1 */
    int32_t *position;     /* label number -> row or column */
    int64_t count;
} pm_edge_side;

/* The labels of a side mean:
 *   with an announced size, all labels integers: positions, from 1 to the size;
 *   with an announced size, other labels: names, at most the size, in the order of appearance;
 *     vertices without an edge come last, with empty names.  Where all labels look like numbers, and only some of
 *     them are integers, they are refused;
 *   without a size: names; the rows (columns) are the labels that appear, ascending when all are
 *     integers, else in the order of appearance.
 * edges/label_map.h says which labels are integers, edges/label_spelling.h which ones look like numbers.
 *
 * As long as all labels are integers from 0 to pm_edge_table_most, the ends of an edge are these values: their order is that of the
 * rows and columns, so they need no numbers.  From the first other label on they are numbers of labels, in the
 * order of appearance. */
typedef struct {
    pm_source *s;
    const pm_read_options *opt;
    pm_triples to;    /* row and col are values or numbers of labels until the last step */
    bool are_values;  /* they are values */
    int64_t expected; /* edges, about; 0: not known */
    pm_edge_side sides[2];
    int fields; /* of the first edge: 2, or 3 with a weight; 0 before it */
    bool has_real;
    pm_reading_watch watch; /* of the memory */
    bool one_set;           /* both ends of an edge name vertices of one set, which has sides[0] */
} pm_edge_table;

/* *x: an empty table without announced sizes; one_set as opt->graph says.  s and opt: used until the
 * table is freed. */
void pm_edge_table_begin(pm_edge_table *x, pm_source *s, const pm_read_options *opt);
void pm_edge_table_free(pm_edge_table *x);

/* Adds an edge of the last line that was read.  text[0], text[1]: its labels; length: theirs.
 * weight: NULL when x->fields is 2; imaginary: of a complex weight, or NULL.  They are moved out.
 * Fails: PM_EDATA a label begins or ends with an invisible character; PM_ENOMEM, PM_UNABLE. */
pm_status pm_edge_table_add(pm_edge_table *x, const char *const text[2], const int64_t length[2],
                            pm_dyadic *weight, pm_dyadic *imaginary, pm_error *err);

/* The largest label that may be a value, as long as there are so many edges. */
int32_t pm_edge_table_most(const pm_edge_table *x);

/* Many edges, in two steps.  First number[e] = the value or the number of the label of edge e on a side, for both sides,
 * also at the same time; where there is one set of vertices, side 0 sets the numbers of both.
 * Fails: as above. */
pm_status pm_edge_table_number(pm_edge_table *x, const pm_integer_edge *edges, int64_t count,
                               int side, int32_t *const number[2], pm_error *err);
/* Then they are added, also while others get numbers.  of: their weights, if x->fields is 3; none is complex.
 * line: the number of the first line.  Fails: PM_ENOMEM. */
pm_status pm_edge_table_add_run(pm_edge_table *x, int32_t *const number[2], const pm_edge_lines *of,
                                int64_t count, int64_t line, pm_error *err);

/* Is there memory for the edges so far?  Not while labels get numbers.  Fails: PM_UNABLE. */
pm_status pm_edge_table_look(pm_edge_table *x, pm_error *err);

/* What the first of four or more edges without weights, and without announced sizes, looks like:
 * the number of vertices, no smaller than any label, and the number of the other lines;
 * or, on two sides, the titles of columns: words, where all other labels are integers. */
typedef enum { PM_EDGE_HEAD_NONE, PM_EDGE_HEAD_SIZES, PM_EDGE_HEAD_TITLES } pm_edge_head;
/* Called before the next function. */
pm_edge_head pm_edge_table_head(const pm_edge_table *x);

/* The matrix of all edges.  Weights are complex after the first complex one; otherwise integers
 * unless has_real is set.  about: warns when two sides without sizes look like one set, and when
 * two labels are one number in two spellings.
 * Fails: PM_EDATA a label does not fit the announced size, duplicates, not bipartite; PM_UNABLE,
 * PM_ENOMEM. */
pm_status pm_edge_table_matrix(pm_edge_table *x, pm_matrix *out, pm_reading *about, pm_error *err);

#endif
