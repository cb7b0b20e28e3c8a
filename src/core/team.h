/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/team.h: the number of threads of a parallel region.
 *
 * The OpenMP library ends the process by exit(1) when it cannot start a thread, as under a limit of
 * processes or of address space.  So every region asks here first. */
#ifndef PM_TEAM_H
#define PM_TEAM_H

#include "pm/run.h"

/* The least stack of a thread, in bytes.  The kernels keep tiles on the stack: this is several times what
 * the deepest call chain takes. */
enum { PM_TEAM_STACK = 1 << 20 };

/* The number of threads for the clause num_threads: `threads`, at least 1, or fewer where the system
 * does not start so many; then a note of level 1 says so, once a process; 1 where the
 * threads would have smaller stacks than PM_TEAM_STACK.  Starts the threads and ends
 * them when more are asked for than before.  Another process may still take the room before the region
 * begins.  Thread-safe. */
int pm_team(const pm_run *run, int threads);

/* Ends the threads that wait for the next region.  Not from inside a region. */
void pm_team_end(void);

#endif
