/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network/switching.h: random graphs with given degrees, by edge switching.
 *
 * A switch takes two edges (i, j) and (k, l) at random and makes them (i, l) and (k, j), unless one of these
 * is there.  The chain of attempts is symmetric and reaches every simple bipartite graph with these
 * degrees, so that all have the same probability in the limit (Ryser 1957; Rao, Jana and Bandyopadhyay
 * 1996).  How long it takes is not proved in general; some ten switches for each edge are usual
 * (Milo et al. 2003). */
#ifndef PM_SWITCHING_H
#define PM_SWITCHING_H

#include "core/philox.h"
#include "pm/matrix.h"
#include "pm/run.h"

enum { PM_SWITCHES_OF_EDGE = 10 };

/* Attempts that are expected to make so many switches for each edge: 1 / (1 - p)^2 attempts for one, p the
 * density, but at most a hundred.  It depends on the degrees alone. */
double pm_switching_attempts(const pm_matrix *a, double switches_of_edge);

/* Switches the edges of a, which keeps its labels; a value stays with its row.
 * *done: the number of switches that were made.
 * Cost: O(1) an attempt; memory: 16 to 32 bytes for each edge.
 * Fails: PM_ESTOPPED, PM_ENOMEM; a can only be freed then. */
pm_status pm_switching_run(pm_matrix *a, double attempts, pm_random *random, const pm_run *run,
                           int64_t *done, pm_error *err);

#endif
