/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "checkpoint/checkpoint.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint/checkpoint_file.h"
#include "checkpoint/level_file.h"
#include "core/clock.h"
#include "pm/alloc.h"
#include "process/signals.h"

/* Seconds between two checkpoints, and nanoseconds between two looks. */
#define INTERVAL 60.0
enum { LOOK = 50000000 };

struct pm_checkpoint {
    const char *path; /* as it was given */
    pm_checkpoint_file file;
    const pm_ledger_head *head;
    pm_ledger *ledger;
    pm_console *console;
    pm_level_files *levels;
    bool is_started;
    pthread_t thread;
    atomic_bool is_ending, is_left; /* left: the file stays as it is */
    double interval;
    bool has_failed; /* the last try */
    pm_error why;    /* of the first failure that was not told */
};

/* PM_CHECKPOINT_SECONDS: for tests. */
static double interval(void)
{
    const char *text = getenv("PM_CHECKPOINT_SECONDS");
    double seconds = text ? strtod(text, NULL) : 0;
    return seconds > 0 ? seconds : INTERVAL;
}

pm_status pm_checkpoint_open(const char *path, const pm_ledger_head *head, pm_ledger *ledger,
                             pm_console *console, pm_checkpoint **out, pm_error *err)
{
    bool is_there;
    pm_ledger_head found = {0};
    pm_checkpoint *c = pm_calloc_array(1, sizeof *c);
    if (!c)
        return pm_fail_memory(err, "a checkpoint");
    pm_status status = pm_checkpoint_file_open(path, &c->file, err);
    if (status) {
        free(c);
        return status;
    }
    status = pm_checkpoint_read(path, &found, ledger, &is_there, err);
    if (!status && is_there)
        status = pm_ledger_head_check(&found, head, path, err);
    pm_ledger_head_free(&found);
    if (status) {
        pm_checkpoint_file_close(&c->file, false);
        free(c);
        return status;
    }
    if (is_there)
        pm_console_notef(console, 1, "%s: going on from there", path);
    c->path = path;
    c->head = head;
    c->ledger = ledger;
    c->console = console;
    c->interval = interval();
    status = pm_level_files_open(path, head->program, c->interval, console, &c->levels, err);
    if (status) {
        pm_checkpoint_file_close(&c->file, false);
        free(c);
        return status;
    }
    pm_ledger_set_store(ledger, pm_level_files_store(c->levels));
    pm_signals_keep_checkpoint(true);
    *out = c;
    return PM_OK;
}

/* ---- the thread ---- */

/* Told at once: the run may last for days. */
static void tell(const pm_checkpoint *c)
{
    char line[sizeof c->why.msg + 64];
    int length = snprintf(line, sizeof line, "%s: %s\n", c->console->program, c->why.msg);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
}

static void write_now(pm_checkpoint *c)
{
    if (atomic_load(&c->is_left))
        return;
    bool failed = pm_checkpoint_write(&c->file, c->head, c->ledger, &c->why) != PM_OK;
    if (failed && !c->has_failed)
        tell(c);
    c->has_failed = failed;
}

static bool is_stopped(void)
{
    return pm_signals_will_raise() || pm_signals_limit_reached();
}

static void *run_thread(void *context)
{
    pm_checkpoint *c = context;
    double next = pm_clock() + c->interval;
    bool was_stopped = false;
    while (!atomic_load(&c->is_ending)) {
        bool now_stopped = is_stopped() && !was_stopped;
        if (pm_signals_take_write() || pm_clock() >= next || now_stopped) {
            write_now(c);
            next = pm_clock() + c->interval;
        }
        was_stopped |= now_stopped;
        if (was_stopped)
            pm_signals_end_if_stuck();
        nanosleep(&(struct timespec){0, LOOK}, NULL);
    }
    return NULL;
}

pm_status pm_checkpoint_start(pm_checkpoint *c, pm_error *err)
{
    if (c->is_started)
        return PM_OK;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the main thread */
    int why = pthread_create(&c->thread, NULL, run_thread, c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (why)
        return pm_fail(err, PM_ENOMEM, "no thread for checkpoints: %s", strerror(why));
    c->is_started = true;
    return PM_OK;
}

/* ---- the end ---- */

void pm_checkpoint_leave(pm_checkpoint *c)
{
    atomic_store(&c->is_left, true);
}

int pm_checkpoint_stop(pm_checkpoint *c, int status)
{
    if (!c)
        return status;
    if (c->is_started) {
        atomic_store(&c->is_ending, true);
        pthread_join(c->thread, NULL);
        c->is_started = false;
    }
    bool is_good = status == 0 || status == 1;
    if (atomic_load(&c->is_left) || (is_good && !pm_signals_will_raise()))
        return status;
    if (!is_stopped())
        pm_ledger_forget_items(c->ledger);
    if (pm_ledger_is_empty(c->ledger) && !pm_level_files_exist(c->levels))
        return status;
    write_now(c);
    if (c->has_failed)
        return is_good ? pm_exit_status(PM_EIO) : status;
    pm_console_errorf(c->console, "%s: run again to go on from there", c->path);
    return status;
}

void pm_checkpoint_close(pm_checkpoint *c, int status)
{
    if (!c)
        return;
    bool is_complete = status == 0 || status == 1;
    pm_checkpoint_file_close(&c->file, is_complete);
    pm_ledger_set_store(c->ledger, NULL);
    pm_level_files_close(c->levels, is_complete);
    pm_signals_keep_checkpoint(false);
    free(c);
}
