/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "process/signals.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "pm/status.h"

static volatile sig_atomic_t stop, report, write_asked, stop_second;
static const char *volatile unfinished;
static volatile sig_atomic_t unfinished_folder;
static atomic_int long_steps, whole_steps;
static volatile sig_atomic_t answers_are_ready, checkpoint_is_kept, line_is_drawn;

static sig_atomic_t second(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (sig_atomic_t)(t.tv_sec & 0x3FFFFFFF);
}

static void remove_unfinished(void)
{
    if (unfinished)
        unlinkat(unfinished_folder, unfinished, 0);
}

static void clear_line(void)
{
    static const char blanks[] = "\r                                        "
                                 "                                       \r";
    if (line_is_drawn && write(STDERR_FILENO, blanks, sizeof blanks - 1) >= 0)
        line_is_drawn = 0;
}

void pm_signals_line_is_drawn(bool is_drawn)
{
    line_is_drawn = is_drawn;
}

/* By the default action of the signal, also from a thread that blocks it. */
static void end_now(int number)
{
    sigset_t set;
    remove_unfinished();
    clear_line();
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}

/* ---- what is lost at an end ---- */

atomic_int *pm_signals_long_steps(void)
{
    return &long_steps;
}

atomic_int *pm_signals_whole_steps(void)
{
    return &whole_steps;
}

void pm_signals_keep_answers(bool are_ready)
{
    answers_are_ready = are_ready;
}

static bool must_wait(void)
{
    return answers_are_ready || checkpoint_is_kept || atomic_load(&whole_steps) > 0;
}

/* In an operation that does not look at the stop flag, where nobody writes a checkpoint first. */
static bool is_stuck(void)
{
    return atomic_load(&long_steps) > 0 && !checkpoint_is_kept;
}

/* ---- the timer ---- */

enum { TICK = 50000 }; /* microseconds */

static void on_alarm(int number);

static void mask_alarms(int how)
{
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(how, &alarm, NULL);
}

/* Also when the program inherited SIGALRM as ignored.  Async-signal-safe: on Linux setitimer is a
 * plain system call. */
static void set_timer(time_t seconds, suseconds_t microseconds)
{
    struct sigaction a = {.sa_handler = on_alarm};
    sigemptyset(&a.sa_mask);
    sigaction(SIGALRM, &a, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, TICK}, {seconds, microseconds}}, NULL);
}

static void set_stop(int number)
{
    stop_second = second();
    stop = number;
    set_timer(0, TICK);
}

/* ---- handlers ---- */

/* timeout(1) and terminals may deliver one signal twice within a second; a signal counts as the
 * second one only 2 seconds or more after the first. */
static void on_stop(int number)
{
    if (!stop) {
        if (!must_wait() || is_stuck())
            end_now(number);
        else
            set_stop(number);
    } else if (second() - stop_second >= 2 || second() < stop_second) {
        end_now(number);
    }
}

static void on_report(int number)
{
    (void)number;
    report = 1;
}

static void on_write(int number)
{
    (void)number;
    write_asked = 1;
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction old, now = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&now.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, &now, NULL);
}

/* Of standard error, whose reader has gone; every further message sends the signal again. */
static void on_pipe(int number)
{
    if (!stop)
        set_stop(number);
}

/* A defect, or a library that aborts. */
static void on_abort(int number)
{
    end_now(number);
}

void pm_signals_catch_pipe(bool is_caught)
{
    handle(SIGPIPE, is_caught ? on_pipe : SIG_DFL, 0);
}

void pm_signals_ignore_file_size(void)
{
    signal(SIGXFSZ, SIG_IGN);
}

void pm_signals_remove_file(int folder, const char *name)
{
    static const int ends[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};
    unfinished = NULL;
    unfinished_folder = folder;
    unfinished = name;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
        handle(ends[i], name ? on_abort : SIG_DFL, 0);
}

void pm_signals_end(int status)
{
    remove_unfinished();
    _exit(status);
}

const volatile sig_atomic_t *pm_signals_install(void)
{
    handle(SIGINT, on_stop, 0);
    handle(SIGTERM, on_stop, 0);
    handle(SIGHUP, on_stop, 0);
    handle(SIGQUIT, on_stop, 0);
    handle(SIGXCPU, on_stop, 0);
    mask_alarms(SIG_UNBLOCK);               /* it may be inherited as blocked */
    handle(SIGUSR1, on_report, SA_RESTART); /* without a handler it would end the program */
    return &stop;
}

/* As the program ends when it looks at the stop flag. */
static void end_at_limit(void)
{
    static const char text[] = ": stopped at the time limit\n";
    const char *name = program_invocation_short_name;
    remove_unfinished();
    clear_line();
    if (write(STDERR_FILENO, name, strlen(name)) >= 0
        && write(STDERR_FILENO, text, sizeof text - 1) >= 0)
        errno = 0;
    _exit(pm_exit_status(PM_ESTOPPED));
}

static void on_limit(void)
{
    stop_second = second();
    stop = SIGALRM;
    if (is_stuck())
        end_at_limit();
}

void pm_signals_end_if_stopped(void)
{
    if (pm_signals_will_raise())
        end_now(stop);
    else if (stop)
        end_at_limit();
}

void pm_signals_keep_checkpoint(bool is_kept)
{
    checkpoint_is_kept = is_kept;
    handle(SIGUSR2, is_kept ? on_write : SIG_DFL, SA_RESTART);
}

bool pm_signals_take_write(void)
{
    if (!write_asked)
        return false;
    write_asked = 0;
    return true;
}

void pm_signals_end_if_stuck(void)
{
    if (atomic_load(&long_steps) > 0)
        pm_signals_end_if_stopped();
}

/* The limit, or a tick after a stop, which interrupts a call. */
static void on_alarm(int number)
{
    (void)number;
    if (!stop)
        on_limit();
    else if (pm_signals_will_raise() && !must_wait())
        end_now(stop);
}

void pm_signals_set_limit(double seconds)
{
    long long us = (long long)(fmax(fmin(seconds, 1e9), 1e-6) * 1e6);
    mask_alarms(SIG_UNBLOCK);
    set_timer((time_t)(us / 1000000), (suseconds_t)(us % 1000000));
}

void pm_signals_clear_limit(void)
{
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    if (stop)
        set_timer(0, TICK);
}

void pm_signals_hold_limit(void)
{
    mask_alarms(SIG_BLOCK);
}

void pm_signals_release_limit(void)
{
    mask_alarms(SIG_UNBLOCK);
}

bool pm_signals_limit_reached(void)
{
    return stop == SIGALRM;
}

bool pm_signals_take_report(void)
{
    if (!report)
        return false;
    report = 0;
    return true;
}

bool pm_signals_will_raise(void)
{
    return stop != 0 && stop != SIGALRM;
}

void pm_signals_raise(void)
{
    if (!pm_signals_will_raise())
        return;
    signal(stop, SIG_DFL);
    raise(stop);
}
