/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch/thread_pool.h: a pool of threads; each task is done by one thread. */
#ifndef PM_THREAD_POOL_H
#define PM_THREAD_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

typedef struct pm_thread_pool pm_thread_pool;

/* threads: with the main thread, which works while it waits; at least 1.  Threads that the system
 * does not give are done without.  *out: the caller frees it.  Fails: PM_ENOMEM. */
pm_status pm_thread_pool_start(int threads, pm_thread_pool **out, pm_error *err);

/* Only the main thread calls the functions below. */

/* Adds a task: work(arg) is called once, by any thread.  Tasks are begun in the order in which they
 * are added.  *is_done: set to false, and to true after the call; must be valid until then.
 * Fails: PM_ENOMEM; the task is not added. */
pm_status pm_thread_pool_add(pm_thread_pool *pool, void (*work)(void *arg), void *arg,
                             atomic_bool *is_done, pm_error *err);

/* Returns when *is_done is true.  The main thread does tasks that nobody has begun. */
void pm_thread_pool_wait_for(pm_thread_pool *pool, const atomic_bool *is_done);
/* Returns when all tasks are done.  The main thread does some of them. */
void pm_thread_pool_wait(pm_thread_pool *pool);

/* Waits, and ends the threads; pool may be NULL. */
void pm_thread_pool_free(pm_thread_pool *pool);

#endif
