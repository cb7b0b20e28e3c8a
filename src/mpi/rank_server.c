/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mpi/rank_server.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/clock.h"
#include "mpi/division.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "process/signals.h"

/* Nanoseconds between two looks for messages, and between two looks at the stop flag. */
enum { LOOK = 1000000, TICK = 50000000 };
/* Seconds that other ranks have after a stop. */
#define PATIENCE 5.0

/* Another rank. */
typedef struct {
    char *data; /* its request that is not answered; NULL: none */
    pm_rank_message request;
    bool has_ended; /* the task; its sums have been added */
    bool has_left;
    int exit_status;
    char text[PM_RANK_TEXT]; /* of its failure */
} peer;

struct pm_rank_server {
    const pm_mpi_calls *mpi;
    int ranks;
    peer *peer; /* peer[0] is not used */
    pthread_t thread;
    atomic_bool is_ending;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t settled;
    pm_division division;
    struct {
        char *bytes;
        int64_t size;
    } published[2];
    pm_ledger_task *task; /* NULL: none */
    uint64_t number;      /* of the task, or of the last one */
    uint64_t taken_here;  /* indices of the last range that this rank took */
    bool has_ended;       /* this rank */
    pm_status own, failure;
    pm_error why_own, why; /* of the failures */
    pm_status result;
    bool is_closed; /* no task will begin */
};

static bool is_stopped(void)
{
    return pm_signals_will_raise() || pm_signals_limit_reached();
}

/* ---- answers ---- */

static void drop_request(peer *p)
{
    free(p->data);
    p->data = NULL;
}

/* A message that does not fit into memory ends as a failure. */
static void answer(pm_rank_server *s, int rank, pm_rank_message *m)
{
    char *data;
    int64_t size;
    pm_error err;
    m->head.request = s->peer[rank].request.head.request;
    if (pm_rank_message_pack(m, &data, &size, &err)) {
        pm_rank_message failed = {.head = {.request = m->head.request, .status = PM_ENOMEM}};
        s->mpi->send(rank, &failed.head, sizeof failed.head);
    } else {
        s->mpi->send(rank, data, size);
        free(data);
    }
    drop_request(&s->peer[rank]);
}

static void answer_status(pm_rank_server *s, int rank, pm_status status, const char *text)
{
    pm_rank_message m = {.head.status = status};
    snprintf(m.head.text, sizeof m.head.text, "%s", text);
    answer(s, rank, &m);
}

static void refuse(pm_rank_server *s, int rank)
{
    if (is_stopped())
        answer_status(s, rank, PM_ESTOPPED, "stopped");
    else
        answer_status(s, rank, PM_EINTERNAL, "rank 0 has ended");
}

/* ---- the task ---- */

/* With the lock held.  The first failure counts. */
static void fail_task(pm_rank_server *s, pm_status status, const char *text)
{
    if (s->failure)
        return;
    s->failure = status;
    pm_fail(&s->why, status, "%s", text);
}

/* Adds the sums of a request. */
static void add_sums(pm_rank_server *s, int rank)
{
    pm_error err;
    const pm_rank_message *m = &s->peer[rank].request;
    pm_ledger_sum sum;
    uint64_t indices = 0;
    for (int64_t i = 0; i < m->head.ranges; ++i)
        indices += m->range[i].end - m->range[i].first;
    pm_division_note(&s->division, rank, indices, pm_clock());
    if (!m->head.ranges)
        return;
    if (!pm_rank_message_get_sum(m, &s->task->record->shape, &sum))
        fail_task(s, PM_EINTERNAL, "a rank has sums of another task");
    else if (pm_ledger_task_put_ranges(s->task, m->range, m->head.ranges, &sum, &err))
        fail_task(s, PM_ENOMEM, err.msg);
}

/* Ranges of a rank are multiples of what its method takes at a time, where it says that. */
static uint64_t unit_of(const pm_ledger_task *t, uint64_t most)
{
    uint64_t grain = t->record->shape.grain;
    if (most >= t->record->shape.count)
        return grain;
    return most > grain ? most - most % grain : grain;
}

static uint64_t size_for(const pm_rank_server *s, int rank, const pm_ledger_task *t, uint64_t most)
{
    return pm_division_size(&s->division, rank, pm_ledger_task_left(t), unit_of(t, most));
}

static void give_range(pm_rank_server *s, int rank)
{
    pm_rank_message m = {.head.number = s->number};
    uint64_t most = s->peer[rank].request.head.most;
    if (is_stopped())
        fail_task(s, PM_ESTOPPED, "stopped");
    if (s->failure
        || !pm_ledger_task_take_here(s->task, size_for(s, rank, s->task, most), &m.head.range))
        m.head.range = (pm_range){0, 0};
    answer(s, rank, &m);
}

