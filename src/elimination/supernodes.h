/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/supernodes.h: the symbolic factorisation: which entries the elimination of a sparse
 * matrix creates. */
#ifndef PM_SUPERNODES_H
#define PM_SUPERNODES_H

#include <stdint.h>

#include "elimination/paired_matrix.h"
#include "pm/status.h"

/* A supernode is a set of vertices that are eliminated one after another and are then adjacent to
 * each other and to the same later vertices.  A time is a position in the elimination order. */
typedef struct {
    int32_t n, count;
    int32_t *sequence; /* n: the vertex eliminated at each time; a postorder of the tree */
    int32_t *first;    /* count + 1: supernode s has the times first[s] .. first[s + 1] - 1 */
    int32_t *parent;   /* count: the supernode of the first later neighbour, or -1 */
    int64_t *start; /* count + 1: the later neighbours of supernode s, as times and in no order, */
    int32_t *later; /*   are later[start[s]] .. later[start[s + 1] - 1] */
} pm_supernodes;

/* order[t]: the vertex eliminated at time t.  out->sequence is an equivalent order: it creates the same entries.
 * kept: the last vertices of the order, which must be adjacent to each other, and one of which every component of the
 * others must have as its first later neighbour.  They become the last supernode, in their sequence, without any others.
 * 0: no such wish.
 * Cost: linear in the sum, over all supernodes, of the later neighbours of their children.
 * Fails: PM_ENOMEM.
 * Source: Liu 1990, the elimination tree and its postorder. */
pm_status pm_supernodes_find(const pm_adjacency *g, const int32_t *order, int32_t kept,
                             pm_supernodes *out, pm_error *err);
void pm_supernodes_free(pm_supernodes *s);

#endif
