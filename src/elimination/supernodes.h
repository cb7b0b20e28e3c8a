/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/supernodes.h: the structure of a sparse factorisation. */
#ifndef PM_SUPERNODES_H
#define PM_SUPERNODES_H

#include <stdint.h>

#include "elimination/dissection.h"
#include "pm/status.h"

/* Consecutive vertices that are joined, by the time they are eliminated, to each other and to the
 * same later vertices. */
typedef struct {
    int32_t n, count;
    int32_t *sequence; /* n entries: the vertex eliminated at each time, a postorder */
    int32_t *first;    /* count + 1 entries: supernode s is first[s] .. first[s + 1] - 1 */
    int32_t *parent;   /* of each: the supernode of its first later neighbour, or -1 */
    int64_t *start;    /* count + 1 entries: its later neighbours are */
    int32_t *later;    /*   later[start[s]] .. later[start[s + 1] - 1], times, in no order */
} pm_supernodes;

/* order[t]: the vertex eliminated at time t; the sequence is an equivalent one.
 * Cost: linear in the structures of the supernodes' children.  Fails: PM_ENOMEM.
 * Source: Liu 1990, the elimination tree and its postorder. */
pm_status pm_supernodes_find(const pm_adjacency *g, const int32_t *order, pm_supernodes *out,
                             pm_error *err);
void pm_supernodes_free(pm_supernodes *s);

#endif
