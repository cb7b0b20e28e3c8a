/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce/members.h: the vertices of each component. */
#ifndef PM_MEMBERS_H
#define PM_MEMBERS_H

#include <stdint.h>

#include "pm/status.h"

/* Sorts the vertices by their components, ascending in each.
 * label: n elements, the component of each vertex, 0 .. count - 1; -1: of none.
 * member: set to the vertices of component b in member[start[b]] .. member[start[b + 1] - 1]; room for n.
 * *start: count + 1 elements, freed by the caller.
 * Fails: PM_ENOMEM. */
pm_status pm_members_sort(const int32_t *label, int64_t n, int64_t count, int32_t *member,
                          int64_t **start, pm_error *err);

#endif
