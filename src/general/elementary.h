/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/elementary.h: a graph as parts whose numbers of perfect matchings multiply.
 *
 * Edges that are in no perfect matching are dropped; the components of the rest are the parts.  With loops the matchings are those that
 * leave only vertices with loops alone, and loops may be dropped, too (general/doubled.h). */
#ifndef PM_ELEMENTARY_H
#define PM_ELEMENTARY_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    bool exists;           /* there is a perfect matching; otherwise there are no parts */
    int64_t n, count;      /* vertices, parts */
    int64_t kept, dropped; /* edges and loops */
    int32_t *vertex;       /* n: the vertices by parts, ascending in each */
    int64_t *start;        /* count + 1: where each part begins in `vertex` */
    bool *is_right;        /* n: at an odd distance from the first vertex of the part */
    pm_matrix rest;        /* the graph without what was dropped, without labels */
} pm_elementary;

/* a: symmetric, not checked.
 * out: freed by the caller; not changed on failure.
 * Cost: of general/allowed_edges.h, without a bound of the work.
 * Fails: PM_UNABLE loops and 2^30 or more vertices; PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_elementary_find(const pm_matrix *a, const pm_run *run, pm_elementary *out,
                             pm_error *err);
void pm_elementary_free(pm_elementary *x);

/* *out: part c, with the labels of a, or numbers from 1 where a has none.
 * *general: it is not bipartite, and *out is its symmetric matrix; otherwise *out has rows and columns, and is a fully
 * indecomposable matrix.  a: the graph of x. */
pm_status pm_elementary_part(const pm_elementary *x, const pm_matrix *a, int64_t c, pm_matrix *out,
                             bool *general, pm_error *err);

#endif
