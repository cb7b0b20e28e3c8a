/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/team.h: threads that do tasks beside the main thread, each task by one thread. */
#ifndef PM_TEAM_H
#define PM_TEAM_H

#include <stdint.h>

#include "pm/status.h"

typedef struct pm_team pm_team;

/* threads: with the main thread, which works while it waits; at least 1.  Threads that the system
 * does not give are done without.  *out: the caller frees it.  Fails: PM_ENOMEM. */
pm_status pm_team_start(int threads, pm_team **out, pm_error *err);

/* Adds a task: work(arg) is called once, by any thread.  Only the main thread adds tasks.
 * Fails: PM_ENOMEM. */
pm_status pm_team_add(pm_team *team, void (*work)(void *arg), void *arg, pm_error *err);

/* Returns when all tasks are done.  The main thread does some of them. */
void pm_team_wait(pm_team *team);

/* Waits, and ends the threads; team may be NULL. */
void pm_team_free(pm_team *team);

#endif
