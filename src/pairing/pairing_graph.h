/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairing/pairing_graph.h: a graph on one set of vertices as its samplers read it. */
#ifndef PM_PAIRING_GRAPH_H
#define PM_PAIRING_GRAPH_H

#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* The hafnian of a is 2^exponent times that of the values. */
typedef struct {
    const pm_matrix *a; /* borrowed */
    int32_t n, most;    /* vertices; neighbours of one */
    double *value;      /* of each entry, near 1; NULL: all are 1 */
    int64_t exponent;
} pm_pairing_graph;

/* Entries other than 1 are multiplied by powers of two for the vertices, 2^(x_i + x_j), so that rows sum to about 1.
 * a: symmetric, entries > 0; outlives *out, which the caller frees.
 * Fails: PM_UNABLE more than 32767 vertices, a loop, or entries that differ too much; PM_ENOMEM. */
pm_status pm_pairing_graph_make(const pm_matrix *a, const pm_run *run, pm_pairing_graph *out,
                                pm_error *err);
void pm_pairing_graph_free(pm_pairing_graph *g);

#endif
