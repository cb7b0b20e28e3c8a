/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/algorithms.h: the names of the exact algorithms, in the order of preference. */
#ifndef PM_ALGORITHMS_H
#define PM_ALGORITHMS_H

#include <stdbool.h>

#include "pm/backend.h"

/* The exact algorithms, i = 0, 1, ...  After the last one name and summary (one line) are NULL, and
 * the others must not be called. */
const char *pm_algorithm_name(int i);
const char *pm_algorithm_summary(int i);
pm_backend pm_algorithm_backend(int i);
/* For pm_count_options.general (pm/count.h); the others are for bipartite graphs.  One name may be that of an algorithm of both kinds. */
bool pm_algorithm_is_general(int i);
/* Are all algorithms of this name for general graphs?  True for an unknown name. */
bool pm_algorithm_is_only_general(const char *name);
/* Is there an algorithm of this name on the backend?  PM_BACKEND_AUTO: on any. */
bool pm_algorithm_is_on(const char *name, pm_backend backend);

#endif
