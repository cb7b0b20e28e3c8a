/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/team.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "pm/alloc.h"
#include "pm/settings.h"

/* Of the process: so many threads could be started, counting the caller; and the most that are asked of
 * the system, 0 while every number could be started. */
static atomic_int proven = 1, most;

static void *pass_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* The stack that the threads of the OpenMP library have.  Returns false when the system allows no such
 * stack. */
static bool set_stack(pthread_attr_t *attributes)
{
    int64_t stack = pm_settings_get()->thread_stack;
    if (pthread_attr_init(attributes) != 0)
        return false;
    if (stack == 0 || pthread_attr_setstacksize(attributes, (size_t)stack) == 0)
        return true;
    pthread_attr_destroy(attributes);
    return false;
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
    pthread_attr_t attributes;
    if (!set_stack(&attributes)) {
        free(thread);
        return 0;
    }
    pthread_mutex_lock(&gate);
    while (started < count && pthread_create(&thread[started], &attributes, pass_gate, &gate) == 0)
        ++started;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; ++i)
        pthread_join(thread[i], NULL);
    pthread_attr_destroy(&attributes);
    free(thread);
    return started;
}

/* All, or half of those that can be started: each takes address space, and the work needs some.  0 when
 * it is not known. */
static int probe(int threads)
{
    int64_t stack = pm_settings_get()->thread_stack;
    if (stack != 0 && stack < PM_TEAM_STACK)
        return 1;
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
    int64_t stack = pm_settings_get()->thread_stack;
    if (stack != 0 && stack < PM_TEAM_STACK)
        pm_run_note(run, 1,
                    "OMP_STACKSIZE is %" PRId64 " KiB, threads need %d KiB: one thread is used",
                    stack >> 10, PM_TEAM_STACK >> 10);
    else
        pm_run_note(run, 1, "the system does not start %d threads: %d %s used", threads, can,
                    can == 1 ? "is" : "are");
    return can;
}

void pm_team_run(int parts, void (*part)(void *context, int k, int parts), void *context)
{
    if (parts == 1) {
        part(context, 0, 1);
        return;
    }
#pragma omp parallel for num_threads(parts) schedule(static, 1)
    for (int k = 0; k < parts; ++k)
        part(context, k, parts);
}

void pm_team_end(void)
{
#ifdef _OPENMP
    if (atomic_load(&proven) > 1)
        omp_pause_resource_all(omp_pause_hard);
#endif
}
