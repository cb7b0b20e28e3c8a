/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "pm/alloc.h"

/* Of the process: so many threads could be started, counting the caller; and the most that are asked of
 * the system, 0 while every number could be started. */
static atomic_int proven = 1, most;

static void *pass_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Starts threads that exist at the same time, and ends them.  Returns their number, at most `count`, or
 * -1 when there is no memory to try. */
static int start_threads(int count)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *thread = pm_alloc_array(count, sizeof *thread);
    int started = 0;
    if (!thread)
        return -1;
    pthread_mutex_lock(&gate);
    while (started < count && pthread_create(&thread[started], NULL, pass_gate, &gate) == 0)
        ++started;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; ++i)
        pthread_join(thread[i], NULL);
    free(thread);
    return started;
}

/* All, or half of those that can be started: each takes address space, and the work needs some.  0 when
 * it is not known. */
static int probe(int threads)
{
    int started = 1 + start_threads(threads - 1);
    return started >= threads ? threads : (started + 1) / 2;
}

int pm_team(const pm_run *run, int threads)
{
    int limit = atomic_load(&most);
    if (threads <= atomic_load(&proven))
        return threads;
    if (limit)
        return limit;
    int can = probe(threads);
    if (can == 0)
        return 1;
    atomic_store(&proven, can);
    if (can == threads)
        return threads;
    atomic_store(&most, can);
    pm_run_note(run, 1, "the system does not start %d threads: %d %s used", threads, can,
                can == 1 ? "is" : "are");
    return can;
}
