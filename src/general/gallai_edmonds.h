/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/gallai_edmonds.h: the Gallai-Edmonds decomposition, and with it the reason why a graph has no perfect matching.
 *
 * D: the vertices that some maximum matching leaves without a partner.  A: the other neighbours of D.  C: the rest.
 * Every component of D alone has an odd number of vertices, C has a perfect matching, and every maximum matching joins
 * the vertices of A to different components of D.  So (number of components of D) - |A| vertices stay without a
 * partner in every maximum matching (Gallai 1963, 1964; Edmonds 1965; the formula: Tutte 1947, Berge 1958). */
#ifndef PM_GALLAI_EDMONDS_H
#define PM_GALLAI_EDMONDS_H

#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    int64_t n;
    int32_t *partner; /* n: a maximum matching; -1: none */
    int64_t size;     /* of its edges */
    char *part;       /* n: 'D', 'A' or 'C' */
    int32_t *
        component; /* n: of a vertex of D: its component, 0 .. ncomponents-1, in the order of their first vertices; else -1 */
    int64_t ncomponents;
    int64_t nd, na, nc; /* vertices of D, A and C */
} pm_gallai_edmonds;

/* a: symmetric, not checked; the diagonal is ignored.
 * out: freed by the caller; not changed on failure.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_gallai_edmonds_find(const pm_matrix *a, const pm_run *run, pm_gallai_edmonds *out,
                                 pm_error *err);
/* The same where a vertex with a loop, an entry of the diagonal, may stay alone: D are the vertices without a loop that
 * some matching with the fewest such vertices left out leaves out, A and C as above.  No vertex of D has a loop, and
 * (number of components of D) - |A| vertices without a loop stay without a partner in every matching.  (By the doubled graph,
 * general/doubled.h: its decomposition is the same in both copies, and a component of D that had edges between the copies would have
 * an even number of vertices.)  Without loops it is pm_gallai_edmonds_find.
 * Fails: PM_UNABLE 2^30 or more vertices; as above. */
pm_status pm_gallai_edmonds_find_with_loops(const pm_matrix *a, const pm_run *run,
                                            pm_gallai_edmonds *out, pm_error *err);
void pm_gallai_edmonds_free(pm_gallai_edmonds *g);

/* The vertices of D by components: those of component c are d[start[c]] .. d[start[c + 1] - 1], ascending; and the vertices of A,
 * ascending.  Freed by the caller with pm_tutte_berge_free. */
typedef struct {
    int32_t *d, *a;
    int64_t *start; /* ncomponents + 1 */
} pm_tutte_berge;
/* out: not changed on failure.  Fails: PM_ENOMEM. */
pm_status pm_tutte_berge_list(const pm_gallai_edmonds *g, pm_tutte_berge *out, pm_error *err);
void pm_tutte_berge_free(pm_tutte_berge *w);

/* The edges of the matching, each once: the partner of each vertex whose partner is larger, else -1; n elements.  The caller frees
 * it.  Returns NULL when out of memory. */
int32_t *pm_gallai_edmonds_pairs(const pm_gallai_edmonds *g);

/* The number of vertices, or with loops of those without one, that every maximum matching leaves without a partner; 0: a perfect
 * matching. */
static inline int64_t pm_gallai_edmonds_left_out(const pm_gallai_edmonds *g)
{
    return g->ncomponents - g->na;
}

#endif
