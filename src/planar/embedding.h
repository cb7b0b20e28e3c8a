/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/embedding.h: a bipartite graph drawn on a surface without crossings, as a rotation system:
 * the entries of each row and column in their order around it.
 *
 * Entry k of a matrix has two arcs, 2k from its row and 2k + 1 from its column, so x ^ 1 turns arc
 * x round.  next[x] is the arc after x around the vertex that x leaves.  Walking along x and on
 * along next[x ^ 1] keeps one face at the same hand; these walks are the faces. */
#ifndef PM_EMBEDDING_H
#define PM_EMBEDDING_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/status.h"

/* False: built without the library, and what needs it fails with PM_UNABLE. */
bool pm_embedding_is_built(void);

/* Draw a (values ignored) in the plane.  next: 2 * nnz entries, the caller's.
 * Cost: linear.  Fails: PM_UNABLE "not planar: ..." with the reason, or built without the library;
 * PM_ENOMEM; PM_EINTERNAL the library's answer is no rotation system of a.
 * Source: Boyer and Myrvold 2004, as in libplanarity. */
pm_status pm_embedding_in_plane(const pm_matrix *a, int32_t *next, pm_error *err);

/* A subdivision of K5 or K3,3 in a without the entries k with gone[k]; other numbers from rng,
 * another one.  entries: room for all of a's, the caller's; *count of them are the subdivision, 0 if
 * there is none: the graph is planar.
 * Cost: linear.  Fails: PM_UNABLE too large, or built without the library; PM_ENOMEM; PM_EINTERNAL. */
pm_status pm_embedding_obstruction(const pm_matrix *a, const uint8_t *gone, uint64_t *rng,
                                   int32_t *entries, int32_t *count, pm_error *err);

/* Draw a on a torus, if it is a grid wrapped around both ways, straight or with a twist: every
 * vertex has four neighbours, every face four corners.
 * Cost: linear.  Fails: PM_UNABLE it is none; PM_ENOMEM. */
pm_status pm_embedding_on_torus(const pm_matrix *a, int32_t *next, pm_error *err);

#endif
