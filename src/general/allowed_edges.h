/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/allowed_edges.h: which edges are in some perfect matching. */
#ifndef PM_ALLOWED_EDGES_H
#define PM_ALLOWED_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* Marks edges that are in no perfect matching, in both directions: all of them unless the work ends before.
 * a: symmetric, not checked; the diagonal is ignored.
 * partner: a perfect matching of a; not changed.
 * work: about so many entries are looked at, besides a linear time; what is marked until then is right.
 * is_marked: of each entry; all false before.
 * *marked: the number of edges.  *is_complete: all were found; may be NULL.
 * run: stops early when run->stop is set; may be NULL.
 * Cost: linear for cut vertices (general/cut_pieces.h); then a search from each vertex, which ends when all its edges are
 * known to be in perfect matchings, O(n m alpha(n)) at worst.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_allowed_edges_mark(const pm_matrix *a, int32_t *partner, int64_t work,
                                const pm_run *run, bool *is_marked, int64_t *marked,
                                bool *is_complete, pm_error *err);

#endif
