/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch/thread_pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

typedef struct {
    void (*work)(void *arg);
    void *arg;
    atomic_bool *is_done;
} task;

struct pm_thread_pool {
    pthread_mutex_t lock; /* of all below but the threads */
    pthread_cond_t has_task, has_done;
    task *tasks; /* those from `next` on are not begun */
    int64_t next, count, cap;
    int running;
    bool ends;
    int threads;
    pthread_t *thread;
};

/* Does the next task.  Returns false when there is none.  The lock is held before and after. */
static bool do_one(pm_thread_pool *t)
{
    if (t->next == t->count)
        return false;
    task todo = t->tasks[t->next++];
    ++t->running;
    pthread_mutex_unlock(&t->lock);
    todo.work(todo.arg);
    pthread_mutex_lock(&t->lock);
    --t->running;
    atomic_store_explicit(todo.is_done, true, memory_order_release);
    pthread_cond_signal(&t->has_done);
    return true;
}

static void *serve(void *pool)
{
    pm_thread_pool *t = pool;
    pthread_mutex_lock(&t->lock);
    while (do_one(t) || !t->ends)
        if (t->next == t->count && !t->ends)
            pthread_cond_wait(&t->has_task, &t->lock);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

pm_status pm_thread_pool_start(int threads, pm_thread_pool **out, pm_error *err)
{
    pm_thread_pool *t = pm_calloc_array(1, sizeof *t);
    pthread_t *thread = pm_alloc_array(threads, sizeof *thread);
    if (!t || !thread) {
        free(t);
        free(thread);
        return pm_fail_memory(err, "threads");
    }
    t->thread = thread;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->has_task, NULL);
    pthread_cond_init(&t->has_done, NULL);
    while (t->threads < threads - 1 && pthread_create(&thread[t->threads], NULL, serve, t) == 0)
        ++t->threads;
    *out = t;
    return PM_OK;
}

/* Room for one more task: the places of those that have begun are used again when they are half of
 * all. */
static int make_room(pm_thread_pool *t)
{
    if (t->next > 0 && 2 * t->next >= t->count) {
        t->count -= t->next;
        memmove(t->tasks, t->tasks + t->next, (size_t)t->count * sizeof *t->tasks);
        t->next = 0;
    }
    return PM_GROW(t->tasks, t->cap, t->count + 1);
}

pm_status pm_thread_pool_add(pm_thread_pool *t, void (*work)(void *arg), void *arg,
                             atomic_bool *is_done, pm_error *err)
{
    pthread_mutex_lock(&t->lock);
    bool has_room = make_room(t) == 0;
    if (has_room) {
        atomic_store_explicit(is_done, false, memory_order_relaxed);
        t->tasks[t->count++] = (task){work, arg, is_done};
        pthread_cond_signal(&t->has_task);
    }
    pthread_mutex_unlock(&t->lock);
    return has_room ? PM_OK : pm_fail_memory(err, "tasks of threads");
}

void pm_thread_pool_wait_for(pm_thread_pool *t, const atomic_bool *is_done)
{
    pthread_mutex_lock(&t->lock);
    while (!atomic_load_explicit(is_done, memory_order_acquire))
        if (!do_one(t))
            pthread_cond_wait(&t->has_done, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void pm_thread_pool_wait(pm_thread_pool *t)
{
    pthread_mutex_lock(&t->lock);
    while (t->next < t->count || t->running > 0)
        if (!do_one(t))
            pthread_cond_wait(&t->has_done, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void pm_thread_pool_free(pm_thread_pool *t)
{
    if (!t)
        return;
    pm_thread_pool_wait(t);
    pthread_mutex_lock(&t->lock);
    t->ends = true;
    pthread_cond_broadcast(&t->has_task);
    pthread_mutex_unlock(&t->lock);
    for (int i = 0; i < t->threads; ++i)
        pthread_join(t->thread[i], NULL);
    pthread_cond_destroy(&t->has_task);
    pthread_cond_destroy(&t->has_done);
    pthread_mutex_destroy(&t->lock);
    free(t->tasks);
    free(t->thread);
    free(t);
}