/* Whether the request is about the task.  A later one waits; another one at this place is of another plan. */
static bool is_of_task(pm_rank_server *s, int rank)
{
    const pm_rank_head *h = &s->peer[rank].request.head;
    char text[128];
    if (!s->task || h->number != s->number)
        return false;
    if (memcmp(&h->key, &s->task->record->key, sizeof h->key) == 0)
        return true;
    snprintf(text, sizeof text, "rank %d follows another plan than rank 0%s", rank,
             pm_hint_text(PM_HINT_PLAN));
    fail_task(s, PM_EINTERNAL, text);
    return true;
}

/* The request to end the task has come: adds its sums.  The answer comes when all have ended it. */
static void note_end(pm_rank_server *s, int rank)
{
    peer *p = &s->peer[rank];
    char text[PM_RANK_TEXT];
    if (p->has_ended)
        return;
    p->has_ended = true;
    if (!s->failure)
        add_sums(s, rank);
    if (p->request.head.status) {
        snprintf(text, sizeof text, "rank %d: %.900s", rank, p->request.head.text);
        fail_task(s, p->request.head.status, text);
    }
}

static void note_leave(pm_rank_server *s, int rank)
{
    peer *p = &s->peer[rank];
    p->has_left = true;
    p->exit_status = p->request.head.status;
    memcpy(p->text, p->request.head.text, sizeof p->text);
    answer_status(s, rank, PM_OK, "");
}

/* Once all ranks have ended the task. */
static void settle(pm_rank_server *s)
{
    char text[PM_RANK_TEXT];
    for (int i = 1; i < s->ranks; ++i) {
        if (s->peer[i].has_left && s->peer[i].exit_status == pm_exit_status(PM_ESTOPPED)) {
            fail_task(s, PM_ESTOPPED, "stopped");
        } else if (s->peer[i].has_left) {
            snprintf(text, sizeof text, "rank %d has ended before the count: %.900s", i,
                     s->peer[i].text);
            fail_task(s, PM_EINTERNAL, text);
        } else if (!s->peer[i].has_ended) {
            return;
        }
    }
    /* a failure that asks for nothing but a stop is told only if there is no other one */
    if (s->own && (!s->failure || s->failure == PM_ESTOPPED)) {
        s->failure = s->own;
        s->why = s->why_own;
    }
    if (!s->failure && !pm_ledger_task_share_is_done(s->task))
        fail_task(s, PM_ENOMEM, "out of memory: the ranges of a task");
    s->result = s->failure;
    pm_rank_message total = {.head = {.status = s->failure, .number = s->number}};
    snprintf(total.head.text, sizeof total.head.text, "%s", s->failure ? s->why.msg : "");
    if (!s->failure && !pm_ledger_task_is_complete(s->task))
        total.head.status = PM_PARTIAL;
    else if (!s->failure || s->failure == PM_ESTOPPED) /* after a stop: the sum so far */
        pm_rank_message_add_sum(&total, s->task->record);
    for (int i = 1; i < s->ranks; ++i) {
        if (s->peer[i].has_ended)
            answer(s, i, &total);
        s->peer[i].has_ended = false;
    }
    s->task = NULL;
    pthread_cond_signal(&s->settled);
}

/* ---- the thread ---- */

static void handle_request(pm_rank_server *s, int rank)
{
    peer *p = &s->peer[rank];
    pm_rank_request request = p->request.head.request;
    if (request == PM_RANK_LEAVE) {
        note_leave(s, rank);
    } else if (request == PM_RANK_LEDGER || request == PM_RANK_INPUT) {
        if (s->published[request].bytes)
            answer(s, rank,
                   &(pm_rank_message){.head.bytes = s->published[request].size,
                                      .bytes = s->published[request].bytes});
        else if (s->is_closed)
            refuse(s, rank);
    } else if (s->is_closed) {
        refuse(s, rank);
    } else if (is_of_task(s, rank)) {
        if (request == PM_RANK_END) {
            note_end(s, rank);
        } else {
            if (!s->failure)
                add_sums(s, rank);
            give_range(s, rank);
        }
    }
}

/* Returns false when there is no message. */
static bool receive_request(pm_rank_server *s)
{
    int rank;
    int64_t size;
    if (!s->mpi->poll(&rank, &size))
        return false;
    peer *p = &s->peer[rank];
    char *data = pm_alloc_array(size, 1);
    if (!data) { /* the job cannot go on */
        fputs("out of memory: a message of another rank\n", stderr);
        pm_signals_end(pm_exit_status(PM_ENOMEM));
    }
    s->mpi->receive(rank, data, size);
    if (!pm_rank_message_unpack(data, size, &p->request)) {
        fputs("a message of another rank is damaged\n", stderr);
        pm_signals_end(pm_exit_status(PM_EINTERNAL));
    }
    p->data = data;
    return true;
}

static void *serve(void *server)
{
    pm_rank_server *s = server;
    while (!atomic_load(&s->is_ending)) {
        bool any = false;
        while (receive_request(s))
            any = true;
        pthread_mutex_lock(&s->lock);
        for (int i = 1; i < s->ranks; ++i)
            if (s->peer[i].data)
                handle_request(s, i);
        if (s->task && s->has_ended)
            settle(s);
        pthread_mutex_unlock(&s->lock);
        if (!any)
            nanosleep(&(struct timespec){0, LOOK}, NULL);
    }
    return NULL;
}

