/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dm/connected.h: whether a bipartite graph is connected, with any number of threads. */
#ifndef PM_CONNECTED_H
#define PM_CONNECTED_H

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* *is_connected: a path leads from every row or column to every other one; also where there is at most one.
 * Cost: about one pass over the entries; memory: 4 bytes for each row and column.
 * Fails: PM_ENOMEM. */
pm_status pm_connected_find(const pm_matrix *a, const pm_run *run, bool *is_connected,
                            pm_error *err);

#endif
