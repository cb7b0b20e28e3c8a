/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/column_rcm.h: the reverse order of Cuthill and McKee, which brings entries near the diagonal. */
#ifndef PM_COLUMN_RCM_H
#define PM_COLUMN_RCM_H

#include "order/pattern.h"

/* Of the bipartite graph: rows and columns are visited breadth first, those of few entries before
 * others, each component from a vertex at its end; the sequence is turned round, and rows and
 * columns are taken out of it separately.  Ties by number, rows before columns: the same pattern
 * has the same order always.
 * cols[k], rows[k]: which column, row comes k-th; n entries each, the caller's.
 * Cost: some breadth-first searches.  Fails: PM_ENOMEM.
 * Source: Cuthill and McKee 1969; George and Liu 1981, sections 4.3 and 4.4. */
pm_status pm_column_order_rcm(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err);

#endif
