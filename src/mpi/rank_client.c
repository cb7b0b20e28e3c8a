/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mpi/rank_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/clock.h"
#include "pm/alloc.h"
#include "process/signals.h"

/* Nanoseconds between two looks for an answer, which may come at once. */
enum { FIRST_LOOK = 20000, LAST_LOOK = 1000000 };
/* Seconds that rank 0 has after a stop. */
#define PATIENCE 6.0

/* Returns false when a stop has come and no answer in time. */
static bool wait_for_answer(const pm_rank_client *c, int64_t *size)
{
    int from;
    long pause = FIRST_LOOK;
    double stopped = 0;
    while (!c->mpi->poll(&from, size)) {
        bool is_stopped = pm_signals_will_raise() || pm_signals_limit_reached();
        if (is_stopped && stopped == 0)
            stopped = pm_clock();
        if (is_stopped && pm_clock() > stopped + PATIENCE)
            return false;
        nanosleep(&(struct timespec){0, pause}, NULL);
        pause = pause < LAST_LOOK / 2 ? 2 * pause : LAST_LOOK;
    }
    return true;
}

static pm_status receive_answer(const pm_rank_client *c, char **data, pm_rank_message *answer,
                                pm_error *err)
{
    int64_t size;
    if (!wait_for_answer(c, &size))
        return pm_fail(err, PM_ESTOPPED, "stopped: rank 0 does not answer");
    *data = pm_alloc_array(size, 1);
    if (!*data)
        return pm_fail_memory(err, "a message of rank 0");
    c->mpi->receive(0, *data, size);
    return pm_rank_message_unpack(*data, size, answer)
               ? PM_OK
               : pm_fail_internal(err, "a message of rank 0 is damaged");
}

pm_status pm_rank_client_ask(pm_rank_client *c, const pm_rank_message *request, char **data,
                             pm_rank_message *answer, pm_error *err)
{
    char *sent = NULL;
    int64_t size;
    *data = NULL;
    pm_status status = pm_rank_message_pack(request, &sent, &size, err);
    if (status)
        return status;
    c->mpi->send(0, sent, size);
    free(sent);
    status = receive_answer(c, data, answer, err);
    if (!status && answer->head.status)
        status = pm_fail(err, (pm_status)answer->head.status, "%s", answer->head.text);
    return status;
}

/* ---- the peers of the ledger ---- */

void pm_rank_client_begin(void *client, pm_ledger_task *t)
{
    pm_rank_client *c = client;
    (void)t;
    ++c->number;
    c->is_drained = false;
    c->failure = PM_OK;
}

static pm_rank_message request_of(const pm_rank_client *c, const pm_ledger_task *t,
                                  pm_rank_request what)
{
    pm_rank_message m = {.head = {.request = what, .number = c->number, .key = t->record->key}};
    pm_rank_message_add_done(&m, t->record);
    return m;
}

/* The next ranges, as the share of the task. */
static void ask_for_range(pm_rank_client *c, pm_ledger_task *t, uint64_t most)
{
    char *data;
    pm_rank_message answer, m = request_of(c, t, PM_RANK_TAKE);
    m.head.most = most;
    c->failure = pm_rank_client_ask(c, &m, &data, &answer, &c->why);
    if (!c->failure) {
        pm_ledger_task_empty(t);
        pm_ranges_free(&t->record->taken);
        t->share = answer.head.range;
    }
    c->is_drained = c->failure || t->share.first == t->share.end;
    free(data);
}

bool pm_rank_client_take(void *client, pm_ledger_task *t, uint64_t most, pm_range *out)
{
    pm_rank_client *c = client;
    if (pm_ledger_task_take_here(t, most, out))
        return true;
    if (!c->is_drained)
        ask_for_range(c, t, most);
    return !c->is_drained && pm_ledger_task_take_here(t, most, out);
}

/* The total, or after a stop the sum so far. */
static pm_status set_total(pm_ledger_task *t, const pm_rank_message *total, pm_error *err)
{
    pm_ledger_sum sum;
    if (!pm_rank_message_get_sum(total, &t->record->shape, &sum))
        return pm_fail_internal(err, "rank 0 has the total of another task");
    return pm_ledger_task_set_sum(t, &sum, err);
}

pm_status pm_rank_client_end(void *client, pm_ledger_task *t, pm_status status, pm_error *err)
{
    char *data;
    pm_rank_client *c = client;
    pm_rank_message answer, m = request_of(c, t, PM_RANK_END);
    if (!status && c->failure) {
        status = c->failure;
        if (err)
            *err = c->why;
    }
    m.head.status = status;
    snprintf(m.head.text, sizeof m.head.text, "%s", status && err ? err->msg : "");
    status = pm_rank_client_ask(c, &m, &data, &answer, err);
    if (status == PM_PARTIAL)
        pm_fail(err, status, "%s: the other parts are missing", t->record->what);
    if (!status)
        status = set_total(t, &answer, err);
    else if (status == PM_ESTOPPED && data && answer.head.status == PM_ESTOPPED)
        set_total(t, &answer, NULL);
    free(data);
    return status;
}
