/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/team.h: the number of threads of a parallel region.
 *
 * The OpenMP library ends the process by exit(1) when it cannot start a thread, as under a limit of
 * processes or of address space.  So every region asks here first. */
#ifndef PM_TEAM_H
#define PM_TEAM_H

#include "pm/run.h"

/* The number of threads for the clause num_threads: `threads`, at least 1, or fewer where the system
 * does not start so many; then a note of level 1 says so, once a process.  Starts the threads and ends
 * them when more are asked for than before.  Another process may still take the room before the region
 * begins.  Thread-safe. */
int pm_team(const pm_run *run, int threads);

#endif
