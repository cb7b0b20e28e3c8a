/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/dissection.h: an elimination order by nested dissection. */
#ifndef PM_DISSECTION_H
#define PM_DISSECTION_H

#include <stdint.h>

#include "elimination/paired_matrix.h"
#include "pm/status.h"

/* order[t]: the vertex eliminated at time t; n entries, the caller's.  Different seeds give
 * different orders.
 * Fails: PM_UNABLE built without METIS; PM_ESTOPPED by SIGTERM; PM_ENOMEM.
 * Source: George 1973; Karypis and Kumar 1998, as in METIS. */
pm_status pm_dissection_order(const pm_adjacency *g, uint64_t seed, int32_t *order, pm_error *err);

#endif
