/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/thread_pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "pm/alloc.h"

typedef struct {
    void (*work)(void *arg);
    void *arg;
} task;

struct pm_thread_pool {
    pthread_mutex_t lock; /* of all below but the threads */
    pthread_cond_t has_task, is_idle;
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
    if (--t->running == 0 && t->next == t->count)
        pthread_cond_signal(&t->is_idle);
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
    pthread_cond_init(&t->is_idle, NULL);
    while (t->threads < threads - 1 && pthread_create(&thread[t->threads], NULL, serve, t) == 0)
        ++t->threads;
    *out = t;
    return PM_OK;
}

pm_status pm_thread_pool_add(pm_thread_pool *t, void (*work)(void *arg), void *arg, pm_error *err)
{
    pthread_mutex_lock(&t->lock);
    if (t->next == t->count)
        t->next = t->count = 0;
    bool grew = PM_GROW(t->tasks, t->cap, t->count + 1) == 0;
    if (grew)
        t->tasks[t->count++] = (task){work, arg};
    pthread_cond_signal(&t->has_task);
    pthread_mutex_unlock(&t->lock);
    return grew ? PM_OK : pm_fail_memory(err, "tasks of threads");
}

void pm_thread_pool_wait(pm_thread_pool *t)
{
    pthread_mutex_lock(&t->lock);
    while (do_one(t))
        ;
    while (t->running > 0)
        pthread_cond_wait(&t->is_idle, &t->lock);
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
    pthread_cond_destroy(&t->is_idle);
    pthread_mutex_destroy(&t->lock);
    free(t->tasks);
    free(t->thread);
    free(t);
}
