/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/graph_layout.h: places for the vertices of a graph, by igraph in its helper program: the spring model of Kamada
 * and Kawai for up to PM_LAYOUT_SPRINGS vertices, that of Fruchterman and Reingold for more. */
#ifndef PM_GRAPH_LAYOUT_H
#define PM_GRAPH_LAYOUT_H

#include "pm/matrix.h"

enum { PM_LAYOUT_SPRINGS = 2000, PM_LAYOUT_MOST = 10000 };

/* xy: x and y of each vertex: of the rows, then of the columns; one_set: of the vertices of a graph with a symmetric
 * matrix.  The same for the same graph and version of igraph.
 * Fails: PM_UNABLE more than PM_LAYOUT_MOST vertices, or no helper program; PM_ESTOPPED; PM_EIO, PM_ENOMEM. */
pm_status pm_graph_layout(const pm_matrix *a, bool one_set, const pm_run *run, double (*xy)[2],
                          pm_error *err);

#endif
