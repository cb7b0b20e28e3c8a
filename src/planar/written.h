/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/written.h: the graph of a block with its twins written out, and parts of it.
 *
 * A block with twins is planar when the block before their merging was, since all other reductions
 * delete and contract; and the permanent of the graph written out is the weighted count of the
 * block times the factorials of all capacities. */
#ifndef PM_WRITTEN_H
#define PM_WRITTEN_H

#include <stdint.h>

#include "pm/reduce.h"
#include "pm/status.h"

enum { PM_WRITTEN_MORE = 256 }; /* edges beyond what a planar graph of that size may have */

typedef struct {
    pm_matrix a;     /* a pattern, n x n */
    int32_t *source; /* of each entry: the entry of the block that it copies */
} pm_written;

/* Fails: PM_UNABLE n too large, or so many edges that the graph is far from planar; PM_ENOMEM. */
pm_status pm_written_make(const pm_block *b, pm_written *out, pm_error *err);
/* The entries k with keep[k] alone. */
pm_status pm_written_keep(const pm_written *w, const uint8_t *keep, pm_written *out, pm_error *err);
void pm_written_free(pm_written *w);

#endif
