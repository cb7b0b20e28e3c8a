/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/signals.h"

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

static volatile sig_atomic_t stop, report, stop_second;
static const char *volatile unfinished;
static volatile sig_atomic_t unfinished_folder;
static atomic_int long_steps;

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

atomic_int *pm_signals_long_steps(void)
{
    return &long_steps;
}

/* By the default action of the signal. */
static void end_now(int number)
{
    remove_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

/* timeout(1) and terminals may deliver one signal twice within a second; a signal counts as the
 * second one only 2 seconds or more after the first. */
static void on_stop(int number)
{
    if (!stop) {
        stop_second = second();
        stop = number;
        if (atomic_load(&long_steps) > 0)
            end_now(number);
    } else if (second() - stop_second >= 2 || second() < stop_second) {
        end_now(number);
    }
}

static void on_report(int number)
{
    (void)number;
    report = 1;
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
    if (!stop) {
        stop_second = second();
        stop = number;
    }
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

void pm_signals_install_report(void)
{
    handle(SIGUSR1, on_report, SA_RESTART);
}

const volatile sig_atomic_t *pm_signals_install(void)
{
    handle(SIGINT, on_stop, 0);
    handle(SIGTERM, on_stop, 0);
    handle(SIGHUP, on_stop, 0);
    handle(SIGQUIT, on_stop, 0);
    handle(SIGXCPU, on_stop, 0);
    pm_signals_install_report();
    return &stop;
}

/* As the program ends when it looks at the stop flag. */
static void end_at_limit(void)
{
    static const char text[] = ": stopped at the time limit\n";
    const char *name = program_invocation_short_name;
    remove_unfinished();
    if (write(STDERR_FILENO, name, strlen(name)) >= 0
        && write(STDERR_FILENO, text, sizeof text - 1) >= 0)
        errno = 0;
    _exit(pm_exit_status(PM_ESTOPPED));
}

static void on_limit(int number)
{
    if (stop)
        return;
    stop_second = second();
    stop = number;
    if (atomic_load(&long_steps) > 0)
        end_at_limit();
}

static void mask_alarms(int how)
{
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(how, &alarm, NULL);
}

/* Also when the program inherited SIGALRM as ignored or blocked. */
static void handle_alarms(void)
{
    struct sigaction a = {.sa_handler = on_limit};
    sigemptyset(&a.sa_mask);
    sigaction(SIGALRM, &a, NULL);
    mask_alarms(SIG_UNBLOCK);
}

void pm_signals_set_limit(double seconds)
{
    seconds = fmin(seconds, 1e9);
    struct itimerval t = {.it_value = {(time_t)seconds, (suseconds_t)(fmod(seconds, 1) * 1e6)}};
    if (t.it_value.tv_sec == 0 && t.it_value.tv_usec == 0)
        t.it_value.tv_usec = 1;
    handle_alarms();
    setitimer(ITIMER_REAL, &t, NULL);
}

void pm_signals_clear_limit(void)
{
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
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
