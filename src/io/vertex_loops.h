/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/vertex_loops.h: the loops of a graph whose vertices have copies (pm_node.loops). */
#ifndef PM_VERTEX_LOOPS_H
#define PM_VERTEX_LOOPS_H

#include <stdio.h>

#include "io/put.h"
#include "pm/expression.h"
#include "text/scalar.h"

/* node->loops: for vertex v loop[v * step], or none where this is 0.  The field of the matrix becomes wider if a loop
 * needs that.  Fails: PM_ENOMEM. */
pm_status pm_vertex_loops_set(pm_node *node, const pm_scalar *loop, int64_t step, pm_error *err);

/* node->loops: the diagonal of the matrix, which stays.  Fails: PM_ENOMEM. */
pm_status pm_vertex_loops_diagonal(pm_node *node, pm_error *err);

/* Writes lines "%pm: vertex-loops" with one number for each vertex.  reals: PM_PUT_REAL or PM_PUT_ITSELF.
 * Fails: PM_ENOMEM, PM_UNABLE a number does not fit a line. */
pm_status pm_vertex_loops_put(FILE *f, const pm_matrix *loops, pm_put_style reals, pm_error *err);

#endif
