/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/general_matching.h: a perfect matching of a graph on one set of vertices. */
#ifndef PM_GENERAL_MATCHING_H
#define PM_GENERAL_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* a: symmetric; not checked.  Its diagonal and its values are ignored.
 * mate: a->nrows entries, the caller's.  mate[v] is set to the partner of v if the matching is perfect.
 * *is_perfect: false: there is no perfect matching, and mate has no meaning.
 * Cost: n^3 at most; about linear where a greedy matching is nearly perfect.
 * Fails: PM_ESTOPPED, PM_ENOMEM.
 * Source: Edmonds 1965; Gabow 1976 for the contraction. */
pm_status pm_general_perfect_matching(const pm_matrix *a, const pm_run *run, int32_t *mate,
                                      bool *is_perfect, pm_error *err);

#endif
