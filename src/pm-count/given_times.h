/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-count/given_times.h: nodes whose matrices get the multiplicities of the command line. */
#ifndef PM_GIVEN_TIMES_H
#define PM_GIVEN_TIMES_H

#include "arrays/times_read.h"
#include "pm/expression.h"

typedef struct {
    const pm_times_list *rows, *cols; /* NULL: not given, every line occurs once */
    const pm_times_list *vertices;    /* of graphs on one set of vertices; NULL: not given */
    /* With vertices.  NULL: no vertex stays alone.  "": a copy of a vertex does with the weight of the edge that joins it to itself.
     * Else with this weight, a text for pm_scalar_parse_as with `exact`. */
    const char *loops;
    bool exact;
} pm_given_lists;

typedef struct {
    pm_given_lists lists;
    bool writes_out;       /* matrices with their copies, and no multiplicities */
    pm_node_source source; /* where the nodes come from */
} pm_given_times;

/* The nodes of g->source with the multiplicities; g->source itself where none are given.  g must
 * outlive the source that is returned.  The sums of the rows and of the columns may differ, as the
 * sides of any matrix may.
 * Its `next` also fails with PM_EDATA: lists of other lengths than the matrix, a matrix that has
 * multiplicities of its own, a graph that is bipartite or not as the lists need it; PM_UNABLE: a matrix that is too large to be
 * written out. */
pm_node_source pm_given_times_source(pm_given_times *g);

#endif
