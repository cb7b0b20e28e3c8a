/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/team.h: the number of threads of a parallel region.
 *
 * The OpenMP library ends the process by exit(1) when it cannot start a thread, as under a limit of
 * processes or of address space.  So every region asks here first. */
#ifndef PM_TEAM_H
#define PM_TEAM_H

#include <stdint.h>

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

/* Calls part(context, k, parts) for k = 0 .. parts - 1, each on a thread of its own; parts: from pm_team, or 1.  One part is a plain call: to
 * open a region for one thread takes a microsecond. */
void pm_team_run(int parts, void (*part)(void *context, int k, int parts), void *context);

/* The first of `count` things that belong to part k of so many, which are about equal; that of part `parts` is count. */
static inline int64_t pm_team_first(int64_t count, int k, int parts)
{
    return count / parts * k + count % parts * k / parts;
}

/* Ends the threads that wait for the next region.  Not from inside a region. */
void pm_team_end(void);

#endif