pm_status pm_rank_server_start(const pm_mpi_calls *mpi, int ranks, pm_rank_server **out,
                               pm_error *err)
{
    pm_rank_server *s = pm_calloc_array(1, sizeof *s);
    if (!s)
        return pm_fail_memory(err, "the ranks");
    *out = s;
    s->mpi = mpi;
    s->ranks = ranks;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->settled, NULL);
    s->peer = pm_calloc_array(ranks, sizeof *s->peer);
    if (!s->peer)
        return pm_fail_memory(err, "the ranks");
    pm_status status = pm_division_make(ranks, &s->division, err);
    if (status)
        return status;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the main thread */
    int why = pthread_create(&s->thread, NULL, serve, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return why ? pm_fail(err, PM_ENOMEM, "no thread for the other ranks: %s", strerror(why))
               : PM_OK;
}

void pm_rank_server_publish(pm_rank_server *s, pm_rank_request what, char *bytes, int64_t size)
{
    pthread_mutex_lock(&s->lock);
    s->published[what].bytes = bytes;
    s->published[what].size = size;
    pthread_mutex_unlock(&s->lock);
}

/* ---- the peers of the ledger ---- */

void pm_rank_server_begin(void *server, pm_ledger_task *t)
{
    pm_rank_server *s = server;
    pthread_mutex_lock(&s->lock);
    pm_division_begin(&s->division);
    ++s->number;
    s->task = t;
    s->taken_here = 0;
    s->has_ended = false;
    s->own = s->failure = PM_OK;
    pthread_mutex_unlock(&s->lock);
}

bool pm_rank_server_take(void *server, pm_ledger_task *t, uint64_t most, pm_range *out)
{
    pm_rank_server *s = server;
    pthread_mutex_lock(&s->lock);
    pm_division_note(&s->division, 0, s->taken_here, pm_clock());
    uint64_t size = size_for(s, 0, t, most);
    bool got = !s->failure && pm_ledger_task_take_here(t, size < most ? size : most, out);
    s->taken_here = got ? out->end - out->first : 0;
    pthread_mutex_unlock(&s->lock);
    return got;
}

/* Waits for at most TICK. */
static void wait_a_while(pm_rank_server *s)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TICK;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&s->settled, &s->lock, &until);
}

pm_status pm_rank_server_end(void *server, pm_ledger_task *t, pm_status status, pm_error *err)
{
    (void)t;
    pm_rank_server *s = server;
    double stopped = 0;
    pthread_mutex_lock(&s->lock);
    s->has_ended = true;
    s->own = status;
    if (status && err)
        s->why_own = *err;
    while (s->task) {
        wait_a_while(s);
        if (is_stopped() && stopped == 0)
            stopped = pm_clock();
        if (s->task && stopped > 0 && pm_clock() > stopped + PATIENCE) {
            s->task = NULL;
            s->result = PM_ESTOPPED;
            pm_fail(&s->why, PM_ESTOPPED, "stopped");
        }
    }
    if (s->result && err)
        *err = s->why;
    status = s->result;
    pthread_mutex_unlock(&s->lock);
    return status;
}

/* ---- the end ---- */

static bool have_left(pm_rank_server *s)
{
    bool all = true;
    pthread_mutex_lock(&s->lock);
    for (int i = 1; i < s->ranks; ++i)
        all &= s->peer[i].has_left;
    pthread_mutex_unlock(&s->lock);
    return all;
}

bool pm_rank_server_stop(pm_rank_server *s, int exit_status,
                         void (*tell)(void *context, const char *line), void *context)
{
    double stopped = 0;
    bool all;
    pthread_mutex_lock(&s->lock);
    s->is_closed = true;
    pthread_mutex_unlock(&s->lock);
    while (!(all = have_left(s)) && !(stopped > 0 && pm_clock() > stopped + PATIENCE)) {
        nanosleep(&(struct timespec){0, LOOK}, NULL);
        if (is_stopped() && stopped == 0)
            stopped = pm_clock();
    }
    atomic_store(&s->is_ending, true);
    pthread_join(s->thread, NULL);
    for (int i = 1; i < s->ranks; ++i) {
        char line[PM_RANK_TEXT + 32];
        const peer *p = &s->peer[i];
        snprintf(line, sizeof line, "rank %d: %s", i, p->text);
        if (p->has_left && p->exit_status != exit_status && *p->text)
            tell(context, line);
    }
    return all;
}

void pm_rank_server_free(pm_rank_server *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->ranks && s->peer; ++i)
        drop_request(&s->peer[i]);
    for (int i = 0; i < 2; ++i)
        free(s->published[i].bytes);
    pm_division_free(&s->division);
    pthread_cond_destroy(&s->settled);
    pthread_mutex_destroy(&s->lock);
    free(s->peer);
    free(s);
}
